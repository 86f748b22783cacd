import Merging
import SQLiteFiles
import StoreInterface

/// A NULL where the server has bytes.
///
///     the engine has written it    it took a record in whose file was not there
///     somebody here has            and it is not sent yet
///
/// Nothing tells the one from the other, at this record or a later one. So it is neither an edit nor the engine's value: a row is the engine's
/// in spite of it, and of such a field there is no ancestor.
extension Versions {
  /// The fields of which the client has such a NULL: those of the row, and those of what was captured, where the engine has given the row the
  /// bytes since. Of what the app knows by now another device may have taken the bytes away.
  ///
  /// - Parameter notKnown: see ``notKnown``.
  func bytesNotHere(_ notKnown: [String]) -> Set<String> {
    guard let row, let came = newestOfRow ?? serverArchive?.version.fields else { return [] }
    let names = row.lacking(of: came) + notKnown.filter { chain.hasNull($0, for: came) }
    // Of nearly every record there are none, and nothing else is read.
    if names.isEmpty { return [] }
    let known = newest ?? (inbox.isCaptured ? came : [:])
    return Set(names.filter { known[$0]?.value.isBlob == true })
  }
}

extension CaptureChain {
  fileprivate func hasNull(_ name: String, for came: RecordVersion.Fields) -> Bool {
    came[name]?.value.isBlob == true && links.contains { $0.row?[name] == .null }
  }
}

extension RowImage {
  /// Whether the engine may have written what stands here, of this value of the server's.
  func mayHave(_ value: Value, in name: String) -> Bool {
    self[name] == value || value.isBlob && self[name] == .null
  }

  /// Whether it may have written it in the place of an edit.
  func mayHave(_ value: Value, insteadOf edit: Value, in name: String) -> Bool {
    value != edit && self[name] != edit && mayHave(value, in: name)
  }

  /// Whether it may have made the row of these.
  func isMade(of fields: RecordVersion.Fields) -> Bool {
    fields.allSatisfy { mayHave($0.value.value, in: $0.key) }
  }

  /// The fields in which the row has NULL, and these have bytes. Few have any, so that no other name is looked for.
  fileprivate func lacking(of fields: RecordVersion.Fields) -> [String] {
    let names = fields.names
    return fields.withSlots { slots in
      slots.indices.filter { slots[$0].value.isBlob && self[names.list[$0]] == .null }.map { names.list[$0] }
    }
  }
}
