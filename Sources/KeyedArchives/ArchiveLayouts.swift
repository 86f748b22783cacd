import Synchronization

/// The layouts that were met, by which most archives of a store are read: see ``ArchiveLayout``.
final class ArchiveLayouts: Sendable {
  static let known = ArchiveLayouts()

  private struct State {
    var layouts: [ArchiveLayout] = []
    var unknown = 0
    var next = 0
  }

  private let state = Mutex(State())
  private static let limit = 32
  /// To take note of a layout costs three times what reading costs: where no two archives are alike, that is for nothing.
  private static let step = 16
  private static let longest = 1 << 16

  /// - Parameter record: a new one.
  /// - Returns: what ``ValueInPlace/made(_:)`` counts in.
  func read(_ archive: KeyedArchive, into record: inout ArchivedRecord) throws(ArchiveError)
    -> [ArchivedValue]
  {
    for layout in state.withLock(\.layouts) where layout.fits(archive.list) {
      var reader = archive
      if reader.read(layout, into: &record) { return reader.made }
      record = ArchivedRecord()
    }
    var reader = archive
    try reader.read(into: &record)
    takeNote(reader, record)
    return reader.made
  }

  private func takeNote(_ archive: KeyedArchive, _ record: ArchivedRecord) {
    let isTurn = state.withLock { state in
      defer { state.unknown += 1 }
      return state.unknown % Self.step == 0
    }
    guard isTurn, archive.list.bytes.count <= Self.longest,
      let layout = ArchiveLayout(archive, of: record)
    else { return }
    state.withLock { state in
      if state.layouts.count < Self.limit { return state.layouts.append(layout) }
      state.layouts[state.next] = layout
      state.next = (state.next + 1) % Self.limit
    }
  }
}
