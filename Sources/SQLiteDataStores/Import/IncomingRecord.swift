import KeyedArchives
import SQLiteFiles

/// A server record on its way into the inbox, whatever file it came in.
struct IncomingRecord: Sendable {
  enum Form: Sendable {
    /// The server's archive, in binary form: it can become the ancestor.
    case archive([UInt8])
    /// CloudKit's JSON, of this record alone.
    case json(String)
  }

  let record: ArchivedRecord
  let form: Form
  let isDeleted: Bool
  /// Where in its file it lies, for a person; nil if the file is this record.
  let place: String?

  var archive: [UInt8]? { if case .archive(let bytes) = form { bytes } else { nil } }
  var json: String? { if case .json(let text) = form { text } else { nil } }

  func version(_ shape: TableShape) -> ArchivedVersion {
    ArchivedVersion(record, shape: shape, otherTimes: archive == nil ? record.modifiedAt : nil)
  }
}

/// One thing that was met in a file.
enum ImportEntry: Sendable {
  case record(IncomingRecord)
  case unreadable(place: String?, reason: String)
}
