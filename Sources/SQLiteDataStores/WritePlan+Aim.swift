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
    case (.present, .some) where isForgotten: Aim(ancestor: .none, time: newTime, queued: .save)
    case (.present(let server), let row?): save(row, over: server)
    case (.deleted, .some), (.absent, .some): Aim(ancestor: .none, time: newTime, queued: .save)
    case (.unknown, .some): Aim(time: newTime, queued: .save)
    case (.deleted, nil), (.absent, nil): Aim(metadata: .removed, time: oldTime)
    case (.present, nil), (.unknown, nil):
      Aim(metadata: .kept(isDeleted: true), time: newTime, queued: .delete)
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

  /// What was captured had metadata. The engine forgets a record as it sends its deletion, and the server has it no more: to
  /// write over what it had there would be an update of nothing.
  private var isForgotten: Bool { state.metadata == nil && state.inbox.isCaptured }

  /// The server has the record again, and both sides have agreed on it since.
  private func backOnServer(_ row: RowImage?) -> Aim {
    guard let row else { return Aim(metadata: .kept(isDeleted: true), time: newTime, queued: .delete) }
    let differs = differs(row, from: ancestor?.version.fields ?? [:])
    return Aim(time: differs ? newTime : oldTime, queued: differs ? .save : nil)
  }

  private func save(_ row: RowImage, over server: RecordVersion.Fields) -> Aim {
    let newer = newerAncestor.flatMap { isRefusedElsewhere(row, as: $0, against: server) ? nil : $0 }
    let upload = newer?.version.fields ?? (state.inbox.serverRecord == nil ? completed(server) : server)
    let archive = newer == nil ? state.inbox.serverRecord : nil
    // What the engine has nothing of to the server's record it takes for never sent: sent, it is told what the server has.
    let differs = differs(row, from: upload) || (archive == nil && state.metadata?.allFields == nil)
    return Aim(
      ancestor: archive.map { .advanced($0) } ?? .kept,
      time: differs ? newTime : timeOfTakingIn(newer ?? state.server),
      queued: differs || isDeletionQueued ? .save : nil)
  }

  /// What came as JSON, with the ancestor's fields where it does not tell them.
  private func completed(_ server: RecordVersion.Fields) -> RecordVersion.Fields {
    (ancestor?.version.fields ?? [:]).merging(server) { _, server in server }
  }

  private var oldTime: Int64 { state.metadata?.modificationTime ?? 0 }

  private var newTime: Int64 { WriteTime.time(now: session.now, after: knownTimes) }

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

  /// The app's own, for a record that it only takes in. A later one would be a claim to an edit that nobody made: the next
  /// upload gives it to every blob of the row, whether it differs or not, and so wins over an edit made elsewhere meanwhile.
  private func timeOfTakingIn(_ record: ArchivedVersion?) -> Int64 {
    max(oldTime, record?.record?.modificationTime ?? 0)
  }

  private var isDeletionQueued: Bool {
    state.metadata?.isDeleted == true
      || session.queue.entries(of: state.inbox.recordName).contains { $0.change?.kind == .delete }
  }

  /// The metadata's ancestor, if the app received it after the record in the inbox.
  private var newerAncestor: ArchivedVersion? {
    guard let ancestor, ancestor.version.isPresent, let server = state.server else { return nil }
    let ancestorTag = state.inbox.isCaptured ? state.conflict.details.ancestorTag : nil
    return ancestor.stamp.isNewer(than: server.stamp, ancestorTag: ancestorTag) ? ancestor : nil
  }

  /// Whether a value of the row is on the server since, with a time that is not later than that of the value it replaced:
  /// whoever has that one refuses this one, and to the app there is nothing left to send. With the record of before as the
  /// ancestor the app sends it once more; the server's answer, that this ancestor is old, brings the tag it needs, and is no
  /// news: see ``EarlierDecisions``.
  private func isRefusedElsewhere(
    _ row: RowImage, as newer: ArchivedVersion, against server: RecordVersion.Fields
  ) -> Bool {
    guard state.inbox.serverRecord != nil, let known = newer.version.fields else { return false }
    return server.contains { name, refusing in
      let value = row[name] ?? .null
      guard value != refusing.value, let sent = known[name], sent.value == value else { return false }
      return sent.time ?? .min <= refusing.time ?? .min
    }
  }

  /// Whether any column is to be uploaded over `record`. A field that a record does not know counts as NULL.
  private func differs(_ row: RowImage, from record: RecordVersion.Fields) -> Bool {
    row.contains { $0.key != key.name && $0.value != record[$0.key]?.value ?? .null }
  }
}

/// The time that a write gives a record, in nanoseconds since 1970.
///
/// The app sends a field only if its time in the ancestor is not later than the record's. But the device that receives it takes
/// it only if its time is later than the one that device knows: at equal times each keeps its own value, for ever, and
/// nothing tells. So a write is one later than all that is known of the record, from whichever side it came. That is more
/// than now where the clock of some device was ahead; and never more than needed, as what is set too late makes later edits
/// of right clocks lose.
enum WriteTime {
  static func time(now: Int64, after known: some Sequence<Int64>) -> Int64 {
    guard let newest = known.max() else { return now }
    // At the end of time itself nothing can be later.
    return max(now, newest == .max ? .max : newest + 1)
  }
}

extension RecordVersion {
  var times: [Int64] { fields?.values.compactMap(\.time) ?? [] }
}

extension ArchivedVersion {
  /// Of its fields, and of the record as a whole.
  var times: [Int64] { version.times + [record?.modificationTime].compactMap(\.self) }
}
