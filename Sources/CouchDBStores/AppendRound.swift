import ExactJSON
import Foundation
import StoreInterface

/// Carries out what was planned for several documents, stage by stage. Every row of every answer is read.
struct AppendRound {
  private let server: CouchDBServer
  /// Where it ended for those that are not as they were meant.
  private var outcomes: [JSONText: CheckedWrite.Outcome] = [:]
  /// The ids of the revisions of each document that the server has accepted; nil for one of which the answer was lost.
  private var accepted: [JSONText: [String?]] = [:]
  /// The same for the journal, with what was found again.
  private var ids = AcceptedIDs()

  /// One that is to be appended, and all that is of its document.
  private typealias Revision = (appends: DocumentAppends, append: DocumentAppends.Append)

  /// What the server says to one revision.
  private enum Reply {
    /// Under this id.
    case accepted(String)
    /// The parent is a leaf no longer, whether or not somebody else made that so (nil); or it failed, nobody knows how far.
    case unclear(String?)
    case refused(String)
    /// The request was not taken, so nothing of it was done.
    case notTaken(String)
  }

  /// - Parameter keep: gets what was accepted, also where no answer comes to what follows.
  /// - Returns: what became of those that are not written as they were meant.
  /// - Throws: ``StoreError`` where no answer came: then nobody knows what was done; or where the first request was not taken.
  static func carryOut(
    _ planned: [DocumentAppends], _ server: CouchDBServer, keeping keep: (AcceptedIDs) -> Void = { _ in }
  ) throws -> [JSONText: CheckedWrite.Outcome] {
    var round = AppendRound(server)
    defer { keep(round.ids) }
    for stage in 0..<(planned.map(\.stages.count).max() ?? 0) {
      let open = planned.filter { !round.isOver($0) && $0.stages.count > stage }
      let revisions: [Revision] = open.flatMap { appends in appends.stages[stage].map { (appends, $0) } }
      try round.carryOut(revisions, isBegun: stage > 0)
    }
    try round.verify(planned.filter { !round.isOver($0) })
    return round.outcomes
  }

  private init(_ server: CouchDBServer) { self.server = server }

  private func isOver(_ appends: DocumentAppends) -> Bool { outcomes[appends.key] != nil }

  private mutating func carryOut(_ revisions: [Revision], isBegun: Bool) throws {
    let replies = Array(zip(revisions, try post(revisions, isBegun)))
    // All that was accepted first: what became of a document is told by that.
    for case (let revision, .accepted(let id)) in replies {
      accepted[revision.appends.key, default: []].append(id)
      note(id, of: revision)
    }
    var ends: [(Revision, CheckedWrite.Outcome, String)] = []
    for (revision, reply) in replies {
      switch reply {
      case .accepted: break
      case .refused(let words):
        ends.append((revision, .refused(field: nil, words), "the server refuses another: \(words)"))
      case .notTaken(let words):
        ends.append((revision, .notReached(words), "the rest could not be asked for: \(words)"))
      case .unclear(let words): if let end = try lookAgain(revision, words) { ends.append(end) }
      }
    }
    for (revision, outcome, why) in ends { end(revision, outcome, why) }
  }

  private mutating func note(_ id: String, of revision: Revision) {
    ids[revision.append.other ?? revision.appends.document, revision.append.parent] = id
  }

  /// - Parameter why: where something of it is written.
  private mutating func end(_ revision: Revision, _ outcome: CheckedWrite.Outcome, _ why: String) {
    let (appends, done) = (revision.appends, accepted[revision.appends.key]?.count ?? 0)
    // Of what nobody knows an earlier undo tells nothing.
    let before = outcome.mayBeWritten ? 0 : appends.doneBefore
    let part = "\(done + appends.doneBefore) of its \(appends.all.count + appends.doneBefore) revisions"
    outcomes[appends.key] = done + before == 0 ? outcome : .partly(written: part, why)
  }

  /// A conflict may be our own revision, of which the answer was lost; and of what the server calls an error of its own nobody knows
  /// whether it was done.
  ///
  /// - Parameter error: nil for a conflict.
  /// - Returns: nil if it was made.
  private mutating func lookAgain(
    _ revision: Revision, _ error: String?
  ) throws -> (Revision, CheckedWrite.Outcome, String)? {
    let document = try server.leafDocuments([revision.append.other ?? revision.appends.document]).first
    let found = try document.map { try server.search(revision.append, in: $0) } ?? .nothing
    if case .revision(let id) = found {
      note(id, of: revision)
      accepted[revision.appends.key, default: []].append(nil)
      return nil
    }
    let parent = revision.append.parent
    let isHidden = document?.mayHide(childrenOf: parent) ?? false
    if let error = error ?? (isHidden ? "one of its leaves cannot be read" : nil) {
      return (
        revision, .notKnown("the server failed at it: \(error)"), "the server failed at another: \(error)"
      )
    }
    if document?.hasForgotten(parent) ?? false {
      let words = "the server does not know \(parent) any more, and so not what was made of it"
      return (revision, .notKnown(words), words)
    }
    if case .unclear = found {
      let words = "what was made of \(parent) cannot be read any more, or now"
      return (revision, .notKnown(words), words)
    }
    return (
      revision, .moved("it was changed while it was written"), "somebody else changed a leaf of it meanwhile"
    )
  }

  /// What was accepted is asked for again: a leaf may have come in meanwhile, and after an undo another one may win. Where the leaves
  /// are those that were there and those that were made, nothing else can be.
  private mutating func verify(_ planned: [DocumentAppends]) throws {
    let told = try server.leafIDs(planned.compactMap { leavesAfter($0) == nil ? nil : $0.document })
    let rest = planned.filter { appends in
      leavesAfter(appends).map { $0 != told[JSONText(appends.document)] } ?? true
    }
    try verifyByReading(rest)
  }

  /// nil where that is not known, or not all there is to know.
  private func leavesAfter(_ appends: DocumentAppends) -> Set<String>? {
    guard appends.winning == nil, appends.others.isEmpty, let made = accepted[appends.key],
      !made.contains(nil)
    else { return nil }
    return appends.leaves?.subtracting(appends.all.map(\.parent)).union(made.compactMap(\.self))
  }

  private mutating func verifyByReading(_ planned: [DocumentAppends]) throws {
    let found = try server.leafDocumentsByName(planned.flatMap(\.documents))
    var undone: [(appends: DocumentAppends, document: ServerDocument)] = []
    for appends in planned {
      // What is there of one that cannot be read as a whole has to be seen.
      guard let document = found[JSONText(appends.document)],
        try appends.all.allSatisfy({
          try server.has($0, of: appends, in: found) ?? (document.unreadLeaf == nil)
        })
      else {
        outcomes[appends.key] = .notKnown("the server accepted it, and does not show it")
        continue
      }
      if appends.winning != nil {
        undone.append((appends, document))
      } else if document.tree.isConflict {
        outcomes[appends.key] = .partly(
          written: (["the draft"] + appends.newDocuments).joined(separator: ", "),
          "another leaf came in meanwhile, so the document is still in conflict")
      }
    }
    try letWin(undone)
  }

  /// An undo gives every leaf a new id, and by these the former loser may win: then the former winner's content is appended once
  /// more.
  private mutating func letWin(_ undone: [(appends: DocumentAppends, document: ServerDocument)]) throws {
    var (undone, why) = (undone, [JSONText: String]())
    for _ in 1...3 {
      let revisions = try undone.compactMap { appends, document in
        try document.leafToWin(appends, ids).map { try repeating($0, of: document, appends) }
      }
      if revisions.isEmpty { return }
      for (revision, reply) in zip(revisions, try post(revisions, true)) {
        switch reply {
        case .accepted(let id): note(id, of: revision)
        case .refused(let words): why[revision.appends.key] = ": \(words)"
        case .unclear, .notTaken: break
        }
      }
      let now = Dictionary(
        try server.leafDocuments(revisions.map(\.appends.document)).map { (JSONText($0.id), $0) }
      ) { first, _ in first }
      undone = revisions.compactMap { revision in now[JSONText(revision.0.document)].map { (revision.0, $0) }
      }
    }
    for (appends, document) in undone where document.leafToWin(appends, ids) != nil {
      outcomes[appends.key] = .partly(
        written: "all leaves of before", "another of them wins now\(why[appends.key] ?? "")")
    }
  }

  private func repeating(
    _ leaf: ServerRevision, of document: ServerDocument, _ appends: DocumentAppends
  ) throws -> Revision {
    var appends = appends
    let append = try DocumentAppends.Append(repeating: leaf, beside: document.live)
      .withBytes(of: document.id, document, server, &appends.parts)
    return (appends, append)
  }
}

extension ServerDocument {
  /// The leaf that should win after an undo, and does not; nil if it does, or if one wins that came in meanwhile: that is nobody's to
  /// undo.
  ///
  /// - Parameter ids: what was made just now, of what the server may have forgotten by then.
  func leafToWin(_ appends: DocumentAppends, _ ids: AcceptedIDs = AcceptedIDs()) -> ServerRevision? {
    func follows(_ leaf: ServerRevision, _ id: String) -> Bool {
      leaf.history.contains(id) || ids[appends.document, id].map(leaf.history.contains) ?? false
    }
    guard let winning = appends.winning, let first = live.first, !follows(first, winning),
      appends.ends.contains(where: { follows(first, $0) })
    else { return nil }
    return live.first { follows($0, winning) }
  }
}

extension DocumentAppends.Append {
  /// The same once more.
  ///
  /// - Parameter live: it and the other live leaves.
  init(repeating leaf: ServerRevision, beside live: [ServerRevision]) {
    let attachments = leaf.attachments.map { name, told in
      (name, DocumentAppends.Attachment(told: told, source: live.haveAlike(name) ? nil : leaf.id))
    }
    self.init(
      parent: leaf.id, isDeleted: false, members: leaf.members,
      attachments: Dictionary(uniqueKeysWithValues: attachments))
  }
}

extension DocumentAppends {
  fileprivate var key: JSONText { JSONText(record ?? document) }
}

/// The questions.
extension AppendRound {
  /// In bytes, as most servers take them.
  private static let largest = 4 << 20

  /// A revision as it is sent.
  private struct Body {
    let id: JSONValue
    let bytes: [UInt8]

    init(_ revision: Revision) {
      let json = revision.append.json(of: revision.appends)
      (id, bytes) = (json["_id"] ?? .null, json.canonical)
    }
  }

  /// - Parameter isBegun: whether something of each document is written already.
  private func post(_ revisions: [Revision], _ isBegun: Bool) throws -> [Reply] {
    let most = revisions.share(CouchDBServer.least...300)
    let bodies = try Array(revisions.inBatches(of: most)).askedAtOnce { $0.map { Body($0) } }.flatMap(\.self)
    return try AppendRound.requests(bodies, most).askedAtOnce { try self.post($0, isBegun) }.flatMap(\.self)
  }

  /// That a request is not taken makes what is written already no less known.
  private func post(_ documents: [Body], _ isBegun: Bool) throws -> [Reply] {
    do {
      return try send(documents, isBegun)
    } catch let error as StoreError where isBegun && !error.leavesRequestOpen {
      return documents.map { _ in .notTaken(StoreError.detail(of: error)) }
    }
  }

  /// What one request each takes.
  private static func requests(_ bodies: [Body], _ most: Int) -> [[Body]] {
    var (requests, weight): ([[Body]], Int) = ([], 0)
    for body in bodies {
      if weight + body.bytes.count > largest || requests.last.map({ $0.count == most }) ?? true {
        requests.append([])
        weight = 0
      }
      requests[requests.count - 1].append(body)
      weight += body.bytes.count
    }
    return requests
  }

  /// Piece by piece: a joined sequence is copied byte by byte, which of an attachment takes seconds.
  private static func request(_ documents: [Body]) -> [UInt8] {
    var request = Array(#"{"docs":["#.utf8)
    request.reserveCapacity(documents.reduce(32) { $0 + $1.bytes.count + 1 })
    for (place, document) in documents.enumerated() {
      if place > 0 { request.append(UInt8(ascii: ",")) }
      request += document.bytes
    }
    return request + "]}".utf8
  }

  /// One bad row lets the whole request fail with nothing written: then it is halved until that row is alone.
  private func send(_ documents: [Body], _ isBegun: Bool) throws -> [Reply] {
    let answer = try server.ask(
      "POST", server.url(["_bulk_docs"]), bytes: AppendRound.request(documents), isOnce: true)
    if answer.isFine {
      let rows = answer.json.elements
      if let trouble = ServerTrouble(rows.count, of: documents.count, "revisions") {
        throw server.trouble(trouble)
      }
      return try zip(documents, rows).map { try reply($1, to: $0.id) }
    }
    guard
      [400, 412, 413].contains(answer.status)
        || !AppendRound.cannotRead.isDisjoint(with: [answer.error, answer.reason])
    else {
      throw server.trouble(.refused(status: answer.status, answer.reason))
    }
    if documents.count == 1 { return [.refused("\(answer.error): \(answer.reason)")] }
    let half = documents.count / 2
    return try post(Array(documents[..<half]), isBegun) + post(Array(documents[half...]), isBegun)
  }

  /// What a validation function says no by, which the reason tells well enough.
  private static let refusals: Set<String> = ["forbidden", "unauthorized"]

  /// What the server answers about one document without having written it: its function cannot be read, or throws something else; or its
  /// partition is full.
  private static let failures: Set<String> = [
    "compilation_error", "unknown_error", "unnamed_error", "partition_overflow",
  ]

  /// What the server calls an error of its own, and is about a number too large for it.
  private static let cannotRead: Set<String> = ["badarith", "badarg"]

  private func reply(_ row: JSONValue, to id: JSONValue) throws -> Reply {
    switch row["error"]?.string {
    case nil:
      if row["ok"]?.isTrue == true, row["id"] == id, let revision = row["rev"]?.string {
        return .accepted(revision)
      }
      throw server.trouble(.astray("it does not say what became of a revision"))
    case "conflict": return .unclear(nil)
    case let error?: return AppendRound.reply(row["reason"], error)
    }
  }

  /// Of all other errors nobody knows how far the server came: `internal_server_error`, a timeout, a process of it that ended.
  private static func reply(_ reason: JSONValue?, _ error: String) -> Reply {
    let reason = reason.map { $0.string ?? $0.text }
    let words = reason.map { "\(error): \($0)" } ?? error
    if refusals.contains(error) { return .refused(reason ?? error) }
    return failures.contains(error) || isThrown(error) ? .refused(words) : .unclear(words)
  }

  /// Whether it is the name of an error that a validation function ran into (`TypeError`): the server's own begin with a small letter.
  private static func isThrown(_ error: String) -> Bool {
    error.unicodeScalars.first.map { ("A"..."Z").contains($0) } ?? false
  }
}

extension DocumentAppends.Append {
  /// A revision as it is sent, keys sorted at any depth: ids depend on it.
  fileprivate func json(of appends: DocumentAppends) -> JSONValue {
    var members = members
    members["_id"] = .string(other ?? appends.document)
    if !isFirstLife { members["_rev"] = .string(parent) }
    if isDeleted { members["_deleted"] = .literal("true") }
    if !attachments.isEmpty {
      members["_attachments"] = .object(attachments.mapValues { $0.json(appends.parts) })
    }
    return .object(members)
  }
}

extension DocumentAppends.Attachment {
  fileprivate func json(_ parts: [[UInt8]: [UInt8]]) -> JSONValue {
    guard source != nil, let bytes = sha256.flatMap({ parts[$0] }) else {
      var told = told.members
      told["stub"] = .literal("true")
      return .object(told)
    }
    return .object([
      "content_type": told["content_type"] ?? .string("application/octet-stream"),
      "data": .string(Data(bytes).base64EncodedString()),
    ])
  }
}

extension CouchDBServer {
  /// Whether this revision was made of its document, whoever made it; nil if that cannot be told.
  func has(
    _ append: DocumentAppends.Append, of appends: DocumentAppends, in documents: [JSONText: ServerDocument]
  ) throws -> Bool? {
    guard let document = documents[JSONText(append.other ?? appends.document)] else { return false }
    return try has(append, in: document)
  }

  /// The same of the document itself.
  func has(_ append: DocumentAppends.Append, in document: ServerDocument) throws -> Bool? {
    switch try search(append, in: document) {
    case .revision: return true
    case .nothing: return false
    case .unclear: return nil
    }
  }

  /// What is found of a revision that was to be made.
  enum Found {
    /// Under this id, whoever made it.
    case revision(String)
    case nothing
    /// One was made there of which nobody can tell any more what it was, or now, or the server does not know any more what it was to
    /// follow.
    case unclear
  }

  /// By its parent and its content.
  func search(_ append: DocumentAppends.Append, in document: ServerDocument) throws -> Found {
    var isLost = document.mayHide(childrenOf: append.parent) || document.hasForgotten(append.parent)
    for child in document.children(of: append.parent) {
      guard let told = try document.revisions[child] ?? revision(child, of: document.id),
        told.failure == nil
      else {
        isLost = true
        continue
      }
      let revision = try comparing(told, of: document.id, with: [append])
      if append.isMade(revision) { return .revision(child) }
      isLost = isLost || !append.unread(in: revision).isEmpty
    }
    return isLost ? .unclear : .nothing
  }
}
