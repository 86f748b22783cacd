import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// A copy of one store of a story, in which Parley does what it was told there.
final class PlayedStory {
  let folder: TestFolder
  let store: SQLiteDataStore
  let files: StoreFilesInspector
  let stop: EngineStory.Stop
  /// Nanoseconds since 1970: just after the app ran last. Clocks that were ahead in the story are ahead of it.
  let now: Int64
  private var choices: [String: [Subject: Choice]] = [:]
  private var accepted: [String: Certainty] = [:]

  /// - Parameter at: the folder of the store; by default the first in which Parley was told to change anything.
  init(_ story: EngineStory, at place: String? = nil, route: WriteRoute = .direct) throws {
    let changing = story.stops.first { $0.told.contains(where: EngineStory.isChange) } ?? story.stops.first
    stop = try #require(place.map { place in story.stops.first { $0.store == place } } ?? changing)
    folder = try TestFolder()
    try folder.copyContents(of: "\(EngineStory.folder)/\(story.name)/\(stop.store)")
    let path = folder.path("App.sqlite")
    files = try StoreFilesInspector(path)
    let now = try PlayedStory.time(files)
    self.now = now
    store = try SQLiteDataStore.open(path: path, access: .writing, route: route, clock: { now })
  }

  convenience init(_ name: String, at place: String? = nil, route: WriteRoute = .direct) throws {
    try self.init(EngineStory(name), at: place, route: route)
  }

  private static func time(_ files: StoreFilesInspector) throws -> Int64 {
    let launches = try? files.value("SELECT max(time) + 1000000000 FROM parley_since")
    let edits = "SELECT max(userModificationTime) FROM \(Metadatabase.metadata)"
    guard case .integer(let time)? = try launches ?? files.value(edits) else { return 0 }
    return time
  }

  /// Does all that Parley was told here, and returns what became of each record.
  func play() throws -> [CheckedWrite] { try stop.told.flatMap(play) }

  private func play(_ command: String) throws -> [CheckedWrite] {
    let words = command.split(separator: " ")
    switch words.first {
    case "resolve": try resolve(command)
    case "write": return try store.write(planned(), note: nil)
    case "doctor" where words.contains("--mend"): return try store.mend(mendable(), note: nil)
    case "undo": return try store.undoLastWrite()
    default: break
    }
    return []
  }

  private func mendable() throws -> [Finding.ID] {
    try findings(of: store).filter { $0.canBeMended != nil }.map(\.id)
  }

  private func planned() throws -> [PlannedWrite] {
    try Set(choices.keys).union(accepted.keys).sorted().map { id in
      let conflict = try store.conflict(id)
      let resolution = Resolution(choices: choices[id] ?? [:])
      let draft = conflict.draft(
        accepted[id].map { conflict.accepting($0, in: resolution) } ?? resolution)
      return PlannedWrite(seen: conflict, draft: try #require(draft, "\(id) is decided"))
    }
  }

  /// `resolve r1:reminders --set title=client --set notes=Any text --accept sure`
  private func resolve(_ command: String) throws {
    let parts = command.split(separator: " --")
    let id = String(parts[0].dropFirst("resolve ".count))
    for part in parts.dropFirst() {
      let words = part.split(separator: " ", maxSplits: 1)
      if words[0] == "accept" { accepted[id] = words[1] == "sure" ? .sure : .yours }
      guard words[0] == "set", let equals = words[1].firstIndex(of: "=") else { continue }
      let name = String(words[1][..<equals])
      let value = String(words[1][words[1].index(after: equals)...])
      let choice = Side(rawValue: value).map(Choice.take) ?? .edit(.text(value))
      choices[id, default: [:]][name == "record" ? .record : .field(name)] = choice
    }
  }
}

/// What the engine will find in the files.
extension PlayedStory {
  /// One record as the engine sees it at its next start.
  struct Record {
    let row: RowImage?
    let metadata: MetadataRow?
    let ancestor: RecordVersion.Fields
    let pending: [PendingZoneChange.Kind]

    /// What the engine would put into an upload: where the row differs from the ancestor, and the ancestor's time is not
    /// later. A field that has no time yet can always be set.
    func isSent(_ field: String) -> Bool {
      guard pending == [.save], let row, let time = metadata?.modificationTime else { return false }
      return row[field] != ancestor[field]?.value ?? .null && ancestor[field]?.time ?? -1 <= time
    }
  }

  func record(_ id: String) throws -> Record {
    let name = try #require(RecordName(id))
    let pending = try files.pending(id).map(\.kind)
    return try store.read { db in
      let shape = try store.tables.shape(of: name.table, in: db)
      let metadata = try MetadataRow.of(name, in: db)
      return Record(
        row: try shape?.row(of: name, in: db), metadata: metadata,
        ancestor: ArchivedVersion(metadata?.allFields, shape: shape)?.version.fields ?? [:], pending: pending)
    }
  }

  /// What the server is known to have or to have had of a record in the list: the record that came in, and the ancestor.
  func serverVersions(_ id: String) throws -> [RecordVersion.Fields] {
    let server = try store.conflict(id).versions.server.fields
    return try [server, record(id).ancestor].compactMap(\.self)
  }

  /// What doctor tells of one record.
  func found(_ id: String) throws -> [String] {
    let name = try #require(RecordName(id))
    return try findings(of: store).filter { $0.record == name.primaryKey && $0.table == name.table }.map(
      \.what)
  }

  func listed() throws -> [String] { try summaries(of: store).map(\.id) }
}
