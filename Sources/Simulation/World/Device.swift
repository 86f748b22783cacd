import Merging

/// A device: its rows, its sync engine's knowledge, and how far it has listened to the server.
package struct Device: Sendable, Equatable {
  package let name: String
  package internal(set) var tables: [String: Table]
  package var records: [RecordName: DeviceRecord] = [:]
  /// Records that could not be written because their parent is not here. They are fetched again with every fetch.
  package internal(set) var parked: Set<RecordName> = []
  /// The last change of the server that was fetched.
  var seen: ChangeTag?
  var seenResets = 0
  /// Answers of the server that are under way.
  var answers: [RecordName: Answer] = [:]

  package init(_ name: String, tables: [Table]) {
    self.name = name
    self.tables = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) })
  }

  package subscript(name: RecordName) -> DeviceRecord { records[name] ?? DeviceRecord() }

  /// Whether nothing waits: nothing to send, no answer under way, no conflict to resolve.
  package var isSettled: Bool {
    records.values.allSatisfy { $0.pending == nil && $0.inFlight == nil && $0.metadata?.incoming == nil }
  }

  func site(_ name: RecordName, at time: Int64) -> Site? {
    tables[name.table].map { Site(name: name, table: $0, now: time) }
  }

  func happening(_ name: RecordName, _ event: Event) -> Happening {
    Happening(device: self.name, record: name, event: event)
  }
}
