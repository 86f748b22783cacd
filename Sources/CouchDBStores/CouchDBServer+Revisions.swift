import ExactJSON
import StoreInterface

/// Reading revisions, and those documents apart that cannot be read with others, or not at all.
///
///     asked for together ─► too long, not to be read, cut off, an error ─► by halves ─► alone ─► leaf by leaf
///                        ─► silence ─► those of many leaves alone, the others together; alone: once more, for longer
///
/// What cannot be read then is told as it is known: its leaves, which of them are deletions, and why. So no document keeps the others
/// from being listed.
extension CouchDBServer {
  /// One revision that need not be a leaf; nil if its body is not kept.
  func revision(_ revision: String, of id: String) throws -> ServerRevision? {
    let question = JSONValue.object(["id": .string(id), "rev": .string(revision)])
    return try revisions([question]).first?.revisions.first
  }

  /// What is asked for, of each in its order.
  func revisions(_ question: [JSONValue]) throws -> [Told] {
    do {
      return try ask(question, silence: nil)
    } catch StoreError.server(_, let trouble) where trouble.mayBeOfOneDocument {
      if question.count == 1 { return [try alone(question[0], trouble)] }
      return try apart(question, trouble).inOrder(of: question)
    }
  }

  /// A document, and what was asked for of it.
  typealias Told = (id: String, revisions: [ServerRevision])

  /// In bytes, of many documents together.
  private static let longestAnswer = 32 << 20
  /// A server says nothing until it has read all leaves of all documents that it is asked for.
  private static let manyLeaves = 50

  private func ask(_ question: [JSONValue], silence: Int?) throws -> [Told] {
    let limit = question.count > 1 ? CouchDBServer.longestAnswer : 1 << 30
    let asked = JSONValue.object(["docs": .array(question)])
    let answer = try ask("POST", url(["_bulk_get"], ["revs": "true"]), asked, limit, silence: silence)
    let told = try revisions(in: try fine(answer), question.count)
    try check(told.map(\.id), are: question.compactMap { $0["id"]?.string })
    return told
  }

  /// In whatever order. One that answers for another document may have mixed up any of them, so nothing of it is taken.
  private func check(_ ids: [String], are asked: [String]) throws {
    let counts = { (ids: [String]) in Dictionary(ids.map { (JSONText($0), 1) }, uniquingKeysWith: +) }
    if counts(ids) != counts(asked) {
      throw trouble(.astray("it answers for another document than it was asked about"))
    }
  }

  /// By smaller questions in the place of one. Whether a server that is silent answers at all shows when it is asked for the leaves.
  private func apart(_ question: [JSONValue], _ trouble: ServerTrouble) throws -> [Told] {
    if case .silent = trouble {
      let leaves = try leafIDs(question.compactMap { $0["id"]?.string })
      func isHeavy(_ one: JSONValue) -> Bool {
        leaves[JSONText(one["id"]?.string ?? "")]?.count ?? 0 > CouchDBServer.manyLeaves
      }
      let (heavy, light) = (question.filter(isHeavy), question.filter { !isHeavy($0) })
      if !heavy.isEmpty {
        return try (light.isEmpty ? [] : revisions(light)) + heavy.map { try alone($0, trouble) }
      }
      guard question.count > CouchDBServer.least else { throw self.trouble(trouble) }
    }
    let half = question.count / 2
    return try revisions(Array(question[..<half])) + revisions(Array(question[half...]))
  }

  private func alone(_ question: JSONValue, _ trouble: ServerTrouble) throws -> Told {
    guard case .silent = trouble else { return try unread(question, trouble) }
    do {
      return try ask([question], silence: patience.long)[0]
    } catch StoreError.server(_, let trouble) where trouble.mayBeOfOneDocument {
      return try unread(question, trouble)
    }
  }

  /// - Throws: what went wrong, where the server does not even tell the leaves.
  private func unread(_ question: JSONValue, _ trouble: ServerTrouble) throws -> Told {
    let (id, why) = (question["id"]?.string ?? "", trouble.ofOneDocument(patience))
    if trouble.mayBeOfAllDocuments { try checkAnswers() }
    if let revision = question["rev"]?.string { return (id, [ServerRevision(revision, failure: why)]) }
    let leaves = try leafIDs([id])[JSONText(id)] ?? []
    if leaves.isEmpty { throw self.trouble(trouble) }
    if case .silent = trouble { return (id, leaves.sorted().map { ServerRevision($0, failure: why) }) }
    let each = leaves.sorted().map { JSONValue.object(["id": .string(id), "rev": .string($0)]) }
    return (
      id, try each.inBatches(of: CouchDBServer.least).flatMap { try revisions($0) }.flatMap(\.revisions)
    )
  }

  /// Whether it answers at all: for a document that is not there.
  ///
  /// - Throws: what goes wrong with that one, too.
  private func checkAnswers() throws {
    _ = try ask([.object(["id": .string("no document has this name")])], silence: nil)
  }

  private func revisions(in answer: JSONValue, _ count: Int) throws -> [(
    id: String, revisions: [ServerRevision]
  )] {
    let results = answer["results"]?.elements ?? []
    if let trouble = ServerTrouble(results.count, of: count, "documents") { throw self.trouble(trouble) }
    return try results.map { result in
      guard let id = result["id"]?.string, let told = result["docs"]?.elements else {
        throw trouble(.cut("it answers with no documents"))
      }
      return (id, try told.compactMap { try revision($0, of: id) })
    }
  }

  /// nil for what is not kept. What the server cannot tell now is there all the same.
  private func revision(_ told: JSONValue, of document: String) throws -> ServerRevision? {
    if let id = told["ok"]?["_id"]?.string, JSONText(id) != JSONText(document) {
      throw trouble(.astray("it tells a revision of another document than it was asked about"))
    }
    if let revision = told["ok"].flatMap({ ServerRevision($0) }) { return revision.checked }
    let (error, reason) = (
      told["error"]?["error"]?.string, told["error"]?["reason"]?.string ?? "it says no more"
    )
    if error == "not_found" || told["missing"] != nil { return nil }
    guard let id = told["error"]?["rev"]?.string, id != "undefined" else {
      throw trouble(.refused(status: 200, reason))
    }
    // The reason is the server's own, and may quote what it could not read.
    return ServerRevision(id, failure: "\(told: error ?? "an error"): “\(hidden: reason)”")
  }
}

/// Whether a leaf that cannot be read is a deletion: its document's winner is told with the names of all others.
extension CouchDBServer {
  func tellingDeletions(_ leaves: [ServerRevision], of id: String) throws -> [ServerRevision] {
    if leaves.allSatisfy(\.isFateTold) { return leaves }
    let deleted = try deletions(of: id, leaves)
    return leaves.map { leaf in
      leaf.isFateTold ? leaf : leaf.unread(isDeleted: deleted.map { $0.contains(leaf.id) })
    }
  }

  /// nil where the winner itself cannot be read: it comes with its body.
  private func deletions(of id: String, _ leaves: [ServerRevision]) throws -> Set<String>? {
    do {
      let query = ["conflicts": "true", "deleted_conflicts": "true"]
      let answer = try ask("GET", url(CouchDBServer.parts(of: id), query))
      if answer.status == 404, answer.reason == "deleted" { return Set(leaves.map(\.id)) }
      guard answer.isFine else { return nil }
      return Set((answer.json["_deleted_conflicts"]?.elements ?? []).compactMap(\.string))
    } catch StoreError.server(_, _) {
      return nil
    }
  }
}

extension [CouchDBServer.Told] {
  /// The same in the order in which it was asked for.
  fileprivate func inOrder(of question: [JSONValue]) -> [CouchDBServer.Told] {
    var told = Dictionary(grouping: self) { JSONText($0.id) }
    return question.compactMap { one in
      let id = JSONText(one["id"]?.string ?? "")
      return told[id]?.isEmpty ?? true ? nil : told[id]?.removeFirst()
    }
  }
}

extension ServerTrouble {
  /// nil for as many rows as were asked for.
  init?(_ rows: Int, of asked: Int, _ what: String) {
    if rows == asked { return nil }
    self =
      rows < asked
      ? .cut("it answers for \(rows) of \(asked) \(what)")
      : .astray("it answers for \(rows) \(what), and was asked about \(asked)")
  }

  /// Whether the server may well answer for the other documents.
  fileprivate var mayBeOfOneDocument: Bool {
    switch self {
    case .tooLong, .tooMany, .silent, .unreadable, .cut: true
    // What a row says of its document comes with 200.
    case .refused(let status, _): status == 200 || status >= 500
    case .notReached, .insecure, .astray, .slow, .nameADatabase, .notLoggedIn, .notJSON, .redirected, .busy:
      false
    }
  }

  /// Whether the server may as well answer for none.
  fileprivate var mayBeOfAllDocuments: Bool {
    switch self {
    case .cut, .refused: true
    case .notReached, .insecure, .astray, .silent, .slow, .nameADatabase, .tooLong, .tooMany, .notLoggedIn,
      .notJSON, .unreadable, .redirected, .busy:
      false
    }
  }

  /// Why a document cannot be read that was asked for alone.
  fileprivate func ofOneDocument(_ patience: CouchDBServer.Patience) -> Evidence {
    switch self {
    case .tooLong(let limit): "it has more than \(limit >> 20) MB"
    case .tooMany(let values): "it has more than \(values / 1_000_000) million values"
    case .silent: "the server said nothing for \(patience.long / 60) minutes"
    case .unreadable(let reason): "\(told: reason)"
    // The server's own words, which may quote what it could not read.
    case .refused(_, let reason): "the server says “\(hidden: reason)”"
    case .cut: "each answer with it is cut off"
    case .notReached, .insecure, .astray, .slow, .nameADatabase, .notLoggedIn, .notJSON, .redirected, .busy:
      "nobody knows why"
    }
  }
}
