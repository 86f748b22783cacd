import ExactJSON
import Merging
import SQLiteFiles

/// A file that waits for a person, with what each side has of it.
struct FileConflict: Sendable {
  let standing: FileStanding
  /// What the earlier upload would send, of a file that was deleted here after it.
  let earlierUpload: Value?
  let conflict: RecordConflict

  static let content = "content"
  /// What goes with it, and is shown.
  static let others = ["kind", "version", "remoteFileName", "mimeType", "appMetaData", "belongsTo"]
  static let table = "files"
}

/// Beside the store itself: what a person has given, and what is the same for all its files.
struct FileSurroundings: Sendable {
  let files: ContainerFiles
  let index: ServerIndex?
  let ancestors: AncestorTexts?
  let rules: MergeRules
  let isCopy: Bool
  /// Why nothing can be written into a copy: a round of the app's is not ended, or its rows are not those that Parley left.
  let whyClosed: String?
  /// Whether the app holds the server's lock until a deletion is answered.
  let lock: ServerLock
  /// What is wrong with the `-wal`, which is read for it.
  let logTrouble: @Sendable () -> LogTrouble?

  var holdsLock: Bool { lock == .held }

  private func version(_ archive: [UInt8]?, _ others: [String: Value]) -> RecordVersion {
    do {
      return version(FileContent.value(try files.bytes(archive: archive)), others)
    } catch let unreadable as UnreadableFile {
      return .unknown(reason: unreadable.reason)
    } catch {
      return .unknown(reason: "its file cannot be read")
    }
  }

  private func version(_ content: Value, _ others: [String: Value]) -> RecordVersion {
    var fields = others
    fields[FileConflict.content] = content
    if let kind = FileContent.kind(content) { fields["kind"] = .text(kind) }
    return .present(fields.mapValues { FieldVersion($0, time: nil) })
  }
}

extension FileSurroundings {
  /// - Parameters:
  ///   - related: the titles of the files that its metadata names, and of those that name it.
  ///   - waiting: what the outbox has of it already.
  ///   - outboxIsOld: whether what it has is about something else.
  func conflict(
    _ standing: FileStanding, related: RelatedFiles, waiting: OutboxFile.Entry? = nil,
    outboxIsOld: Bool = false
  ) -> FileConflict {
    let rows = standing.rows
    let uploads = rows.files.map { version($0.url, clientFields(standing, related)) }
    let client = standing.clientHasText ? uploads.last ?? .absent : .deleted(time: nil)
    let versions = ThreeWay(ancestor: ancestor(standing), client: client, server: server(standing))
    let rules = rules.forFiles(of: [versions.client, versions.server])
    var conflict = RecordConflict(
      id: rows.uuid, table: FileConflict.table, primaryKey: rows.uuid, title: rows.title,
      fields: fields(versions), versions: versions, rules: rules,
      details: details(standing, related, waiting))
    let earlier = standing.pending == .both ? uploads.last : nil
    let alternatives = FileAlternatives(standing, conflict.versions, uploads: uploads)
    (conflict.details.alternatives, conflict.details.ownValue) = (alternatives.all, alternatives.own)
    conflict.details.outboxIsOld = outboxIsOld
    conflict.details.earlierUploads = uploads.dropLast().map { $0.fields?[FileConflict.content]?.value }
    let kinds = kinds(versions)
    if !kinds.isEmpty { conflict.details.references[FileConflict.content] = kinds }
    return FileConflict(
      standing: standing, earlierUpload: earlier?.fields?[FileConflict.content]?.value, conflict: conflict)
  }

  /// What stands beside bytes: of a picture its kind and size. Two that are alike in that are told apart.
  private func kinds(_ versions: ThreeWay<RecordVersion>) -> [Value: String] {
    let contents = [versions.client, versions.server, versions.ancestor].compactMap {
      $0?.fields?[FileConflict.content]?.value
    }
    let kinds = Dictionary(contents.map { ($0, FileContent.kind($0)) }) { first, _ in first }
    return kinds.compactMapValues { $0 }.reduce(into: [:]) { told, one in
      let areAlike = kinds.count { $0.value == one.value } > 1
      told[one.key] = areAlike ? "\(FileContent.mark(one.key)) \(one.value)" : one.value
    }
  }

  /// The number is known, and the text only if somebody else has kept it.
  private func ancestor(_ standing: FileStanding) -> RecordVersion {
    let number = standing.ancestor
    guard let bytes = ancestors?.bytes(of: standing.rows, version: number) else {
      return .unknown(reason: "\(standing.ancestorWords); this system keeps no ancestor text")
    }
    return version(FileContent.value(bytes), ["version": .text(standing.ancestorWords)])
  }

  private func server(_ standing: FileStanding) -> RecordVersion {
    if standing.news.isDeletion { return .deleted(time: nil) }
    var fields = standing.overtakenBy == nil ? newsByIndex(standing.rows) : [:]
    fields["version"] = .text("version \(standing.news.version)" + byNow(standing))
    guard standing.news.isAtApp else {
      return .unknown(reason: "version \(standing.news.version), and its text is not downloaded")
    }
    return version(standing.news.download?.url, fields)
  }

  /// What the index says otherwise than this device has it. Where both agree, a decision that was made without the index holds.
  private func newsByIndex(_ rows: FileRows) -> [String: Value] {
    guard let entry = index?[rows.uuid] else { return [:] }
    let here: [String: Value?] = [
      "mimeType": rows.mimeType.map { .text($0) }, "remoteFileName": rows.name.map { .text($0) },
      "appMetaData": rows.metadata.map { AppMetaData.value($0) },
    ]
    let there: [String: Value?] = [
      "mimeType": entry.mimeType.map { .text($0) }, "remoteFileName": entry.name.map { .text($0) },
      "appMetaData": entry.metadata.map { Value($0) },
    ]
    return there.compactMapValues(\.self).filter { here[$0.key] != .some($0.value) }
  }

  private func byNow(_ standing: FileStanding) -> String {
    guard let now = standing.overtakenBy else { return "" }
    return now.isDeleted ? ", and deleted by now" : ", and version \(now.version) by now"
  }

  private func clientFields(_ standing: FileStanding, _ related: RelatedFiles) -> [String: Value] {
    let rows = standing.rows
    var fields: [String: Value] = ["version": .text("an edit of \(standing.ancestorWords)")]
    fields["mimeType"] = rows.mimeType.map { .text($0) }
    fields["remoteFileName"] = rows.name.map { .text($0) }
    fields["appMetaData"] = rows.metadata.map { AppMetaData.value($0) }
    fields["belongsTo"] = related.owner.map { .text($0.uuid) }
    return fields
  }

  /// The content alone is decided: what goes with it is sent as this device has it.
  private func fields(_ versions: ThreeWay<RecordVersion>) -> [Field] {
    let known = [versions.client, versions.server, versions.ancestor].compactMap { $0?.fields }
    let names = Set(known.flatMap(\.keys))
    let contents = known.compactMap { $0[FileConflict.content]?.value }
    let content = Field(
      FileConflict.content, kind: FileContent.commonKind(contents), declaredType: "file", isRequired: true)
    return [content]
      + FileConflict.others.filter(names.contains).map {
        Field($0, isGenerated: true, referencedTable: $0 == "belongsTo" ? FileConflict.table : nil)
      }
  }

  private func details(
    _ standing: FileStanding, _ related: RelatedFiles, _ waiting: OutboxFile.Entry?
  ) -> RecordConflict.Details {
    var details = RecordConflict.Details(
      serverTag: "version \(standing.news.version)" + (standing.news.isDeletion ? ", deleted" : ""),
      notes: FileNotes(standing, self, related, waiting).all, notWritable: whyNotWritable(standing),
      waitingSince: waiting?.writtenAt)
    (details.file, details.serverSince) = (standing.situation(holdsLock: holdsLock), standing.toldByIndex)
    if let owner = related.owner { details.references["belongsTo"] = [.text(owner.uuid): owner.title] }
    return details
  }

  /// nil if it can be.
  func whyNotWritable(_ standing: FileStanding) -> String? {
    if let damage = standing.rows.damage.first { return "\(damage.words), which is damage" }
    if let words = standing.news.whyNotCountable { return words }
    if let index, index[standing.rows.uuid] == nil {
      return
        "the index that was given does not have this file: it is another account's, or its UUIDs are spelled otherwise"
    }
    guard isCopy else {
      guard let now = standing.overtakenBy else { return nil }
      let words =
        now.isDeleted ? "the server has deleted it by now" : "the server has version \(now.version) by now"
      return "\(words), so no request fits; the app has to sync first"
    }
    if let whyClosed { return whyClosed }
    if standing.news.isAtApp { return nil }
    return standing.news.isDeletion
      ? "the app has not met the server's deletion, of which the index alone tells; it has to sync first"
      : "the app has not downloaded what the server has; it has to sync first"
  }
}

extension FileStanding {
  var ancestorWords: String {
    ancestor.map { "version \($0)" } ?? "a version before \(news.version)"
  }
}

extension FileContent {
  static func commonKind(_ values: [Value]) -> Field.Kind {
    let isText = values.map { if case .text = $0 { true } else { false } }
    return isText.allSatisfy { $0 } ? .text : isText.contains(true) ? .any : .blob
  }
}

extension MergeRules {
  /// No file has a time of its own that both sides know, so the latest edit is nowhere to be seen: texts are merged by words, and
  /// JSON by its keys, where nothing else is asked. Where they cannot be merged no side is suggested: what it would give up is
  /// a whole file's text.
  fileprivate func forFiles(of versions: [RecordVersion]) -> MergeRules {
    let contents = versions.compactMap { $0.fields?[FileConflict.content]?.value }
    var rules = self
    rules.withoutTimes = !contents.isEmpty && contents.allSatisfy(FileContent.isJSON) ? .keys : .text
    rules.leavesTies = true
    return rules
  }
}
