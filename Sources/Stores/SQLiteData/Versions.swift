import Merging

/// The three versions of a record, put together from inbox, row and metadata.
///
/// Where triggers captured a record, the engine has already merged it when we look: the ancestor in the metadata may be
/// ahead, and the row may hold server values that no person here ever saw. Then what was captured counts:
/// - the ancestor is the captured one, or there was none;
/// - a field whose value is now the server's, and was another one, was applied by the engine: the captured value is the
///   client's. Any other value that differs from the captured one is a later edit, and counts;
/// - a row that is gone while the server says deleted was removed by the engine: the captured row is the client's.
struct Versions {
  let inbox: InboxRow
  let shape: TableShape?
  /// With generated columns.
  let row: RowImage?
  let metadata: MetadataRow?
  let serverArchive: ArchivedVersion?
  private let ancestorArchive: ArchivedVersion?
  private let captured: Captured

  private enum Captured {
    case no
    case row(RowImage)
    case noRow
    case unreadable(String)
  }

  init(inbox: InboxRow, shape: TableShape?, row: RowImage?, metadata: MetadataRow?) {
    self.inbox = inbox
    self.shape = shape
    self.row = row
    self.metadata = metadata
    ancestorArchive = ArchivedVersion(
      inbox.isCaptured ? inbox.ancestorRecord : metadata?.allFields, shape: shape)
    serverArchive =
      ArchivedVersion(inbox.serverRecord, shape: shape)
      ?? ArchivedVersion(json: inbox.serverJSON, shape: shape)?.recognizing(assetsOf: ancestorArchive)
    captured = Versions.captured(inbox, shape)
  }

  private static func captured(_ inbox: InboxRow, _ shape: TableShape?) -> Captured {
    guard inbox.isCaptured else { return .no }
    guard let json = inbox.clientRow else { return .noRow }
    do {
      guard let row = try RowJSON.decode(json) else { return .noRow }
      return .row(
        Dictionary(uniqueKeysWithValues: row.map { ($0, shape?[$0]?.affinity.stored($1) ?? $1) }))
    } catch {
      return .unreadable("\(error)")
    }
  }

  /// The row's own columns, without generated ones.
  var stored: RowImage? {
    guard let row, let shape else { return nil }
    let generated = Set(shape.columns.filter(\.isGenerated).map(\.name))
    return generated.isEmpty ? row : row.filter { !generated.contains($0.key) }
  }

  var threeWay: ThreeWay<RecordVersion> {
    let ancestor = ancestorArchive?.version
    return ThreeWay(ancestor: ancestor, client: client(ancestor: ancestor ?? .absent), server: server)
  }

  private var server: RecordVersion {
    if inbox.isDeleted { return .deleted(time: inbox.receivedAt) }
    return serverArchive?.version ?? .unknown(reason: "the server's record was not kept")
  }

  private func client(ancestor: RecordVersion) -> RecordVersion {
    guard shape == nil || shape?.singleKey != nil else {
      return .unknown(reason: "the table's primary key is not a single column")
    }
    guard let values = clientRow else { return missingClient }
    return .client(row: values, modificationTime: metadata?.modificationTime, ancestor: ancestor)
  }

  private var missingClient: RecordVersion {
    if metadata?.isDeleted == true { return .deleted(time: metadata?.modificationTime) }
    switch captured {
    case .noRow, .row: return .deleted(time: metadata?.modificationTime)
    case .no, .unreadable: return .absent
    }
  }

  /// The values that a person here made or saw; nil if the client has no row.
  private var clientRow: RowImage? {
    switch (captured, row) {
    case (.row(let captured), nil): inbox.isDeleted ? captured : nil
    case (.row(let captured), let row?): unapplied(captured, row)
    case (.noRow, let row?): isApplied(row) ? nil : row
    case (.no, _), (.unreadable, _), (.noRow, nil): row
    }
  }

  private func unapplied(_ captured: RowImage, _ row: RowImage) -> RowImage {
    var values = row
    for (name, old) in captured where row[name] != nil && row[name] != old && row[name] == serverValue(name) {
      values[name] = old
    }
    return values
  }

  /// Whether the engine made this row of the server's record.
  private func isApplied(_ row: RowImage) -> Bool {
    guard let fields = serverArchive?.version.fields else { return false }
    return fields.allSatisfy { row[$0.key] == $0.value.value }
  }

  private func serverValue(_ name: String) -> Value? { serverArchive?.version.fields?[name]?.value }

  /// Fields of a record whose table is not here.
  var fieldsWithoutTable: [Field] {
    let names = [serverArchive, ancestorArchive].compactMap { $0?.version.fields?.keys }.joined()
    return Set(names).sorted().map { Field($0) }
  }

  func details(isSynced: Bool?) -> RecordConflict.Details {
    RecordConflict.Details(
      ancestorTag: ancestorArchive?.record?.changeTag, serverTag: serverArchive?.record?.changeTag,
      serverDevice: serverArchive?.record?.modifiedByDevice, receivedAt: inbox.receivedAt, notes: notes,
      notWritable: notWritable(isSynced: isSynced), ancestorNotChoosable: ancestorNotChoosable)
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
    if isEditedSince { notes.append("the row was edited after this record came in") }
    if isWithoutArchive { notes.append(Versions.withoutArchive) }
    if isOutdated { notes.append("the app has received a newer version of this record since") }
    if case .unreadable(let reason) = captured {
      notes.append("the captured row cannot be read (\(reason)); the row as it is now counts")
    }
    if case .unknown(let reason)? = ancestorArchive?.version { notes.append("ancestor not known: \(reason)") }
    if let names = serverArchive?.unknownFields, shape != nil, !names.isEmpty {
      notes.append("the server's record has fields that this table has not: \(names.joined(separator: ", "))")
    }
    return notes
  }

  private var isWithoutArchive: Bool {
    !inbox.isDeleted && inbox.serverRecord == nil && inbox.serverJSON != nil
  }

  private static let withoutArchive = """
    it was imported from JSON, without the server's archive: the ancestor cannot be advanced with the write, \
    and the app merges the record once more when it uploads it
    """

  private var isEditedSince: Bool {
    guard case .row(let captured) = captured, let row else { return false }
    return captured.contains { name, old in
      guard let now = row[name] else { return false }
      return now != old && now != serverValue(name)
    }
  }

  /// Whether the metadata's ancestor is newer than this server record.
  private var isOutdated: Bool {
    guard let server = serverArchive?.record?.modifiedAt,
      let known = metadata?.allFields.flatMap({ try? ArchivedRecord(decoding: $0) })?.modifiedAt
    else { return false }
    return known > server
  }
}
