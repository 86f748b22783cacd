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
///   client's, and where the engine would not do so nobody knows: see ``BackAtServers``;
/// - any other value that differs from the captured one is a later edit, and counts; where the engine had taken the server's
///   before, that is its ancestor: see ``CaptureChain/taken(before:_:_:_:)``;
/// - so does the captured value where the engine had taken the server's: see ``CaptureChain/setBack(now:at:_:_:)``. Nothing tells
///   that from a row that was never merged, so it has no ancestor;
/// - where an edit gave way, and the row has what came in for that field since, the server's is that: see
///   ``CaptureChain/receivedInstead(of:in:at:_:_:)``;
/// - NULL where the server has bytes is nobody's: see ``bytesNotHere``;
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
  let ancestorArchive: ArchivedVersion?
  /// The record that the server has again, after the engine took the row away for its deletion: a new one to it, of which it made
  /// the whole row. Nothing that was captured with the deletion is in there.
  let returned: ArchivedVersion?
  let captured: Captured
  let isDeletionQueued: Bool
  let chain: CaptureChain
  /// The fields that somebody set back after the engine's merge, by the places of the records in the chain.
  let setBack: [String: Int]
  /// What the row has neither of this record nor of what was captured with it.
  let edited: [String]
  /// What the row has of this record, and had not; and of what came in its place.
  let back: BackAtServers
  /// What the app has received since in the place of an edit that had given way to this record, or to one before: the server's is that.
  let receivedInstead: [String: FieldVersion<Value>]
  /// What the metadata have of a captured record, where it is another than came in; see ``newest``.
  let knownRecord: ArchivedRecord?
  /// Whether the metadata's ancestor is newer than this server record.
  let isOutdated: Bool
  /// Why one of the versions is, or may be, of another record of the same name: this one was deleted in between, or moved. nil where that is not so.
  let anew: AnotherRecord?
  /// Whether that is the row.
  let isRowAnew: Bool
  /// Whether the row was deleted here and is there again, and that deletion is not sent.
  let isOverDeletion: Bool
  let clocks: ClockEvidence?
  /// The fields of which the app knows the same value with a later time: whoever has set that, it is the newest.
  private(set) var setOnceMore: [String: FieldVersion<Value>] = [:]
  /// The fields of which nobody knows whether the client has taken the server's bytes away.
  private(set) var bytesNotHere: Set<String> = []

  enum Captured {
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
    let changed = row.map { [serverArchive] in link.changed(in: $0, serverArchive, isWhole: isWhole) }
    knownRecord = Versions.known(beside: inbox, serverArchive, metadata)
    isOutdated = Versions.isOutdated(inbox, serverArchive, ancestorArchive, knownRecord)
    let rowMade = AnotherRecord.made(knownRecord, since: serverArchive)
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
    receivedInstead =
      isOutdated && anew == nil
      ? chain.receivedInstead(
        of: changed?.others ?? [], in: row, at: metadata?.modificationTime, knownRecord, shape) : [:]
    edited = (changed?.others ?? []).filter { [receivedInstead] in receivedInstead[$0] == nil }
    back = link.back((changed?.servers ?? []) + receivedInstead.keys) { [ancestorArchive] in
      if isWhole { return nil }
      return isAlone ? ancestorArchive : ArchivedVersion(inbox.ancestorRecord, shape: shape)
    }
    // An import is received by the clock of whoever imports it, and when a record came back nobody has noted.
    clocks = ClockEvidence(
      [serverArchive, ancestorArchive],
      receivedAt: inbox.isCaptured && returned == nil ? inbox.receivedAt : nil)
    let unknown = notKnown
    setOnceMore = setOnceMore(unknown)
    bytesNotHere = bytesNotHere(unknown)
  }

  /// The metadata's ancestor, where that is the conflict's.
  var metadataArchive: ArchivedVersion? { inbox.isCaptured ? nil : ancestorArchive }

  static func captured(
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

  /// Fields of a record whose table is not here.
  var fieldsWithoutTable: [Field] {
    let names = [serverArchive, ancestorArchive].compactMap { $0?.version.fields?.keys }.joined()
    return Set(names).sorted().map { Field($0) }
  }
}
