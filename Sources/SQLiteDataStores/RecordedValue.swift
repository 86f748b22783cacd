import Foundation
import Merging
import SQLiteFiles
import StoreInterface

/// Values that the library reads in a row, and writes otherwise into a record (FORMAT.md, "Columns and records"). It takes the one for the
/// other, so that nobody has edited such a field, and nothing of it is to be sent; the row keeps its own.
///
/// A boolean that is neither 0 nor 1 is none of these: its column may as well be one of numbers, and nothing in the files tells.
extension Value {
  /// What a record has of it; nil if that is the value itself.
  private var recorded: Value? {
    switch self {
    case .text(let text): (text.recordedDate ?? text.recordedUUID).map { .text($0) }
    case .opaque(Value.brokenText, let bytes): .text(String(decoding: bytes, as: UTF8.self))
    case .null, .integer, .real, .blob, .opaque: nil
    }
  }

  /// Whether a row with this value has what a record with that one has.
  func isRecorded(as value: Value) -> Bool { self == value || recorded == value }
}

extension RowImage {
  /// This row with the values of the records, where the library takes its own for these.
  ///
  /// - Parameter archives: which are read only where a value may be another in a record, and none before it has told.
  func asRecorded(in archives: [[UInt8]?], _ shape: TableShape?) -> RowImage {
    var open = filter { $0.value.mayBeRecordedOtherwise }
    var row = self
    for archive in archives where !open.isEmpty {
      guard let fields = ArchivedVersion(archive, shape: shape)?.version.fields else { continue }
      for (name, value) in open {
        guard let field = fields[name], value.isRecorded(as: field.value) else { continue }
        row[name] = field.value
        open[name] = nil
      }
    }
    return row
  }
}

extension InboxRow {
  /// A row beside all that is known of its record.
  func asRecorded(_ row: RowImage?, _ metadata: MetadataRow?, _ shape: TableShape?) -> RowImage? {
    guard let row, row.values.contains(where: \.mayBeRecordedOtherwise) else { return row }
    return row.asRecorded(in: [serverRecord, ancestorRecord, metadata?.allFields], shape)
  }
}

extension Value {
  /// Asked of each value of each row.
  fileprivate var mayBeRecordedOtherwise: Bool {
    switch self {
    case .text(let text): text.mayBeDate || text.recordedUUID != nil
    case .opaque(let kind, _): kind == Value.brokenText
    case .null, .integer, .real, .blob: false
    }
  }
}

extension String {
  /// Most texts are none, ISO 8601 with its T neither, and nearly all dates are written as the library writes them.
  fileprivate var mayBeDate: Bool {
    guard (19...40).contains(utf8.count), utf8.count != 23 else { return false }
    let isYear = utf8.prefix(4).allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isYear && utf8.dropFirst(4).first == UInt8(ascii: "-")
      && utf8.dropFirst(10).first == UInt8(ascii: " ")
  }

  fileprivate var recordedDate: String? { mayBeDate ? StoredDate.rewritten(self) : nil }

  /// A record has it in small letters.
  fileprivate var recordedUUID: String? {
    let capitals = UInt8(ascii: "A")...UInt8(ascii: "F")
    guard utf8.count == 36, utf8.contains(where: capitals.contains) else { return nil }
    return UUID(uuidString: self)?.uuidString.lowercased()
  }
}
