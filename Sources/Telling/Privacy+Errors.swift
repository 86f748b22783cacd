import StoreInterface

extension Privacy {
  /// An error with its record as other reports call it. What a store says of a draft may quote a value.
  package func told(_ error: StoreError, in store: StoreInfo) -> StoreError {
    guard hides else { return error }
    func record(_ id: String) -> String { recordName(id, in: store) }
    switch error {
    case .noSuchRecord(let id): return .noSuchRecord(id: record(id))
    case .noSuchField(let id, let field, let known):
      return .noSuchField(record: record(id), field: name(field), known: known.map(name))
    case .noSuchAttachment(let id, let name, let known):
      return .noSuchAttachment(record: record(id), name: shown(name), known: known.map(shown))
    case .bytesNotHad(let id, let attachment, let detail):
      return .bytesNotHad(record: record(id), attachment: shown(attachment), detail: detail)
    case .refusedChoice(let id, let field, let refusal):
      return .refusedChoice(record: record(id), field: field.map(name), refusal)
    case .moved(let id, let detail): return .moved(record: record(id), detail: shown(detail))
    case .decidedMeanwhile(let path, let id): return .decidedMeanwhile(path: path, record: record(id))
    case .refused(let id, let field, let detail):
      return .refused(record: record(id), field: field.map(name), detail: shown(detail))
    case .notFound, .fileMissing, .notADatabase, .metadataMissing, .metadataAmbiguous, .databaseAmbiguous,
      .metadataIsDatabase,
      .notAStore, .severalStores, .storeTooNew, .damaged, .locked, .journalTooNew, .journalUnusable,
      .journalFull, .journalOfAnother, .journalForbidden, .journalGone, .cannotRead, .beingWritten, .stopped,
      .noAnswer, .server, .notAFile, .tooLarge, .readOnly, .tooNewToWrite, .writeFailed, .writeUnknown,
      .receiptMissing, .nothingToUndo, .outboxUnusable, .outboxTooNew, .indexUnusable, .outboxOfOtherJournal,
      .copyIsThere:
      return error
    }
  }
}
