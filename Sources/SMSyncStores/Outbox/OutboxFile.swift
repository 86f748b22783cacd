import ExactJSON
import Foundation
import Merging
import SQLiteFiles
import StoreInterface

/// The decisions that wait to be sent, in one JSON file beside the journal: one whole file after the other takes its place, so that
/// a crash leaves the one or the other.
///
///     {"outbox":"SMSyncServer","version":1,"container":"Notes.xcappdata","round":["Lock","GetFileIndex",…],
///     "files":[
///     {"FileUUID":"…","title":"…","decision":"…","writtenAt":…,"client":"…","precondition":{…},"requests":[…]},
///     …
///     ]}
struct OutboxFile: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    let uuid: String
    /// What waited here when it was decided: see ``FileRows/seal(_:)``.
    let seal: String
    let decision: String
    let version: Int64
    let isDeleted: Bool
    /// Nanoseconds since 1970.
    let writtenAt: Int64
    let requests: Int
    /// As it lies in the file.
    let json: String
  }

  /// In the order in which they came; nil where one went.
  private var slots: [Entry?] = []
  private var places: [JSONText: Int] = [:]

  init() {}

  var entries: [Entry] { slots.compactMap(\.self) }

  subscript(uuid: String) -> Entry? { places[JSONText(uuid)].flatMap { slots[$0] } }

  mutating func put(_ entry: Entry?, for uuid: String) {
    if let place = places[JSONText(uuid)] {
      slots[place] = entry
    } else if let entry {
      places[JSONText(uuid)] = slots.count
      slots.append(entry)
    }
  }

  /// `NAME.parley-outbox.json` beside the journal `NAME.parley.sqlite`.
  static func path(beside journal: String) -> String {
    let (folder, name) = folderAndName(journal)
    let suffix = ".parley.sqlite"
    let stem = name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    return folder + "/" + stem + ".parley-outbox.json"
  }
}

extension OutboxFile.Entry {
  init?(_ node: JSONNode, in bytes: [UInt8]) {
    guard let uuid = node["FileUUID"]?.text, let seal = node["client"]?.text,
      let decision = node["decision"]?.text,
      let precondition = node["precondition"],
      let version = precondition["FileVersion"]?.numeral.flatMap({ Int64($0) }),
      let isDeleted = precondition["Deleted"]?.bool,
      let writtenAt = node["writtenAt"]?.numeral.flatMap({ Int64($0) }),
      let requests = node["requests"]?.elements
    else { return nil }
    self.init(
      uuid: uuid, seal: seal, decision: decision, version: version, isDeleted: isDeleted,
      writtenAt: writtenAt, requests: requests.count,
      json: String(decoding: bytes[node.extent], as: UTF8.self))
  }

  /// nil if it is no entry.
  init?(json: String) {
    let bytes = Array(json.utf8)
    var reader = JSONReader(bytes, rules: AppMetaData.rules)
    guard let node = try? reader.single() else { return nil }
    self.init(node, in: bytes)
  }

  /// - Throws: ``Refusal``
  init(_ file: FileConflict, _ decision: FileDecision, _ files: ContainerFiles, note: String?, at time: Int64)
    throws
  {
    let requests = OutboxRequests(file, files)
    let all = try requests.requests(decision)
    var members: [(name: String, value: JSON)] = [
      ("FileUUID", .string(file.conflict.id)), ("title", .string(file.conflict.title)),
      ("decision", .string(file.words(decision))), ("writtenAt", .integer(time)),
    ]
    members += note.map { [("note", .string($0))] } ?? []
    members += [
      ("client", .string(file.standing.rows.seal(files))), ("precondition", requests.precondition),
      ("requests", .array(all)),
    ]
    members.append(("onTheDevice", .string(file.onTheDevice(decision))))
    let json = String(decoding: JSON.object(members).bytes(), as: UTF8.self)
    guard let entry = OutboxFile.Entry(json: json) else {
      throw Refusal(nil, "what is to be sent of it cannot be told in JSON")
    }
    self = entry
  }
}

extension FileConflict {
  /// What whoever has the device in hand answers there, so that both ways end alike.
  fileprivate func onTheDevice(_ decision: FileDecision) -> String {
    if standing.pending == .both, decision == .keep, standing.rows.sendsUploadsFirst {
      return """
        either do not send, and answer: keep the conflicting client operations, which sends the upload and then the deletion; or take the \
        upload back in the app, send, and \(Self.accepting)
        """
    }
    return noAnswer(for: decision) ?? answer(decision)
  }

  private static let accepting = "answer: delete the conflicting client operations"

  /// What has to be done instead; nil where an answer does what was decided.
  private func noAnswer(for decision: FileDecision) -> String? {
    if standing.isUploadOfDeletedFile {
      return """
        no answer there does this, as nothing is asked: take the upload back in the app before it syncs; or, once it has, let it be \
        an undeletion in a copy of the container (parley doctor COPY --mend), if the text is kept
        """
    }
    // Each answer there leaves the upload in its queue, from where it goes over whatever was decided.
    if standing.pending == .both {
      return """
        no answer there does this, as each leaves the upload in its queue: take the upload back in the app before, or write the \
        decision into a copy of the container (parley write --copy)
        """
    }
    if let refused = standing.refusedUndeletion, decision != .accept {
      return """
        no answer there does this: kept there, the upload is sent as version \(refused), at which the framework stops, as the server \
        has deleted version \(standing.news.version); and a device that accepts the deletion stays marked as deleted when another \
        undeletes the file
        """
    }
    return nil
  }

  private func answer(_ decision: FileDecision) -> String {
    switch decision {
    case .accept: Self.accepting
    case .keep where standing.news.isDeletion:
      """
      rather than sending, answer: keep the conflicting client operations; a device that accepts the deletion stays marked as \
      deleted when another undeletes the file
      """
    case .keep:
      "either send, and \(Self.accepting); or do not send, and answer: keep the conflicting client operations"
    case .draft where standing.news.isDeletion:
      """
      no answer there sends it: keep the conflicting client operations undeletes the file with the text that waits there, and a device \
      that accepts the deletion stays marked as deleted when another undeletes the file; or write the decision into a copy of \
      the container (parley write --copy)
      """
    case .draft, .keepUpload, .keepDeletion:
      "once it is sent, \(Self.accepting); the device then takes what was sent as plain news"
    }
  }
}

extension OutboxFile {
  static let sizeLimit = 1 << 30
  private static let version = 1

  /// - Throws: ``StoreError/outboxUnusable(path:detail:)``, ``StoreError/notAFile(path:kind:)``,
  ///   ``StoreError/outboxTooNew(path:version:)`` for one of a newer Parley: of it what is not known here would be left out.
  init(path: String) throws {
    guard FileStatus(path: path) != nil else { return }
    let bytes = try RegularFile(path).bytes(limit: OutboxFile.sizeLimit)
    for node in try OutboxFile.files(in: bytes, of: path) {
      guard let entry = Entry(node, in: bytes) else {
        throw StoreError.outboxUnusable(path: path, detail: "an entry in it is not as Parley writes it")
      }
      put(entry, for: entry.uuid)
    }
  }

  private static func files(in bytes: [UInt8], of path: String) throws -> [JSONNode] {
    let unusable = StoreError.outboxUnusable(path: path, detail: "it is none that Parley has written")
    var reader = JSONReader(bytes, rules: AppMetaData.rules)
    guard let root = try? reader.single(), root["outbox"]?.text == "SMSyncServer",
      let found = root["version"]?.numeral.flatMap({ Int($0) })
    else { throw unusable }
    // Before anything else of it, which may be otherwise there.
    if found > version { throw StoreError.outboxTooNew(path: path, version: found) }
    guard found == version, let nodes = root["files"]?.elements else { throw unusable }
    return nodes
  }

  /// The index changes when a transfer has ended, so what follows on another request needs a round of its own.
  private static let round = [
    "for each request, in their order:", "Lock", "GetFileIndex",
    "compare the request's precondition with the index; where it differs, Unlock and send none of the file's requests",
    "the request", "StartOutboundTransfer", "CheckOperationStatus", "RemoveOperationId", "Unlock",
  ]

  private func bytes(container: String) -> [UInt8] {
    let head = JSON(members: [
      "outbox": .string("SMSyncServer"), "version": JSON(OutboxFile.version),
      "container": .string(container), "round": .array(OutboxFile.round.map { .string($0) }),
    ]).bytes()
    let lines = entries.map(\.json).joined(separator: ",\n")
    return head.dropLast() + Array(",\n\"files\":[\n\(lines)\n]}\n".utf8)
  }

  /// What was to take the place of the file at `path`, and did not. Only who has the container for writing knows that it still does not.
  static func removeUnfinished(of path: String) { unlink(path + DurableFile.suffix) }

  /// Takes the place of the file at `path`; an empty one is none.
  ///
  /// - Throws: ``StoreError/writeFailed(path:detail:)``
  func write(to path: String, container: String) throws {
    if entries.isEmpty {
      if FileStatus(path: path) != nil, unlink(path) != 0 { throw StoreError.notWritten(path) }
    } else {
      try DurableFile.write(bytes(container: container), to: path)
    }
    DurableFile.sync(folder: folderAndName(path).folder)
  }
}
