import CouchDBServers
import ExactJSON
import Foundation
import Merging
import Telling
import Testing

@testable import CloudantStores
@testable import CouchDBStores
@testable import Journals
@testable import Samples
@testable import StoreInterface

/// How conflicts are found on a server, who may ask it, and what is told when it does not answer as it should.
@Suite struct CouchDBReadTests {
  let bench: CouchDBBench

  init() throws { bench = try CouchDBBench() }

  private func graft(_ id: String, isConflict: Bool = true) throws {
    let id = JSONValue.string(id).text
    try bench.database.graft(
      (isConflict ? ["bb", "aa"] : ["bb"]).map { #"{"_id":\#(id),"_rev":"1-\#($0)","title":"\#($0)"}"# })
  }

  private func list() throws -> [String] { try summaries(of: try bench.open(.reading)).map(\.id).sorted() }

  private func changesSince() -> [String] {
    bench.server.faults.requests.filter { $0.path.hasSuffix("_changes") }.compactMap {
      $0.target.split(separator: "&").first { $0.hasPrefix("since=") }.map(String.init)
    }
  }

  @Test func theNextStartReadsOnlyWhatHasChangedSince() throws {
    for number in 1...30 { try graft("d\(number)", isConflict: number.isMultiple(of: 10)) }
    #expect(try list() == ["d10", "d20", "d30"])
    try graft("e")
    try bench.database.edit(#"{"_id":"d20","_rev":"1-aa","_deleted":true}"#)
    bench.server.faults.forgetRequests()
    #expect(try list() == ["d10", "d30", "e"])
    #expect(changesSince().allSatisfy { $0 != "since=0" }, "\(changesSince())")
    #expect(try list() == ["d10", "d30", "e"])
  }

  /// Its sequences would be taken, and start over without a sign.
  @Test func aDatabaseThatWasMadeAnewIsReadFromItsBeginning() throws {
    try graft("old")
    #expect(try list() == ["old"])
    bench.server.deleteDatabase("shop")
    _ = try bench.server.makeDatabase("shop")
    try graft("new")
    #expect(try list() == ["new"])
  }

  /// The same store reads on: it may be a desk that is open for days.
  @Test func aDatabaseThatIsMadeAnewWhileItIsOpenIsReadFromItsBeginning() throws {
    for number in 1...9 { try graft("old\(number)") }
    let store = try bench.open(.reading)
    #expect(try summaries(of: store).count == 9)
    bench.server.deleteDatabase("shop")
    _ = try bench.server.makeDatabase("shop")
    try graft("new")
    #expect(try summaries(of: store).map(\.id) == ["new"])
    _ = try findings(of: store)
  }

  @Test(arguments: [true, false]) func aDatabaseThatIsMadeAnewMeanwhileIsToldOnce(isWalk: Bool) throws {
    try graft("old")
    let (store, server, gate) = (try bench.open(.reading), bench.server, Gate())
    server.faults.add(Fault(.wait(gate), path: "_changes"))
    Thread.detachNewThread {
      gate.waitUntilReached()
      server.deleteDatabase("shop")
      _ = try? server.makeDatabase("shop")
      gate.open()
    }
    #expect(throws: StoreError.server(path: bench.url, .cut("the database was made anew meanwhile"))) {
      if isWalk { _ = try summaries(of: store) } else { _ = try findings(of: store) }
    }
    try graft("new")
    #expect(try summaries(of: store).map(\.id) == ["new"])
  }

  @Test func aPurgeMeanwhileEndsNoReading() throws {
    for id in ["gone", "milk"] { try graft(id) }
    let store = try bench.open(.reading)
    #expect(try bench.database.purge("gone", ["1-aa", "1-bb"]).count == 2)
    #expect(try summaries(of: store).map(\.id) == ["milk"])
    _ = try findings(of: store)
    #expect(try list() == ["milk"])
  }

  /// A cluster tells behind the number which of its copies replied first.
  @Test(
    arguments: [
      (#""5-g1AAAAB""#, #""5-g1AAAAC""#, true), (#""5-g1AAAAB""#, #""6-g1AAAAB""#, false), ("5", "5", true),
      ("5", "6", false), (#""0""#, "0", true),
    ])
  func ofWhatWasPurgedTheNumberAloneTells(one: String, other: String, isSame: Bool) throws {
    let identities = try [one, other].map {
      DatabaseIdentity(try JSONValue(parsing: #"{"instance_start_time":"1700","purge_seq":\#($0)}"#))
    }
    #expect((identities[0] == identities[1]) == isSame)
  }

  @Test func idsOfAnyKindAreReadAndWritten() throws {
    let ids = ["..", "a/../b", "a+b", "%41", "ä ö", "x?y#z", "\u{1}", "_design/app", "p:q"]
    for id in ids { try graft(id) }
    #expect(try list() == ids.sorted())
    let store = try bench.open()
    #expect(try store.conflict("_design/app").table == "_design")
    for id in ids {
      #expect(
        try store.write([try #require(try plan(id, in: store))], note: nil).map(\.outcome) == [.fine], "\(id)"
      )
    }
    #expect(try list().isEmpty)
  }

  @Test func fiveThousandLeavesAreOneConflict() throws {
    try bench.database.graft((1...5000).map { #"{"_id":"many","_rev":"1-\#($0)","n":\#($0)}"# })
    let store = try bench.open()
    #expect(try summaries(of: store).map(\.leafCount) == [5000])
    #expect(try store.tree("many") != nil)
  }

  @Test func numbersStayAsTheServerWritesThem() throws {
    try bench.database.graft(
      #"{"_id":"n","_rev":"1-bb","big":12345678901234567890123,"a":1}"#,
      #"{"_id":"n","_rev":"1-aa","big":12345678901234567890123,"a":2}"#)
    let store = try bench.open()
    #expect(try store.write([try #require(try plan("n", in: store))], note: nil).map(\.outcome) == [.fine])
    let kept = try #require(try store.documents(["n"]).first?.live.first)
    #expect(kept.members["big"] == .literal("12345678901234567890123"))
  }

  /// Where it was compacted, and where another replica is given that has it.
  private func storesOfAReplica() throws -> (bare: CouchDBStore, helped: CouchDBStore) {
    try bench.database.graft(
      #"{"_id":"milk","_rev":"1-aa","stock":5,"title":"Milk","unit":"l"}"#,
      #"{"_id":"milk","_rev":"2-bb","_revisions":{"start":2,"ids":["bb","aa"]},"stock":4,"title":"Milk","unit":"l"}"#,
      #"{"_id":"milk","_rev":"2-aa","_revisions":{"start":2,"ids":["aa","aa"]},"stock":5,"title":"Oat milk","unit":"l"}"#
    )
    let copy = try bench.server.makeDatabase("copy")
    try bench.database.replicate(to: copy)
    let address = try #require(ServerAddress(bench.server.url + "/copy"))
    let bare = try CouchDBStore.open(
      CouchDBServer(address, .netrc(file: nil)), environment: bench.environment)
    let helped = try CouchDBStore.open(
      CouchDBServer(address, .netrc(file: nil)), ancestors: bench.open().server,
      environment: bench.environment)
    return (bare, helped)
  }

  @Test func anAncestorThatWasCompactedIsTakenFromAnotherReplica() throws {
    let (bare, helped) = try storesOfAReplica()
    #expect(try bare.conflict("milk").versions.ancestor?.isUnknown == true)
    let conflict = try helped.conflict("milk")
    #expect(conflict.certainty == .sure)
    #expect(conflict.details.notes == ["The body of the common ancestor is from \(bench.url)."])
    let report = Privacy.redacted(by: RedactionKey()).notes(of: conflict)
    #expect(report.count == 1 && !report[0].contains(bench.url), "\(report)")
  }

  private func decisions(on seen: RecordConflict, _ choices: [Subject: Choice]) -> [Decision] {
    seen.decisions(about: Array(choices.keys), in: Resolution(choices: choices), at: 1)
  }

  private func takingTheServers(of seen: RecordConflict) -> [Subject: Choice] {
    Dictionary(uniqueKeysWithValues: seen.subjects.map { ($0, Choice.take(.server)) })
  }

  /// Nothing of it has changed.
  @Test func whatWasDecidedWithoutAnAncestorIsNotSaidToHaveChangedByItself() throws {
    let (bare, helped) = try storesOfAReplica()
    let seen = try bare.conflict("milk")
    let decisions = decisions(on: seen, takingTheServers(of: seen))
    #expect(DecidedConflict(seen, decisions: decisions).draft != nil)
    let now = DecidedConflict(try helped.conflict("milk"), decisions: decisions)
    #expect(now.isMoved)
    #expect(now.summary.movedWords == "it, or the ancestors given with it, changed since it was decided")
    #expect(now.conflict.whatChanged == "it, or the ancestors given with it, changed")
  }

  /// A server compacts by itself, whoever has decided what. What nobody had changed by the ancestor is nothing to decide after that, too.
  @Test func whatWasDecidedIsReadyStillOnceTheServerHasCompacted() throws {
    let (_, helped) = try storesOfAReplica()
    let store = try bench.open()
    let seen = try store.conflict("milk")
    let asAWhole = decisions(on: seen, [.record: .alternative("server")])
    let byFields = decisions(on: seen, takingTheServers(of: seen))
    #expect(try helped.conflict("milk").versions.ancestor?.isPresent == true)
    try bench.database.compact()
    let now = try bench.open().conflict("milk")
    #expect(now.versions.ancestor?.isUnknown == true)
    #expect(now.undecided(in: Resolution()).contains(.field("unit")))
    for decisions in [asAWhole, byFields] {
      let before = DecidedConflict(seen, decisions: decisions)
      let decided = DecidedConflict(now, decisions: decisions)
      #expect(before.draft != nil && !decided.isMoved, "\(decided.undecided)")
      for name in ["stock", "title", "unit"] { #expect(decided.draft?[name] == before.draft?[name]) }
    }
  }
}

/// Once the server has compacted.
extension CouchDBReadTests {
  /// Neither leaf has the field that was given a value, and without the ancestor nobody knows it.
  @Test func aValueThatWasTypedIntoAFieldThatIsGoneThenIsNotDroppedUnsaid() throws {
    try bench.database.graft(
      #"{"_id":"tea","_rev":"1-aa","stock":5,"note":"old"}"#,
      #"{"_id":"tea","_rev":"2-bb","_revisions":{"start":2,"ids":["bb","aa"]},"stock":4}"#,
      #"{"_id":"tea","_rev":"2-aa","_revisions":{"start":2,"ids":["aa","aa"]},"stock":3}"#)
    let seen = try bench.open().conflict("tea")
    let choices: [Subject: Choice] = [.field("stock"): .take(.server), .field("note"): .edit(.text("kept"))]
    let decisions = decisions(on: seen, choices)
    #expect(DecidedConflict(seen, decisions: decisions).isDecided)
    try bench.database.compact()
    let now = DecidedConflict(try bench.open().conflict("tea"), decisions: decisions)
    #expect(now.dropped == [.field("note")] && now.isMoved && now.draft == nil)
  }

  @Test func whoDecidesAgainHasNoMoreToDecideThanBefore() throws {
    _ = try storesOfAReplica()
    try bench.database.compact()
    let now = try bench.open().conflict("milk")
    #expect(now.undecided(in: Resolution()).map(\.name).sorted() == ["stock", "title", "unit"])
    let choices = [Subject.field("stock"): Choice.take(.server), .field("title"): .take(.client)]
    #expect(now.undecided(in: Resolution(choices: choices)).isEmpty)
    #expect(now.draft(Resolution(choices: choices))?["unit"] == .text("l"))
  }
}

/// Who asks.
extension CouchDBReadTests {
  @Test func eachWayToTellWhoAsksIsTaken() throws {
    let bench = try CouchDBBench(admin: (name: "admin", password: "s3cret"))
    try bench.database.setSecurity(members: ["mia"])
    bench.server.addUser("mia", password: "pass word+")
    for login in [("admin", "s3cret"), ("mia", "pass word+")] {
      let known = Credentials.password(ServerAddress.Login(name: login.0, password: login.1))
      #expect(try summaries(of: try bench.open(.reading, known)).isEmpty)
    }
    for wrong in [
      Credentials.netrc(file: nil), .bearer("nothing"), .password(.init(name: "mia", password: "x")),
    ] {
      #expect {
        try bench.open(.reading, wrong)
      } throws: {
        guard case StoreError.server(_, .notLoggedIn)? = $0 as? StoreError else { return false }
        return !"\($0)".contains("s3cret") && !"\($0)".contains("pass word")
      }
    }
  }

  @Test func theEnvironmentTellsWhoAsks() throws {
    let bench = try CouchDBBench(admin: (name: "admin", password: "s3cret"))
    let address = try #require(ServerAddress(bench.url))
    let folder = try TestFolder()
    let file = folder.path("netrc")
    try "machine 127.0.0.1 login admin password s3cret\n".write(
      toFile: file, atomically: true, encoding: .utf8)
    let given = [["PARLEY_USER": "admin", "PARLEY_PASSWORD": "s3cret"], ["NETRC": file]]
    for environment in given {
      let known = Credentials(address, environment: environment)
      #expect(try summaries(of: try bench.open(.reading, known)).isEmpty, "\(environment.keys)")
    }
    #expect(Credentials(address, environment: ["PARLEY_TOKEN": "a.b"]) == .bearer("a.b"))
    #expect(
      Credentials(
        address, environment: ["PARLEY_IAM_KEY": "k", "PARLEY_IAM_URL": "https://here/identity/token"])
        == .iam(key: "k", service: "https://here"))
  }

  /// The server would be told an empty password, and nobody else would be asked.
  @Test(arguments: ["", "mia@"])
  func aNameWithoutAPasswordIsPassedOver(user: String) throws {
    let address = try #require(ServerAddress("https://\(user)here/db"))
    let name = ["PARLEY_USER": "admin", "PARLEY_PASSWORD": ""]
    #expect(Credentials(address, environment: name) == .netrc(file: nil))
    #expect(Credentials(address, environment: name.merging(["NETRC": "/n"]) { $1 }) == .netrc(file: "/n"))
    #expect(Credentials(address, environment: name.merging(["PARLEY_TOKEN": "a.b"]) { $1 }) == .bearer("a.b"))
    let both = name.merging(["PARLEY_PASSWORD": "s3cret", "PARLEY_TOKEN": "a.b"]) { $1 }
    let known = ServerAddress.Login(name: user.isEmpty ? "admin" : "mia", password: "s3cret")
    #expect(Credentials(address, environment: both) == .password(known))
  }

  @Test func severalWhoAskAtOnceLogInOnce() throws {
    let bench = try CouchDBBench(admin: (name: "admin", password: "s3cret"))
    let store = try bench.open(.reading, .password(.init(name: "admin", password: "s3cret")))
    bench.server.advanceClock(by: 10_000)
    let answers = try Array(repeating: "nothing", count: 12).askedAtOnce { try store.server.leafIDs([$0]) }
    #expect(answers.count == 12)
    let logins = bench.server.faults.requests.count { $0.path == "/_session" && $0.method == "POST" }
    #expect(logins == 2)
  }

  @Test func aSessionThatIsOverIsMadeAgainOnce() throws {
    let bench = try CouchDBBench(admin: (name: "admin", password: "s3cret"))
    let store = try bench.open(.reading, .password(.init(name: "admin", password: "s3cret")))
    bench.server.advanceClock(by: 10_000)
    #expect(try summaries(of: store).isEmpty)
    let logins = bench.server.faults.requests.filter { $0.path == "/_session" && $0.method == "POST" }
    #expect(logins.count == 2)
  }

  @Test(arguments: ["http://me:s3cret@h/db", "https://me:s3cret@h:1/x/db?q=s3cret"])
  func whatIsSecretInAnAddressIsNowhereElse(text: String) throws {
    let address = try #require(ServerAddress(text))
    #expect(address.login == ServerAddress.Login(name: "me", password: "s3cret"))
    #expect(!address.url.contains("s3cret") && !address.url.contains("me@"))
    #expect(!JournalPath.of(url: address.url).contains("s3cret"))
  }

  @Test func anAddressIsTakenApart() {
    let cases: [(String, String?, String?)] = [
      ("https://h", "https://h", nil), ("http://H:5984/a", "http://h:5984", "a"),
      ("https://h/couch/a%2Fb/", "https://h/couch", "a/b"), ("ftp://h/a", nil, nil), ("https://", nil, nil),
      // As name servers know it.
      ("https://Ex\u{e4}mple.invalid/a", "https://xn--exmple-cua.invalid", "a"),
      ("http://[::1]:5984/a", "http://[::1]:5984", "a"),
    ]
    for (text, server, database) in cases {
      #expect(ServerAddress(text)?.server == server, "\(text)")
      #expect(ServerAddress(text)?.database == database, "\(text)")
    }
  }
}

/// What goes wrong on the way.
extension CouchDBReadTests {
  static let faults: [(Fault.Effect, String)] = [
    (
      .answer(status: 503, body: Array(#"{"error":"x","reason":"overloaded"}"#.utf8)),
      "refused it: overloaded"
    ),
    (
      .answer(status: 502, headers: [(name: "Content-Type", value: "text/html")], body: Array("<html>".utf8)),
      "not CouchDB"
    ),
    (
      .answer(status: 200, headers: [(name: "Content-Type", value: "text/html")], body: Array("<html>".utf8)),
      "not CouchDB"
    ),
    (
      .answer(status: 302, headers: [(name: "Location", value: "https://elsewhere/")]),
      "sends on to https://elsewhere,"
    ),
    (.answer(status: 429, headers: [(name: "Retry-After", value: "900")]), "less often"),
    (.cutAnswer(afterBytes: 0), "cut off"), (.cutAnswer(afterBytes: 30), "cut off"),
    (.wrongLength(10), "cut off"),
  ]

  @Test(arguments: ["_changes", "_bulk_get", "shop"], faults.indices)
  func eachFaultIsToldWithAWayOut(path: String, index: Int) throws {
    let (effect, words) = Self.faults[index]
    // All rows and the end of the feed have come then.
    if case .wrongLength = effect, path == "_changes" { return }
    try graft("milk")
    let store = try bench.open(.reading)
    bench.server.faults.add(Fault(effect, count: 100, path: path))
    let asked = {
      if path == "shop" { _ = try self.bench.open(.reading) } else { _ = try summaries(of: store) }
    }
    #expect {
      try asked()
    } throws: { error in
      guard let error = error as? StoreError, case .server = error else { return false }
      return error.words.contains(words) && error.words.hasSuffix(".")
    }
    bench.server.faults.removeAll()
    #expect(try list() == ["milk"], "and it goes on afterwards")
  }

  @Test func aServerThatWantsToBeAskedLessIsAskedAgain() throws {
    try graft("milk")
    bench.server.faults.add(
      Fault(.answer(status: 429, headers: [(name: "Retry-After", value: "0")]), count: 3, path: "_bulk_get"))
    #expect(try list() == ["milk"])
  }

  /// The request is sent with no credentials to where a server sends it on.
  @Test func nobodyIsFollowedToAnotherHost() throws {
    let other = try LoopbackCouchDB()
    defer { other.stop() }
    bench.server.faults.add(
      Fault(.answer(status: 307, headers: [(name: "Location", value: other.url + "/shop")]), path: "shop"))
    #expect(throws: StoreError.self) { try bench.open(.reading) }
    #expect(other.faults.requests.isEmpty)
  }

  @Test func aServerThatNeverEndsIsLeftWhenNobodyWaits() throws {
    bench.server.faults.add(Fault(.neverAnswer(isCarriedOut: false), path: "_changes"))
    let store = try bench.open(.reading)
    #expect(throws: StoreError.noAnswer(path: bench.url)) {
      try StoreCall(deadline: .now + .milliseconds(200)).answered { try summaries(of: store) }
    }
    bench.server.faults.add(
      Fault(.streamForever(piece: String(repeating: " ", count: 1 << 20)), path: "_changes"))
    #expect(throws: StoreError.server(path: bench.url, .tooLong(limit: LineSplitter.limit))) {
      try summaries(of: store)
    }
  }

  @Test func whatOthersChangeIsHeardOf() throws {
    let store = try bench.open(.reading)
    let before = store.traces()
    try graft("milk")
    #expect(store.leavesOther(than: before))
  }

  /// One without documents tells no change, and what is shown of the other is there no more.
  @Test func anotherDatabaseOfTheNameIsHeardOf() throws {
    var patience = CouchDBServer.Patience()
    patience.afterBreak = 0
    let store = try bench.open(.reading, patience: patience)
    let before = store.traces()
    bench.server.deleteDatabase("shop")
    _ = try bench.server.makeDatabase("shop")
    #expect(store.leavesOther(than: before))
    let empty = store.traces()
    try graft("milk")
    #expect(store.leavesOther(than: empty))
  }
}
