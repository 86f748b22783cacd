import KeyedArchives
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// What the engine is to find in the metadata and in its queue.
extension WritePlan {
  struct Aim {
    enum Ancestor {
      case kept, none
      case advanced([UInt8])
    }

    enum Metadata {
      case removed
      case kept(isDeleted: Bool)
    }

    var ancestor = Ancestor.kept
    var metadata = Metadata.kept(isDeleted: false)
    var time: Int64
    var queued: PendingZoneChange.Kind?
  }

  func aim(_ row: RowImage?) -> Aim {
    if state.inbox.isUndoneDeletion(by: state.metadata) { return backOnServer(row) }
    return switch (state.conflict.versions.server, row) {
    case (.present, .some) where isForgotten: Aim(ancestor: .none, time: newTime(of: row), queued: .save)
    case (.present(let server), let row?): save(row, over: server)
    case (.deleted, .some), (.absent, .some): Aim(ancestor: .none, time: newTime(of: row), queued: .save)
    case (.unknown, .some): Aim(time: newTime(of: row), queued: .save)
    case (.deleted, nil), (.absent, nil): Aim(metadata: .removed, time: oldTime)
    case (.present, nil), (.unknown, nil):
      Aim(metadata: .kept(isDeleted: true), time: newTime(of: row), queued: .delete)
    }
  }

  /// What becomes of it on the server. A save that the app queued before stays queued, and nobody knows what it sends.
  ///
  /// - Parameter made: what the rows became.
  func upload(of made: [StoredChange]) -> UploadForecast? {
    if aim(row(in: made)).queued != nil { return .atNextLaunch }
    let isQueued = !session.queue.entries(of: state.inbox.recordName).isEmpty
    return draft.action != .delete && isQueued ? nil : .notNeeded
  }

  /// The same of a draft that the app applies. Of what is gone on both sides there is nothing to be sent.
  var uploadByTheApp: UploadForecast {
    if case .removed = aim(row).metadata { .notNeeded } else { .byTheApp }
  }

  /// What was captured had metadata. The engine forgets a record as it sends its deletion, or fetches one, and the server has it no more: to
  /// write over what it had there would be an update of nothing.
  private var isForgotten: Bool { state.metadata == nil && state.inbox.isCaptured }

  /// The server has the record again, and both sides have agreed on it since.
  private func backOnServer(_ row: RowImage?) -> Aim {
    guard let row else {
      return Aim(metadata: .kept(isDeleted: true), time: newTime(of: row), queued: .delete)
    }
    let differs = differs(row, from: ancestor?.version.fields ?? [:])
    return Aim(time: differs ? newTime(of: row) : oldTime, queued: differs ? .save : nil)
  }

  private func save(_ row: RowImage, over server: RecordVersion.Fields) -> Aim {
    let basis = basis(of: row, over: server)
    // What the engine has nothing of to the server's record it takes for never sent: sent, it is told what the server has.
    let differs =
      differs(row, from: basis.fields) || (basis.archive == nil && state.metadata?.allFields == nil)
    return Aim(
      ancestor: basis.archive.map { .advanced($0) } ?? .kept,
      time: differs ? newTime(of: row) : timeOfTakingIn(basis.record),
      queued: differs || isDeletionQueued ? .save : nil)
  }

  /// What came as JSON, with the ancestor's fields where it does not tell them.
  func completed(_ server: RecordVersion.Fields) -> RecordVersion.Fields {
    (ancestor?.version.fields ?? [:]).merging(server) { _, server in server }
  }

  private var oldTime: Int64 { state.metadata?.modificationTime ?? 0 }

  private func newTime(of row: RowImage?) -> Int64 {
    WriteTime.time(of: row, now: session.now, after: knownTimes)
  }

  private var knownTimes: [Int64] {
    let versions = state.conflict.versions
    let sides = [versions.ancestor, versions.client, versions.server].compactMap(\.self).flatMap(\.times)
    let archives = [ancestor, state.server].compactMap(\.self).flatMap(\.times)
    return sides + archives + [oldTime]
  }

  /// Of what is sent with an equal time nobody would ever hear.
  ///
  /// - Throws: ``Refusal``
  func checkTime(_ aim: Aim) throws {
    guard aim.queued == .save, knownTimes.contains(.max) else { return }
    throw Refusal(
      nil, "one of its times is the last that there is, in 2262: no other device would take an edit after it")
  }

  /// A column that an update of the app has changed is set to the ancestor's value as the app starts. A draft in the outbox is applied after
  /// that.
  ///
  /// - Throws: ``Refusal``
  func checkStart(_ aim: Aim, _ row: RowImage?) throws {
    guard let row else { return }
    let changed = try session.records.tables.changedColumns(of: shape.name, in: session.db)
    guard !changed.isEmpty, let set = fields(of: aim.ancestor) else { return }
    let lost = changed.sorted().first { name in
      guard let set = set[name]?.value, let value = row[name] else { return false }
      return !value.isRecorded(as: set)
    }
    if let lost { throw Refusal(lost, WritePlan.setAtStart) }
  }

  private func fields(of aim: Aim.Ancestor) -> RecordVersion.Fields? {
    switch aim {
    case .kept: ancestor?.version.fields
    case .none: nil
    case .advanced(let bytes): ArchivedVersion(bytes, shape: shape)?.version.fields
    }
  }

  static let setAtStart = """
    the app was updated and has not started since: as it starts it sets this column to what it last had from the server. Let it start \
    once, and write then
    """

  /// The app's own, for a record that it only takes in. A later one would be a claim to an edit that nobody made: the next
  /// upload gives it to every blob of the row, whether it differs or not, and so wins over an edit made elsewhere meanwhile.
  private func timeOfTakingIn(_ record: ArchivedVersion?) -> Int64 {
    max(oldTime, record?.record?.modificationTime ?? 0)
  }

  private var isDeletionQueued: Bool {
    state.metadata?.isDeleted == true
      || session.queue.changes(of: state.inbox.recordName, in: state.metadata?.zone)
        .contains { $0.kind == .delete }
  }

  /// The metadata's ancestor, if the app received it after the record in the inbox.
  var newerAncestor: ArchivedVersion? {
    guard let ancestor, ancestor.version.isPresent, let server = state.server else { return nil }
    let ancestorTag = state.inbox.isCaptured ? state.conflict.details.ancestorTag : nil
    return ancestor.stamp.isNewer(than: server.stamp, ancestorTag: ancestorTag) ? ancestor : nil
  }

  /// Whether any column is to be uploaded over `record`. A field that a record does not know counts as NULL.
  private func differs(_ row: RowImage, from record: RecordVersion.Fields) -> Bool {
    row.contains { $0.key != key.name && !$0.value.isRecorded(as: record[$0.key]?.value ?? .null) }
  }
}
