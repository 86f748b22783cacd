import CouchDBServers
import ExactJSON
import Foundation
import Merging
import Testing

@testable import CouchDBStores
@testable import RevisionTrees
@testable import StoreInterface

/// Both versions of a document kept on a server, which has no transactions.
@Suite struct KeptApartOnServerTests {
  let bench: CouchDBBench

  init() throws { bench = try CouchDBBench() }

  private static let copy = "milk-copy-2-aa"

  private static func attached(_ text: String) -> String {
    #""_attachments":{"note":{"content_type":"application/x","data":"\#(text)"}}"#
  }

  private static let milk = [
    #"{"_id":"milk","_rev":"1-aa","title":"Milk",\#(attached("b25l"))}"#,
    #"{"_id":"milk","_rev":"2-bb","_revisions":{"start":2,"ids":["bb","aa"]},"title":"Milk!",\#(attached("b25l"))}"#,
    #"{"_id":"milk","_rev":"2-aa","_revisions":{"start":2,"ids":["aa","aa"]},"title":"Oat",\#(attached("dHdv"))}"#,
  ]

  private func graft() throws { for document in Self.milk { try bench.database.graft(document) } }

  private func planned(in store: CouchDBStore, _ id: String = "milk") throws -> PlannedWrite {
    let seen = try store.conflict(id)
    return PlannedWrite(seen: seen, draft: Draft(id: id, action: .alternative(KeptApart.id)))
  }

  private func write(in store: CouchDBStore) throws -> CheckedWrite.Outcome {
    try #require(try store.write([planned(in: store)], note: nil).first).outcome
  }

  private func titles(_ id: String) throws -> [String] {
    let document = try bench.open().server.documents([id]).first
    return try (document?.live ?? []).map { try #require($0.members["title"]?.string) }
  }

  private var posts: [String] {
    bench.server.faults.requests.filter { $0.path.hasSuffix("_bulk_docs") }.map {
      String(decoding: $0.body, as: UTF8.self)
    }
  }

  @Test func theNewDocumentIsThereBeforeAnythingEnds() throws {
    try graft()
    let store = try bench.open()
    #expect(try write(in: store) == .fine)
    #expect(posts.count == 3)
    #expect(posts[0].contains(#""_id":"\#(Self.copy)""#) && posts[0].contains(#""data":"dHdv""#))
    #expect(posts[1].contains(#""_rev":"2-bb""#) && posts[1].contains(#""title":"Milk!""#))
    #expect(posts[1].contains(#""data":"b25l""#), "the other leaf has another one under that name")
    #expect(posts[2] == #"{"docs":[{"_deleted":true,"_id":"milk","_rev":"2-aa"}]}"#)
    #expect(try (titles("milk"), titles(Self.copy)) == (["Milk!"], ["Oat"]))
    #expect(try store.lastWrite()?.records.map(\.changes) == [WrittenChanges(newRecords: [Self.copy])])
    try expectAttachment("two", of: Self.copy, in: store)
    try expectAttachment("one", of: "milk", in: store)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    let deletion = posts.firstIndex { $0.contains(#"{"_deleted":true,"_id":"\#(Self.copy)""#) }
    let revival = posts.lastIndex { $0.contains(#""_id":"milk""#) && $0.contains(#""title":"Oat""#) }
    #expect(try #require(deletion) > #require(revival), "it ends when its content is back")
    #expect(try (titles("milk"), titles(Self.copy)) == (["Milk!", "Oat"], []))
  }

  private func expectAttachment(_ text: String, of id: String, in store: CouchDBStore) throws {
    let leaf = try #require(try store.server.documents([id]).first?.live.first?.id)
    #expect(try store.server.bytes("note", of: id, leaf)?.bytes == Array(text.utf8))
  }

  /// Wherever an answer ends: all is there twice, or once, and never less.
  @Test(arguments: [0, 1, 2])
  func whereverTheConnectionEndsBothAreThere(post: Int) throws {
    for (index, cut) in stride(from: 0, through: 240, by: 30).enumerated() {
      let bench = try CouchDBBench()
      for document in Self.milk { try bench.database.graft(document) }
      bench.server.faults.add(
        index.isMultiple(of: 2)
          ? Fault(.cutAnswer(afterBytes: cut), passing: post, path: "_bulk_docs")
          : Fault(.cutRequest(afterBytes: cut), passing: post, path: "_bulk_docs"))
      let store = try bench.open()
      let outcome = Result { try store.write([planned(in: store)], note: nil)[0].outcome }
      bench.server.faults.removeAll()
      try bench.open().finishInterruptedWrites()
      let live = try ["milk", Self.copy].map { try store.server.documents([$0]).first?.live.count ?? 0 }
      let (isDone, words) = (live == [1, 1], "\(outcome) at \(cut) of \(post)")
      #expect(isDone || live == [2, 0], "\(live): \(words)")
      // What was not known when it was written is known, and finished, by the next start.
      if (try? outcome.get()) == .fine { #expect(isDone, "\(words)") }
      if isDone { #expect(try store.undoLastWrite().map(\.outcome) == [.fine]) }
      #expect(try store.server.documents(["milk"]).first?.live.count == 2)
    }
  }

  @Test func whatTheServerKeepsSilentAboutIsFinishedByTheNextStart() throws {
    try graft()
    bench.server.faults.add(
      Fault(.cutAnswer(afterBytes: 0), passing: 1, count: 100, to: { $0.path.hasSuffix("_bulk_docs") }))
    let store = try bench.open()
    let planned = try planned(in: store)
    bench.server.faults.add(
      Fault(.cutRequest(afterBytes: 5), passing: 4, count: 100, to: { $0.path.hasSuffix("_bulk_get") }))
    _ = try? store.write([planned], note: nil)
    bench.server.faults.removeAll()
    let next = try bench.open()
    try next.finishInterruptedWrites()
    #expect(try (titles("milk"), titles(Self.copy)) == (["Milk!"], ["Oat"]))
    #expect(try next.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try (titles("milk"), titles(Self.copy)) == (["Milk!", "Oat"], []))
  }

  @Test func aNameThatAnotherDocumentHasIsNotTaken() throws {
    try graft()
    try bench.database.edit(#"{"_id":"\#(Self.copy)","title":"another"}"#)
    let store = try bench.open()
    let words = "another document has the name that its copy would get"
    #expect(try write(in: store) == .refused(field: nil, words))
    #expect(try (titles("milk"), titles(Self.copy)) == (["Milk!", "Oat"], ["another"]))
    #expect(posts.isEmpty)
  }

  @Test func aDocumentThatAnotherDeskHasMadeStaysAlsoAfterTheUndo() throws {
    try graft()
    let store = try bench.open()
    try bench.database.edit(#"{"_id":"\#(Self.copy)","title":"Oat",\#(Self.attached("dHdv"))}"#)
    #expect(try write(in: store) == .fine)
    #expect(posts.count == 2)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try (titles("milk"), titles(Self.copy)) == (["Milk!", "Oat"], ["Oat"]))
  }

  /// Of one length they are all told alike, but for the digest of what is stored.
  @Test func aTextIsNoCopyOfAnotherOfItsLength() throws {
    for document in Self.milkWithTexts { try bench.database.graft(document) }
    try bench.database.edit(
      #"{"_id":"\#(Self.copy)","title":"Oat","_attachments":{"note":{"content_type":"text/plain","data":"c2l4"}}}"#
    )
    let store = try bench.open()
    let words = "another document has the name that its copy would get"
    #expect(try write(in: store) == .refused(field: nil, words))
    #expect(try titles("milk") == ["Milk!", "Oat"])
  }

  @Test func aCopyWhoseTextIsPackedOtherwiseIsTheSame() throws {
    for document in Self.milkWithTexts { try bench.database.graft(document) }
    try bench.sendPacked("two", as: "note", of: #""_id":"\#(Self.copy)","title":"Oat""#, to: Self.copy)
    let store = try bench.open()
    #expect(try write(in: store) == .fine)
    #expect(posts.count == 2)
    #expect(try (titles("milk"), titles(Self.copy)) == (["Milk!"], ["Oat"]))
  }

  private static var milkWithTexts: [String] {
    milk.map { $0.replacingOccurrences(of: "application/x", with: "text/plain") }
  }

  @Test func whatIsRefusedBehindTheNewDocumentIsAPartThatTheUndoTakesBack() throws {
    try graft()
    try bench.database.setValidation { write throws(ValidationRefusal) in
      if write.document.name == "milk" { throw .forbidden("no milk") }
    }
    let store = try bench.open()
    guard case .partly(_, let why) = try write(in: store) else {
      Issue.record("it is written in part")
      return
    }
    #expect(why.contains("no milk"))
    #expect(try (titles("milk"), titles(Self.copy)) == (["Milk!", "Oat"], ["Oat"]))
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try (titles("milk"), titles(Self.copy)) == (["Milk!", "Oat"], []))
    try bench.database.setValidation(nil)
    #expect(try write(in: store) == .fine, "on the deletion")
    #expect(try (titles("milk"), titles(Self.copy)) == (["Milk!"], ["Oat"]))
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try (titles("milk"), titles(Self.copy)) == (["Milk!", "Oat"], []))
  }

  /// As another desk's undo brings one back.
  @Test func whereALeafComesInTheNewDocumentIsNamedBesideTheDraft() throws {
    try graft()
    let gate = Gate()
    bench.server.faults.add(Fault(.wait(gate), passing: 2, path: "_bulk_docs"))
    let database = bench.database
    Thread.detachNewThread {
      gate.waitUntilReached()
      try? database.graft(
        #"{"_id":"milk","_rev":"2-cc","_revisions":{"start":2,"ids":["cc","aa"]},"title":"Soy"}"#)
      gate.open()
    }
    let outcome = try write(in: bench.open())
    #expect(
      outcome
        == .partly(
          written: "the draft, \(Self.copy)",
          "another leaf came in meanwhile, so the document is still in conflict"))
  }

  @Test func aNewDocumentThatWentOnIsNotDeleted() throws {
    try graft()
    let store = try bench.open()
    #expect(try write(in: store) == .fine)
    let leaf = try #require(try bench.database.leaves(of: Self.copy).first)
    try bench.database.edit(#"{"_id":"\#(Self.copy)","_rev":"\#(leaf)","title":"Soy"}"#)
    let words = "the document that it made went on since it was written"
    #expect(try store.undoLastWrite().map(\.outcome) == [.moved(words)])
    #expect(try (titles("milk"), titles(Self.copy)) == (["Milk!"], ["Soy"]))
  }

  private func graftTitles() throws {
    for document in [
      #"{"_id":"milk","_rev":"2-bb","_revisions":{"start":2,"ids":["bb","aa"]},"title":"Milk!"}"#,
      #"{"_id":"milk","_rev":"2-aa","_revisions":{"start":2,"ids":["aa","aa"]},"title":"Oat"}"#,
    ] { try bench.database.graft(document) }
  }

  /// Another desk kept both alike, and took that back: of what it found there it deletes nothing. The former winner came back twice, so
  /// that it wins.
  @Test func itsDocumentIsDeletedWhereAnotherDeskHasBroughtTheLeavesBack() throws {
    try graftTitles()
    let store = try bench.open()
    #expect(try write(in: store) == .fine)
    let document = try #require(try store.server.documents(["milk"]).first)
    var last = try #require(document.live.first?.id)
    for _ in 1...2 {
      last = try bench.database.edit(#"{"_id":"milk","_rev":"\#(last)","title":"Milk!"}"#)
    }
    let tombstone = try #require(document.children(of: "2-aa").first)
    try bench.database.edit(#"{"_id":"milk","_rev":"\#(tombstone)","title":"Oat"}"#)
    let leaves = try bench.database.leaves(of: "milk")
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try (titles("milk"), titles(Self.copy)) == (["Milk!", "Oat"], []))
    #expect(try bench.database.leaves(of: "milk") == leaves)
  }

  /// With what it has nobody would find it.
  @Test func aNewDocumentThatStaysAsTheOtherWentOnIsNamed() throws {
    try graftTitles()
    let store = try bench.open()
    #expect(try write(in: store) == .fine)
    let draft = try #require(try bench.open().server.documents(["milk"]).first?.live.first?.id)
    try bench.database.edit(#"{"_id":"milk","_rev":"\#(draft)","title":"Soy"}"#)
    let words = "it went on since it was written; \(Self.copy) stays"
    #expect(try store.undoLastWrite().map(\.outcome) == [.moved(words)])
    #expect(try (titles("milk"), titles(Self.copy)) == (["Soy"], ["Oat"]))
  }

  /// A copy would be no user there, and a second replication here.
  @Test(arguments: ["_users", "_replicator"])
  func inADatabaseOfTheServersOwnNothingIsKeptApart(name: String) throws {
    let database =
      name == "_users" ? bench.server.database(name) : try bench.server.makeDatabase("jobs/_replicator")
    for document in Self.milk { try database.graft(document) }
    let address = name == "_users" ? name : "jobs%2F_replicator"
    let store = try bench.open(url: bench.server.url + "/" + address)
    let why = try #require(store.info.notBoth)
    #expect(try store.conflict("milk").alternative(KeptApart.id) == nil)
    #expect(try summaries(of: store).map(\.id) == ["milk"])
    #expect(try write(in: store) == .refused(field: nil, why), "it was decided by an older Parley")
    #expect((store.info.notUndone != nil) == (name == "_users"))
    #expect(store.info.writing.contains(name == "_users" ? "kept as its hash" : "(owner)"))
    _ = try store.write([try #require(try plan("milk", in: store))], note: nil)
    let takingBack = try #require(try store.lastWrite()).takingBack
    #expect(takingBack.contains("is deleted. Here that is refused: ") == (name == "_users"), "\(takingBack)")
    let checked = try store.checkUndo(.lastWrite).map(\.checked.outcome)
    let refused = store.info.notUndone.map { CheckedWrite.Outcome.refused(field: nil, $0) }
    #expect(checked == [refused ?? .fine], "a server that has none of its functions takes it")
  }

  @Test func twoDesksThatKeepBothEndInTwoDocumentsOfOneLeaf() throws {
    try graft()
    let other = try bench.server.makeDatabase("other")
    try bench.database.replicate(to: other)
    let stores = [try bench.open(), try bench.open(url: bench.server.url + "/other")]
    for store in stores { #expect(try write(in: store) == .fine) }
    try bench.database.replicate(to: other)
    try other.replicate(to: bench.database)
    for store in stores {
      #expect(try store.server.documents(["milk", Self.copy]).map(\.live.count) == [1, 1])
    }
  }
}

/// The same with a server that nobody here wrote.
@Suite(
  "Both kept on a real CouchDB", .enabled(if: RealCouchDB.url != nil, "PARLEY_COUCHDB_URL names no server"))
struct KeptApartOnRealServerTests {
  @Test func theCopyHasItsAttachmentAndGoesWithTheUndo() throws {
    let real = try RealCouchDB()
    let one = String(repeating: "1", count: 32)
    func leaf(_ digit: String, _ title: String, _ base64: String) -> String {
      let id = String(repeating: digit, count: 32)
      let attached = #"{"note":{"content_type":"text/plain","data":"\#(base64)"}}"#
      return #"{"_id":"milk","_rev":"2-\#(id)","_revisions":{"start":2,"ids":["\#(id)","\#(one)"]},"#
        + #""title":"\#(title)","_attachments":\#(attached)}"#
    }
    try real.graft([leaf("3", "Milk!", "b25l"), leaf("2", "Oat", "dHdv")])
    let store = try real.open()
    let seen = try store.conflict("milk")
    let copy = "milk-copy-2-22222222"
    #expect(seen.alternative(KeptApart.id)?.newRecords == [copy])
    let planned = PlannedWrite(seen: seen, draft: Draft(id: "milk", action: .alternative(KeptApart.id)))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    let made = try #require(try store.server.documents([copy]).first?.live.first)
    #expect(made.members["title"]?.string == "Oat" && made.id.hasPrefix("1-"))
    let note = try store.server.bytes("note", of: copy, made.id)
    #expect(note.map { $0.isPacked ? Gzip.unpacked($0.bytes, atMost: 9) : $0.bytes } == Array("two".utf8))
    #expect(try store.server.documents(["milk"]).first?.live.count == 1)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try store.server.documents([copy]).first?.live.isEmpty == true)
    #expect(try store.conflict("milk").liveLeaves.map(\.version) == seen.liveLeaves.map(\.version))
  }
}

extension JSON {
  fileprivate var name: String? {
    guard case .object(let members) = self,
      case .string(let name)? = members.first(where: { $0.name == "_id" })?.value
    else { return nil }
    return name
  }
}
