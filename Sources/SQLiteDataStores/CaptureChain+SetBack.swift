import Merging
import SQLiteFiles
import StoreInterface

/// A value that the engine replaced by the server's, and that somebody here has set back since.
///
///     captured   the server's   after the merge   now
///     Milk       Oat milk       Oat milk          Milk    an edit, though the row has what was captured
///
/// What the engine makes of a row is known (FORMAT.md, "How the engine takes in a record"), so whatever else the row has is an edit,
/// where the metadata's time is later than the record came in, or another than before, as the engine sets it with the merge and a clock may
/// be set back, or where the row has something else of that record. The other way round nobody can know: that the row has the server's value
/// where the engine keeps this device's may be an edit, or the merge of another release: see ``BackAtServers``.
extension CaptureChain {
  /// The fields that were set back, each with the place of the newest record after which it was.
  ///
  /// - Parameters:
  ///   - row: as it is now, and when it was last written.
  ///   - server: what the newest record is.
  func setBack(
    now row: RowImage?, at time: Int64?, _ server: ArchivedVersion?, _ shape: TableShape?
  ) -> [String: Int] {
    var (later, written) = (row, time)
    var places: [String: Int] = [:]
    for (place, link) in links.enumerated() {
      let names = link.setBack(in: later, at: written, place == 0 ? server : link.server, shape)
      for name in names where places[name] == nil { places[name] = place }
      (later, written) = (link.row, link.inbox.clientTime)
    }
    return places
  }

  /// What the engine took of the server's records, of the fields that were edited after that: these edits were made upon it, and what both
  /// had before it is no ancestor of theirs.
  ///
  ///     ancestor   taken from the server   edited to   the server's now
  ///     100        101                     108         101                edited after it alone: 108, and not 109
  ///     Milk       Oat milk                Soy milk    Milk               edited on both sides
  ///
  /// What the engine took last counts. Be it that the edit came from the server as well, and met nothing here that would have been captured.
  ///
  /// - Parameters:
  ///   - row: as it is now.
  ///   - edited: what it has neither of the newest record nor of what was captured with it.
  func taken(
    before row: RowImage?, _ edited: [String], _ server: RecordVersion, _ shape: TableShape?
  ) -> [String: FieldVersion<Value>] {
    guard links.count > 1 || !edited.isEmpty, let row else { return [:] }
    var (bases, open): ([String: FieldVersion<Value>], Set<String>) = ([:], Set(row.keys))
    var later = [row]
    for (place, link) in links.enumerated() {
      // What the engine took of one that cannot be read nobody knows, nor what lies behind it.
      guard let came = place == 0 ? server.fields : link.server?.version.fields else { break }
      let taken = link.replaced(links.count == 1 ? Set(edited) : open, by: came, shape)
      for name in taken where later.contains(where: { link.isEdited(name, in: $0, after: came) }) {
        bases[name] = came[name]
      }
      open.subtract(taken)
      link.row.map { later.append($0) }
    }
    return bases
  }

  /// The fields that have the ancestor's value once more, after both sides had another: somebody has set that since, and by its value it
  /// would be the server's alone.
  ///
  ///     ancestor   captured   the server's   now
  ///     5          7          6              5
  ///
  /// - Parameters:
  ///   - row: as it is now.
  ///   - edited: as of ``taken(before:_:_:_:)``.
  ///   - ancestor: with what the engine had taken before the edits.
  func setToAncestors(
    _ row: RowImage?, _ edited: [String], _ ancestor: RecordVersion?, _ server: RecordVersion
  ) -> [String] {
    guard links.count > 1 || !edited.isEmpty, let row, let known = ancestor?.fields else { return [] }
    return (links.count == 1 ? edited : Array(row.keys)).filter { name in
      let value = known[name]?.value ?? .null
      return row[name] == value
        && links.enumerated().contains { place, link in
          let came = place == 0 ? server.fields : link.server?.version.fields
          return link.row.map { $0[name] != value } ?? false && came?[name].map { $0.value != value } ?? false
        }
    }
  }
}

extension CaptureChain.Link {
  /// - Parameter later: the row when nothing else had come in, and when it was last written.
  fileprivate func setBack(
    in later: RowImage?, at time: Int64?, _ server: ArchivedVersion?, _ shape: TableShape?
  ) -> [String] {
    // A record that is met by its first save is merged with what is in flight, which nobody keeps.
    guard let row, let later, inbox.path == "fetch", let came = server?.version.fields,
      isMerged(before: time) || hasTaken(came, in: later)
    else { return [] }
    let kept = row.keys.filter { name in
      guard let new = came[name], new.time != nil else { return false }
      return new.value != row[name] && later[name] == row[name]
    }
    return kept.isEmpty ? [] : taken(kept, came, shape)
  }

  /// Whether the row has something of the record that was not captured. An upload sets the time back to that of before.
  private func hasTaken(_ came: RecordVersion.Fields, in later: RowImage) -> Bool {
    row?.contains { name, old in
      guard let new = came[name]?.value, new != old else { return false }
      return later[name] == new
    } ?? false
  }

  /// Where no time was kept, as in an inbox of before there were any, nothing says that it was not.
  private func isMerged(before time: Int64?) -> Bool {
    guard let time else { return true }
    return time > inbox.receivedAt || inbox.clientTime.map { time != $0 } ?? false
  }

  /// Whether a later row has neither what was captured nor what came in then.
  fileprivate func isEdited(
    _ name: String, in later: RowImage, after came: RecordVersion.Fields
  ) -> Bool {
    later[name] != row?[name] && later[name] != came[name]?.value
  }

  /// Those of these fields of which the engine took another value than the row had.
  fileprivate func replaced(
    _ names: Set<String>, by came: RecordVersion.Fields, _ shape: TableShape?
  ) -> [String] {
    guard let row, inbox.path == "fetch" else { return [] }
    return taken(names.filter { name in came[name].map { $0.value != row[name] } ?? false }, came, shape)
  }

  /// Those of these fields that the engine had of the server's record. Where both devices made the record it is all of them.
  private func taken(
    _ names: some Collection<String>, _ came: RecordVersion.Fields, _ shape: TableShape?
  ) -> [String] {
    guard let archive = ArchivedVersion(inbox.ancestorRecord, shape: shape) else { return Array(names) }
    guard let known = archive.version.fields else { return [] }
    return names.filter { name in
      let (old, new) = (known[name], came[name])
      let isUnedited = row?[name] == old?.value ?? .null
      return isUnedited && (old?.time ?? -1) < (new?.time ?? -1)
    }
  }
}
