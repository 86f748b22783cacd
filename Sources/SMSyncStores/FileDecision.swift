import Merging
import StoreInterface

/// What a draft means for the framework's own two answers, and what it cannot be answered with there.
enum FileDecision: Sendable, Equatable {
  /// What waits here is dropped.
  case accept
  /// What waits here is sent as it is.
  case keep
  /// These bytes are sent instead.
  case draft([UInt8])
  /// Of an upload and a deletion that both wait, only the one.
  case keepUpload
  case keepDeletion
}

extension FileConflict {
  /// - Throws: ``Refusal``
  func decision(_ draft: Draft) throws -> FileDecision {
    switch (draft.action, standing.pending) {
    case (.alternative(FileAlternatives.accept), _): return .accept
    case (.alternative(FileAlternatives.both), .both): return .keep
    case (.alternative(let id), _): throw Refusal(nil, "no file is decided by \(id)")
    case (.delete, _) where standing.news.isDeletion: return .accept
    case (.delete, .upload):
      throw Refusal(nil, "neither side has deleted it; the framework can keep the one text or the other")
    case (.delete, .deletion): return .keep
    case (.delete, .both): return .keepDeletion
    case (.save(let fields), _): return try decision(fields)
    }
  }

  private func decision(_ fields: [FieldDraft]) throws -> FileDecision {
    guard let value = fields.first(where: { $0.name == FileConflict.content })?.value,
      let bytes = FileContent.bytes(value)
    else { throw Refusal(FileConflict.content, "a file holds text or bytes") }
    if isContent(of: .server, value) { return .accept }
    switch standing.pending {
    case .upload: return isContent(of: .client, value) ? .keep : .draft(bytes)
    case .both where value == earlierUpload: return .keepUpload
    case .both, .deletion:
      throw Refusal(
        FileConflict.content, "it is deleted here: the server's text can be accepted, and no other sent")
    }
  }

  private func isContent(of side: Side, _ value: Value) -> Bool {
    conflict.version(side).fields?[FileConflict.content]?.value == value
  }

  private var noun: String {
    FileContent.noun(earlierUpload ?? conflict.version(.client).fields?[FileConflict.content]?.value)
  }

  /// What the device does, in words.
  func words(_ decision: FileDecision) -> String {
    let (version, isDeletion) = (standing.news.version, standing.news.isDeletion)
    switch decision {
    case .accept: return isDeletion ? "accept the deletion" : "accept version \(version)"
    case .keep where standing.pending == .deletion: return "delete version \(version)"
    case .keep where standing.pending == .both: return "upload, then delete"
    case .keep, .keepUpload: return (isDeletion ? "undelete" : "upload") + " the client's \(noun)"
    case .draft: return (isDeletion ? "undelete" : "upload") + " the draft"
    case .keepDeletion: return "delete version \(version), without the upload"
    }
  }
}
