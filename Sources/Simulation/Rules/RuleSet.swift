import Merging

/// By which rules devices sync.
package enum RuleSet: Sendable, Equatable {
  /// The three-way merge: the ancestor is what the server confirmed, a conflict waits for its resolution, and what was not
  /// sent keeps its time.
  case model(MergeRules = MergeRules())
  /// SQLiteData as it is, by its sources of August 2026.
  case sqliteData(RecordDates = .present)

  /// Whether a server's record carries the date of its modification. CloudKit's do; those of SQLiteData's own test server
  /// do not, and then each upload, confirmed or not, becomes the last-known record.
  package enum RecordDates: String, Sendable, CaseIterable {
    case present, absent
  }

  var rules: any SyncRules {
    switch self {
    case .model(let merging): ModelRules(merging: merging)
    case .sqliteData(let dates): TodaysRules(dates: dates)
    }
  }
}

/// The decisions in which rule sets differ, for one record at one device.
protocol SyncRules: Sendable {
  var appliesOnDeleteWhenParentIsMissing: Bool { get }

  /// A person set these columns of the row, which is in `record` already.
  func noteEdit(of columns: Set<String>, in record: inout DeviceRecord, at time: Int64)
  func noteDeletion(in record: inout DeviceRecord, at time: Int64)

  /// What goes out for a pending record; nil if there is nothing to send.
  func upload(of record: inout DeviceRecord, at site: Site) -> Upload?
  func receive(_ answer: Answer, for record: inout DeviceRecord, at site: Site) -> Event
  /// What a fetch brought.
  func receive(_ incoming: Incoming, for record: inout DeviceRecord, at site: Site) -> Event

  func conflict(of record: DeviceRecord, at site: Site) -> RecordConflict?
  func resolve(_ record: inout DeviceRecord, _ resolution: Resolution, at site: Site) -> Event
}

/// When something is done at a device, and by which rules.
struct Turn {
  let rules: any SyncRules
  let time: Int64
}

/// Which record is meant, what its table looks like, and what the device's clock says.
struct Site: Sendable {
  let name: RecordID
  let table: Table
  let now: Int64
}
