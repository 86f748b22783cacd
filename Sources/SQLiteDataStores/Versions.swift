import ExactJSON
import KeyedArchives
import Merging
import SQLiteFiles
import StoreInterface

/// The three versions of a record, put together from inbox, row and metadata.
///
/// Where triggers captured a record, the engine has already merged it when we look: the ancestor in the metadata may be
/// ahead, and the row may hold server values that no person here ever saw. Then what was captured counts:
/// - the ancestor is the captured one, or there was none;
/// - a field whose value is now the server's, and was another one, was applied by the engine: the captured value is the
///   client's, and where the engine would not do so nobody knows: see ``BackAtServers``. Any other value that differs from the captured one is a later edit, and counts; where the engine had taken the
///   server's before, that is its ancestor: see ``CaptureChain/taken(before:_:_:_:)``. So does the captured one where the engine had taken
///   the server's: see ``CaptureChain/setBack(now:at:_:_:)``. Nothing tells that from a row that was never merged, so it has no ancestor;
/// - a row that is gone with its metadata was deleted by nobody knows whom: see ``isGoneSince``;
/// - a row that is gone while the server says deleted was removed by the engine: the captured row is the client's;
/// - one that is there again was made of the record that came back, which is the server's then: see ``returned``.
///
/// An ancestor that the server never confirmed is none: the engine keeps what it sends as the last-known record before there
/// is an answer.
///
/// Records that came in one on top of the other, with nothing decided between, are one conflict: see ``CaptureChain``.
///
/// An ancestor that the app received after the server's record says nothing about that record: what the ancestor has and
/// the record has not would look like a change made there. Then there is no ancestor to merge with.
struct Versions {
  let inbox: InboxRow
  let shape: TableShape?
  /// With generated columns.
  let row: RowImage?
  let metadata: MetadataRow?
  let serverArchive: ArchivedVersion?
  private let ancestorArchive: ArchivedVersion?
  /// The record that the server has again, after the engine took the row away for its deletion: a new one to it, of which it made
  /// the whole row. Nothing that was captured with the deletion is in there.
  private let returned: ArchivedVersion?
  private let captured: Captured
  private let isDeletionQueued: Bool
  private let chain: CaptureChain
  /// The fields that somebody set back after the engine's merge, by the places of the records in the chain.
  private let setBack: [String: Int]
  /// What the row has neither of this record nor of what was captured with it.
  let edited: [String]
  /// What the row has of this record, and had not.
  private let back: BackAtServers
  /// Whether the metadata's ancestor is newer than this server record.
  private let isOutdated: Bool
  /// Why one of the versions is, or may be, of another record of the same name: this one was deleted in between, or moved. nil where that is not so.
  private let anew: AnotherRecord?
  /// Whether that is the row.
  private let isRowAnew: Bool
  /// Whether the row was deleted here and is there again, and that deletion is not sent.
  private let isOverDeletion: Bool
  private let clocks: ClockEvidence?

  private enum Captured {
    case no
    case row(RowImage)
    case noRow
    case unreadable(String)

    var row: RowImage? { if case .row(let row) = self { row } else { nil } }

    var isNoRow: Bool { if case .noRow = self { true } else { false } }
  }

  /// - Parameters:
  ///   - earlier: the captured rows before `inbox`, newest first.
  ///   - server: what `inbox` holds, if that was read already.
  ///   - known: the same of what the metadata have.
  ///   - isDeletionQueued: whether the deletion of the record waits to be sent.
  ///   - isGivenUp: whether the engine gave up a save of this very row.
  init(
    inbox: InboxRow, earlier: [InboxRow] = [], shape: TableShape?, row: RowImage?, metadata: MetadataRow?,
    server: ArchivedVersion? = nil, known: ArchivedVersion? = nil, isDeletionQueued: Bool = false,
    isGivenUp: Bool = false
  ) {
    (self.inbox, self.shape, self.row, self.metadata) = (inbox, shape, row, metadata)
    self.isDeletionQueued = isDeletionQueued
    captured = Versions.captured(inbox, metadata, shape)
    chain = CaptureChain(inbox, captured.row, earlier: earlier, metadata: metadata, shape: shape)
    let ancestor =
      inbox.isCaptured
      ? ArchivedVersion(chain.ancestorRecord, shape: shape)
      : known ?? ArchivedVersion(metadata?.allFields, shape: shape)
    ancestorArchive = ancestor?.agreed
    returned = row.flatMap { [chain] in Versions.returned(since: inbox, chain, in: $0, metadata, shape) }
    serverArchive =
      server ?? ArchivedVersion(inbox.serverRecord, shape: shape)
      ?? ArchivedVersion(json: inbox.serverJSON, shape: shape)?.recognizing(assetsOf: ancestorArchive)
      ?? returned
    setBack = chain.setBack(now: row, at: metadata?.modificationTime, serverArchive, shape)
    let (link, isAlone, isWhole) = (chain.links[0], chain.links.count == 1, returned != nil)
    let changed = row.map { [serverArchive] in link.changed(in: $0, serverArchive) }
    edited = changed?.others ?? []
    back = link.back(changed?.servers ?? []) { [ancestorArchive] in
      if isWhole { return nil }
      return isAlone ? ancestorArchive : ArchivedVersion(inbox.ancestorRecord, shape: shape)
    }
    let newest = Versions.known(beside: inbox, serverArchive, metadata)
    isOutdated = Versions.isOutdated(inbox, serverArchive, ancestorArchive, newest)
    let rowMade = AnotherRecord.made(newest, since: serverArchive)
    isRowAnew = rowMade != nil
    let isUnknown =
      captured.row != nil && row != nil && !isGivenUp
      && AnotherRecord.isUnknownToApp(inbox, serverArchive, metadata)
    // One that came back is no news: what was edited before the deletion has no ancestor, and all else has its own.
    let serverMade =
      returned == nil ? AnotherRecord.made(serverArchive?.record, since: ancestorArchive) : nil
    isOverDeletion =
      row != nil && metadata?.isDeleted == true && !captured.isNoRow && (!inbox.isDeleted || returned != nil)
    anew =
      rowMade ?? serverMade ?? (isUnknown ? .notKnownToBeIt : isOverDeletion ? .overDeletion : nil)
    // An import is received by the clock of whoever imports it, and when a record came back nobody has noted.
    clocks = ClockEvidence(
      [serverArchive, ancestorArchive],
      receivedAt: inbox.isCaptured && returned == nil ? inbox.receivedAt : nil)
    setOnceMore = madeSetOnceMore
  }

  /// Whether another device made it again or this one, of the row that is there, nobody can tell. The save that undid a deletion has made it
  /// with the edit: that one is no news before something else has taken the edit's place.
  private static func returned(
    since inbox: InboxRow, _ chain: CaptureChain, in row: RowImage, _ metadata: MetadataRow?,
    _ shape: TableShape?
  ) -> ArchivedVersion? {
    guard chain.links[0].row != nil, inbox.isUndoneDeletion(by: metadata),
      let archive = ArchivedVersion(metadata?.allFields, shape: shape), let newest = archive.version.fields
    else { return nil }
    let isNews =
      inbox.path == "fetch"
      || !chain.edits(shape, givenWayTo: newest, in: row, at: metadata?.modificationTime).isEmpty
    return isNews ? archive : nil
  }

  /// Whether the server has no record, as far as is known here.
  private var isDeletion: Bool { inbox.isDeleted && returned == nil }

  /// The metadata's ancestor, where that is the conflict's.
  var metadataArchive: ArchivedVersion? { inbox.isCaptured ? nil : ancestorArchive }

  private static func captured(
    _ inbox: InboxRow, _ metadata: MetadataRow?, _ shape: TableShape?
  ) -> Captured {
    guard inbox.isCaptured else { return .no }
    do {
      return try inbox.capturedRow(metadata, shape).map(Captured.row) ?? .noRow
    } catch {
      return .unreadable("\(error)")
    }
  }

  /// The rows of the app's inbox that the conflict is made of.
  var madeOf: [Int64] { inbox.place == .app ? chain.ids : [] }

  var threeWay: ThreeWay<RecordVersion> {
    let ancestor = base?.without(withoutAncestor)
    let (mine, blobs) = (client(ancestor: ancestor ?? .absent), blobsAtHand)
    // Nobody agreed on what the app put into the server's record against the server.
    let agreed = ancestor?.without(Set(ancestorArchive?.refusedFields ?? []))
    return ThreeWay(
      ancestor: agreed?.recognizing(blobs), client: mine, server: server.recognizing(blobs))
  }

  /// What the row has, and had. The engine may have taken the server's blob into it already.
  private var blobsAtHand: [Blob] {
    var rows = [row].compactMap(\.self)
    if let captured = captured.row { rows.append(captured) }
    return rows.joined().compactMap { if case .blob(let blob) = $0.value { blob } else { nil } }
  }

  private var server: RecordVersion {
    if isDeletion { return .deleted(time: inbox.receivedAt) }
    if let newest = newestOfPutBack ?? newestOfAnew { return .present(newest) }
    return serverArchive?.version.replacing(newestOverEdits).replacing(setOnceMore)
      ?? .unknown(reason: "the server's record was not kept")
  }

  private func client(ancestor: RecordVersion) -> RecordVersion {
    guard shape == nil || shape?.singleKey != nil else {
      return .unknown(reason: "the table's primary key is not a single column")
    }
    guard let values = clientRow else { return missingClient }
    // A row that is made again under the mark of its deletion leaves the time as it was.
    let now = isOverDeletion ? nil : metadata?.modificationTime
    guard case .row(let captured) = captured else {
      return .client(row: values, modificationTime: now, ancestor: ancestor)
    }
    let edited = RecordVersion.client(row: values, modificationTime: now, ancestor: ancestor)
    guard var fields = edited.fields else { return edited }
    for (name, value) in values
    where (captured[name] == value || row?[name] != value) && ancestor.fields?[name]?.value != value {
      fields[name]?.time = chain.clientTime(of: name, value, since: setBack[name]) ?? now
    }
    return .present(fields)
  }

  /// Whether the record is gone since it came in, and nothing tells who deleted it: as a deletion that was made here is sent, and as one that
  /// is fetched, the engine forgets the record, and it leaves nothing else. Before that the metadata have a mark, and until the server has
  /// answered the deletion is queued. Of a row that was edited and not sent the inbox has the fetched one.
  private var isGoneSince: Bool {
    guard case .row = captured, shape != nil, row == nil, metadata == nil else { return false }
    return !inbox.isDeleted && !isDeletionQueued
  }

  private var missingClient: RecordVersion {
    let time = deletionTime
    if metadata?.isDeleted == true { return .deleted(time: time) }
    if shape == nil { return .unknown(reason: "the app database has no table for it") }
    switch captured {
    case .noRow: return .deleted(time: time)
    // Since it was captured, and nobody has noted when: the times here are of the last edit.
    case .row: return .deleted(time: nil)
    // The app marks what it deletes: without a mark the row may as well never have been stored.
    case .no, .unreadable: return .absent
    }
  }

  /// The engine puts a row back that was deleted here. Where there is none it was deleted once more, after the metadata's time.
  private var deletionTime: Int64? {
    let now = metadata?.modificationTime
    if case .noRow = captured, row == nil, let now, now > inbox.receivedAt { return now }
    return inbox.clientTime ?? now
  }

  /// The values that a person here made or saw; nil if the client has no row.
  private var clientRow: RowImage? {
    switch (captured, row) {
    case (.row(let captured), nil):
      inbox.isDeleted || isGoneSince ? chain.unapplied(captured, shape).row : nil
    case (.row, let row?): anew == nil ? unapplied(row).row : row.merging(editsOfBefore) { $1 }
    case (.noRow, let row?): newestOfPutBack != nil || !isRowAnew && isApplied(row) ? nil : row
    case (.no, _), (.unreadable, _), (.noRow, nil): row
    }
  }

  private func unapplied(_ row: RowImage) -> CaptureChain.Unapplied {
    chain.unapplied(chain.links[0].unapplied(row, back.captured), shape)
  }

  /// The fields of which the row has what came in, and nobody knows whether somebody here has set it.
  private var notKnown: [String] {
    guard let row, chain.links.count > 1 else { return back.notKnown }
    return back.notKnown + unapplied(row).notKnown
  }

  /// Those of which the app knows the same value with a later time: whoever has set that, it is the newest.
  private var setOnceMore: [String: FieldVersion<Value>] = [:]

  private var madeSetOnceMore: [String: FieldVersion<Value>] {
    let names = notKnown
    // Of nearly every record the app knows by now what came in.
    guard !names.isEmpty, metadata?.allFields != inbox.serverRecord, let row,
      let came = serverArchive?.version.fields, let newest
    else { return [:] }
    return newest.setOnceMore(names, in: row, since: came)
  }

  /// Of a record that was made anew the engine's row is whole the server's, and only what was edited before is the client's.
  private var editsOfBefore: RowImage {
    guard anew != nil, let row else { return [:] }
    let (came, later) = (server.fields, newestOverEdits)
    return chain.edits(shape).filter { name, value in
      later[name] != nil || row[name].map { $0 != value && $0 == came?[name]?.value } ?? false
    }
  }

  /// What the app knows of the server's by now.
  private var newest: RecordVersion.Fields? {
    ArchivedVersion(metadata?.allFields, shape: shape)?.version.fields
  }

  /// The same of a row that was deleted here, where the engine has put it back, and has made all of it of that: the deletion still waits.
  private var newestOfPutBack: RecordVersion.Fields? {
    guard captured.isNoRow, let row, let metadata, metadata.isDeleted, let newest,
      let came = serverArchive?.version.fields,
      newest.isAll(of: row, after: came, at: metadata.modificationTime)
    else { return nil }
    return newest
  }

  /// The same of a record that was made anew since: of the one that came in the server has nothing any more, and of values that are the same it
  /// has other times.
  private var newestOfAnew: RecordVersion.Fields? {
    isRowAnew && serverArchive?.version.isPresent == true ? newest : nil
  }

  /// What the server has against these edits, where the row has that by now in place of the record that came in over them: be it the same value,
  /// which was set once more then. A row that is made of a record has the time of that.
  private var newestOverEdits: [String: FieldVersion<Value>] {
    guard anew != nil, let row, let newest else { return [:] }
    let time = isRowAnew ? nil : metadata?.modificationTime
    let edits = chain.edits(shape, givenWayTo: newest, in: row, at: time)
    return edits.keys.reduce(into: [:]) { $0[$1] = newest[$1] }
  }

  /// The ancestor, with what the engine had taken before the edits.
  private var base: RecordVersion? {
    let known = unknownAncestor.map { .unknown(reason: $0) } ?? ancestorArchive?.version
    return known?.replacing(bases)
  }

  private var bases: [String: FieldVersion<Value>] { chain.taken(before: row, edited, server, shape) }

  /// The fields of which it is none.
  private var withoutAncestor: Set<String> {
    // Of nearly every record it is that of all.
    if setBack.isEmpty, back.notKnown.isEmpty, edited.isEmpty, chain.links.count == 1, returned == nil {
      return []
    }
    let base = base
    return Set(setBack.keys).union(notKnown.filter { isTheClientsAlone($0, base) })
      .union(chain.setToAncestors(row, edited, base, server)).union(ofBeforeTheDeletion).union(bytesNotHere)
  }

  /// The fields in which the row has NULL, and had not, where the record that came in has bytes: the engine writes that where their file was
  /// not there as it took the record in, and somebody may have taken them away since.
  private var bytesNotHere: [String] {
    guard captured.row != nil, let row else { return [] }
    return edited.filter { row[$0] == .null && serverValue($0)?.isBlob == true }
  }

  /// What was edited before a deletion, of a record that is there again: as this device itself may have made it, nobody knows whether that
  /// stands.
  private var ofBeforeTheDeletion: [String] {
    guard returned != nil, captured.row != nil, ancestorArchive?.version.isPresent == true else { return [] }
    return Array(chain.edits(shape).keys)
  }

  /// Whether only the client would have changed a field: of one of which nobody knows whether that stands, it would be sure.
  private func isTheClientsAlone(_ name: String, _ ancestor: RecordVersion?) -> Bool {
    serverValue(name) == ancestor?.fields?[name]?.value
  }

  /// Whether the engine made this row of the server's record.
  private func isApplied(_ row: RowImage) -> Bool {
    guard let fields = serverArchive?.version.fields else { return false }
    return fields.allSatisfy { row[$0.key] == $0.value.value }
  }

  /// What the row has and the server's record does not.
  var ownOfRow: RowImage? {
    let came = server.fields
    return row?.filter { name, value in value != .null && came?[name]?.value != value }
  }

  private func serverValue(_ name: String) -> Value? { serverArchive?.version.fields?[name]?.value }

  /// Fields of a record whose table is not here.
  var fieldsWithoutTable: [Field] {
    let names = [serverArchive, ancestorArchive].compactMap { $0?.version.fields?.keys }.joined()
    return Set(names).sorted().map { Field($0) }
  }

  func details(isSynced: Bool?) -> RecordConflict.Details {
    var details = RecordConflict.Details(
      ancestorTag: ancestorArchive?.stamp.tag, serverTag: serverArchive?.stamp.tag,
      serverDevice: serverArchive?.device, receivedAt: inbox.receivedAt, notes: notes,
      notWritable: notWritable(isSynced: isSynced), ancestorNotChoosable: ancestorNotChoosable)
    details.isMetOnSend = inbox.path == "send" && returned == nil
    details.clocksApart = clocks?.apart
    details.isGoneSince = isGoneSince
    details.withoutPolicy = withoutPolicy
    if case .row = captured, !isDeletion { details.mergedRow = rowAsMerged }
    return details
  }

  /// Without what was edited after the merge.
  private var rowAsMerged: RowImage? {
    if edited.isEmpty, setBack.isEmpty { return row }
    let before = editsOfBefore
    return row?.filter { name, _ in
      before[name] != nil || setBack[name] == nil && !edited.contains(name)
    }
  }

  /// Where there was an ancestor, and this is not known to be it. Of a record that both made there is none, which policies know; but what was
  /// edited upon a value that the engine took has that for one, and is no edit beside it.
  private var withoutPolicy: Set<String> {
    if unknownAncestor != nil { return Set(server.fields?.keys ?? []) }
    let upon = ancestorArchive?.version.isPresent == true ? [:] : bases
    return withoutAncestor.union(upon.keys).union(notKnown)
  }

  /// The fields of which the app has received another value of the server since, which the row has: somebody made it upon what this device had
  /// sent, so that the server's one of the conflict is older than both.
  var superseded: Set<String> {
    guard isOutdated, let captured = captured.row, let row, let old = server.fields, let newest else {
      return []
    }
    return Set(
      captured.keys.filter { name in
        let now = row[name]
        return now == newest[name]?.value && now != captured[name] && now != old[name]?.value
      })
  }

  /// Those that were edited upon the server's value, which the engine had put in the place of an edit: of both no policy knows, as it takes them
  /// for edits of one ancestor.
  func madeUponTheServers(in before: RowImage) -> [String] {
    edited.filter { name in before[name].map { $0 == serverValue(name) } ?? false }
  }

  private func notWritable(isSynced: Bool?) -> String? {
    guard RecordName(inbox.recordName) != nil else { return "the record's name names no table" }
    guard let shape else { return "the app database has no table for it; a newer app may" }
    if shape.singleKey == nil { return "the table's primary key is not a single column" }
    return isSynced == false ? "the table is not among those that sync" : nil
  }

  private var ancestorNotChoosable: String? {
    if inbox.isDeleted || (server.isPresent && inbox.serverRecord != nil) { return nil }
    return
      "without the server's archive the ancestor cannot be advanced, and the app would overwrite this value again"
  }

  private var notes: [String] {
    var notes: [String] = []
    if !bytesNotHere.isEmpty { notes.append(Versions.notHere(bytesNotHere.sorted())) }
    if isEditedSince { notes.append("the row was edited after this record came in") }
    if isGoneSince { notes.append(Versions.goneSince) }
    if isWithoutArchive { notes.append(Versions.withoutArchive) }
    if returned != nil {
      notes.append(inbox.path == "fetch" ? Versions.madeAgain : Versions.savedAgain)
    } else if inbox.isUndoneDeletion(by: metadata) {
      notes.append(Versions.backOnServer)
    }
    if isOutdated, anew == nil || anew == .overDeletion {
      notes.append("the app has received a newer version of this record since; that one stays the ancestor")
    }
    if case .unreadable(let reason) = captured {
      notes.append("the captured row cannot be read (\(reason)); the row as it is now counts")
    }
    if let clocks { notes.append("\(clocks.words); edits less apart than that are to decide") }
    if let reason = unknownAncestor {
      notes.append("ancestor not known: \(reason)")
    } else if ancestorArchive == nil, !isDeletion {
      notes.append(mayHaveMoved ? Versions.withoutAncestorHere : Versions.neverAgreed)
    }
    if let names = serverArchive?.unknownFields, shape != nil, !names.isEmpty {
      notes.append("the server's record has fields that this table has not: \(names.joined(separator: ", "))")
    }
    if let names = ancestorArchive?.unknownFields, isDeletion, shape != nil, !names.isEmpty {
      notes.append(
        "the record had fields that this table has not, and is made anew without them if it is kept: "
          + names.joined(separator: ", "))
    }
    return notes
  }

  private var isWithoutArchive: Bool {
    !inbox.isDeleted && inbox.serverRecord == nil && inbox.serverJSON != nil
  }

  /// The engine forgets the ancestors of all that belong to a record that moves to another zone.
  private var mayHaveMoved: Bool {
    inbox.isCaptured && inbox.path == "fetch" && serverArchive?.record?.parentRecordName != nil
  }

  /// What the app has received since, nobody here need have edited.
  private var isEditedSince: Bool {
    if setBack.values.contains(0) { return true }
    let newest = edited.isEmpty ? nil : newest
    let unknown = bytesNotHere
    return edited.contains { !unknown.contains($0) && row?[$0] != newest?[$0]?.value }
  }

  static let laterAncestor = "the app received it after this record"

  private var unknownAncestor: String? {
    if isAncestorLater { return Versions.laterAncestor }
    if let anew { return anew.words }
    if case .unknown(let reason)? = ancestorArchive?.version { return reason }
    return nil
  }

  /// A captured ancestor is the one of that moment, and cannot be.
  private var isAncestorLater: Bool { isOutdated && !inbox.isCaptured }

  /// What the metadata have, of a captured record, where it is another; mostly the engine has taken in the very record.
  private static func known(
    beside inbox: InboxRow, _ server: ArchivedVersion?, _ metadata: MetadataRow?
  ) -> ArchivedRecord? {
    guard inbox.isCaptured, !inbox.isDeleted, server?.hasRecord == true,
      metadata?.allFields?.hasSameBytes(as: inbox.serverRecord ?? []) != true
    else { return nil }
    return metadata?.allFields.flatMap { try? ArchivedRecord(decoding: $0) }
  }

  private static func isOutdated(
    _ inbox: InboxRow, _ server: ArchivedVersion?, _ ancestor: ArchivedVersion?, _ known: ArchivedRecord?
  ) -> Bool {
    guard let server, server.hasRecord else { return false }
    if !inbox.isCaptured { return ancestor?.stamp.isNewer(than: server.stamp, ancestorTag: nil) ?? false }
    return known?.stamp.isNewer(than: server.stamp, ancestorTag: ancestor?.stamp.tag) ?? false
  }
}
