import Merging
import StoreInterface
import Telling

/// Intent and receipt, with the words for a write that fails at one of them.
extension Journal {
  /// - Throws: ``StoreError/writeFailed(path:detail:)``: what is not in the journal is not written;
  ///   ``StoreError/journalGone(path:)``, after which it would be wrong to say that decisions are kept.
  static func beforeWriting<Result>(_ store: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let gone as StoreError where gone.isOfAMissingJournal {
      throw gone
    } catch {
      throw StoreError.writeFailed(path: store, detail: StoreError.detail(of: error))
    }
  }

  static func afterWriting(_ store: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      throw StoreError.receiptMissing(path: store, detail: StoreError.detail(of: error))
    }
  }
}

extension StoreError {
  fileprivate var isOfAMissingJournal: Bool { if case .journalGone = self { true } else { false } }

  /// What an error is about, to stand inside of another one's sentence.
  package static func detail(of error: any Error) -> String {
    switch error as? StoreError {
    case .writeFailed(_, let detail)?: detail
    case .journalFull(let path)?: "the disk is full, and its journal \(path) comes first"
    case .journalUnusable(let path, let detail)?: "its journal \(path) cannot be used, \(detail)"
    case .journalGone(let path)?: "its journal \(path) is gone or another one"
    case let error?: error.words.hasSuffix(".") ? String(error.words.dropLast()) : error.words
    case nil: "\(error)"
    }
  }
}
