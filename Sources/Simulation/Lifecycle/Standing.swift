import Merging

/// Where one record stands at one device: the three states that the walkthrough shows, and what is on its way.
package struct Standing: Sendable, Equatable {
  /// The database row; nil where there is none.
  package var row: [String: Value]?
  /// The last-known server record; nil where there is none. One without a tag was never confirmed.
  package var lastKnown: ServerRecord?
  /// The server's record; nil where there is none.
  package var server: ServerRecord?
  /// What waits to be sent.
  package var pending: DeviceRecord.Pending?
  /// What was sent, and is not answered yet.
  package var inFlight: DeviceRecord.Pending?
  /// Whether what is pending, or in flight, came out of a merge.
  package var isMerged: Bool
  /// The conflict that waits for a decision; nil if none does.
  package var conflict: RecordConflict?
}

/// The three states, as something that can change.
package enum Place: String, Sendable, CaseIterable {
  /// The database row of the client.
  case row
  case lastKnown
  case server
}

extension World {
  /// Where a record stands at a device.
  package func standing(of name: RecordName, on device: String) -> Standing {
    let record = devices[device]?[name] ?? DeviceRecord()
    return Standing(
      row: record.row, lastKnown: record.lastKnown, server: cloud.records[name], pending: record.pending,
      inFlight: record.inFlight?.pending, isMerged: record.metadata?.isMerged ?? false,
      conflict: conflict(of: name, on: device))
  }
}

extension Standing {
  /// The places in which this standing is not what `other` was.
  package func changes(since other: Standing) -> Set<Place> {
    var places: Set<Place> = []
    if row != other.row { places.insert(.row) }
    if lastKnown != other.lastKnown { places.insert(.lastKnown) }
    if server != other.server { places.insert(.server) }
    return places
  }

  /// Whether row, last-known record and server's record hold the same, and nothing is on its way.
  package var isAgreed: Bool {
    pending == nil && inFlight == nil && conflict == nil && lastKnown?.tag == server?.tag && isRowOfServer
  }

  private var isRowOfServer: Bool {
    guard let row, let server else { return row == nil && server == nil }
    return row.allSatisfy { server.value($0.key) == $0.value }
  }
}
