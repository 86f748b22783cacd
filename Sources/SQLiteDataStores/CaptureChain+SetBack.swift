import Merging
import SQLiteFiles
import StoreInterface

/// A value that the engine replaced by the server's, and that somebody here has set back since.
///
///     captured   the server's   after the merge   now
///     Milk       Oat milk       Oat milk          Milk    an edit, though the row has what was captured
///
/// What the engine makes of a row is known (FORMAT.md, "How the engine takes in a record"), so whatever else the row has is an edit,
/// where the metadata's time is later than the record came in. The other way round nobody can know: that the row has the server's value
/// where the engine keeps this device's may be an edit, or the merge of another release.
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

  /// The fields of which the server has the ancestor's value again, after the engine took another one from it that somebody here has
  /// edited since.
  ///
  ///     ancestor   taken from the server   edited here   the server's now
  ///     Milk       Oat milk                Soy milk      Milk                edited on both sides, and not here alone
  ///
  /// What the engine took last counts: where that is the server's now, it had set the row back as well before somebody edited it.
  func setBackThere(
    _ client: RecordVersion, _ server: RecordVersion, ancestor: RecordVersion?, _ shape: TableShape?
  ) -> Set<String> {
    guard links.count > 1, let mine = client.fields, let theirs = server.fields, let old = ancestor?.fields
    else { return [] }
    let names = theirs.keys.filter { name in
      theirs[name]?.value == old[name]?.value && theirs[name]?.value != mine[name]?.value
    }
    return setBackThere(Set(names), theirs, shape)
  }

  private func setBackThere(
    _ names: Set<String>, _ now: RecordVersion.Fields, _ shape: TableShape?
  ) -> Set<String> {
    var (open, disputed) = (names, Set<String>())
    for (place, link) in links.enumerated() where !open.isEmpty {
      guard let came = place == 0 ? now : link.server?.version.fields else { continue }
      let taken = link.replaced(open, by: came, shape)
      disputed.formUnion(taken.filter { came[$0]?.value != now[$0]?.value })
      open.subtract(taken)
    }
    return disputed
  }
}

extension CaptureChain.Link {
  /// - Parameter later: the row when nothing else had come in, and when it was last written.
  fileprivate func setBack(
    in later: RowImage?, at time: Int64?, _ server: ArchivedVersion?, _ shape: TableShape?
  ) -> [String] {
    // A record that is met by its first save is merged with what is in flight, which nobody keeps.
    guard let row, let later, let time, time > inbox.receivedAt, inbox.path == "fetch",
      let came = server?.version.fields
    else { return [] }
    let kept = row.keys.filter { name in
      guard let new = came[name], new.time != nil else { return false }
      return new.value != row[name] && later[name] == row[name]
    }
    return kept.isEmpty ? [] : taken(kept, came, shape)
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
