import Foundation
import Merging
import StoreInterface
import Telling
import Testing

@testable import parley

/// What is decided against a side is told before the write, and can be found again by `parley log --given-up`.
@Suite("What is given up") struct GivenUpTests {
  @Test("is told by resolve, by write before it writes, and in JSON, be it the server's or the client's own")
  func toldBefore() {
    let session = Session([Samples.dentist, Samples.invoice])
    let decide = ["resolve", "a.sqlite", "D1", "--set", "title=client", "--set", "weight=server"]
    let lines = "  given up: title of the server: Call Dr. Wu\n  given up: weight of the client: 2.0\n"
    let json = #""givenUp":[{"side":"server","leaf":null,"field":"title","kept":true,"value":"Call Dr. Wu"},"#
    let told = session.run(decide + ["--accept", "all", "--dry-run"]).output
    #expect(told.hasSuffix(lines) && told.contains("  weight: 2.0 → 4.0  (server)\n"), "\(told)")
    #expect(session.run(decide).output.hasSuffix("  undecided: priority\n" + lines))
    #expect(session.run(decide + ["--accept", "all", "--json"]).output.contains(json))
    for rehearsal in ["write a.sqlite", "write a.sqlite --dry-run"] {
      #expect(session.run(rehearsal).output.contains(lines))
      #expect(session.run(rehearsal + " --json").output.contains(json))
    }
    let whole = session.run("resolve a.sqlite I3 --set record=client").output
    #expect(whole.contains("  given up: the server's deletion\n"), "\(whole)")
    #expect(!Session([Samples.milk]).run("resolve a.sqlite --accept all").output.contains("given up"))
  }

  @Test("of many changes of one field the first are told, and how many more there are")
  func many() {
    let all = (1...7).map {
      GivenUp(.client, .change(field: "notes", LostPart(name: nil, old: nil, new: "word \($0)")))
    }
    let told = (all + [GivenUp(.server, .deletion)]).lines(.open, whole: "D lists") { $0.words(.open) }
    #expect(told.count == 7 && told[4] == #"given up: notes of the client: added "word 5""#, "\(told)")
    #expect(
      told[5] == "given up: 2 more of notes; D lists all" && told[6] == "given up: the server's deletion")
  }

  @Test("of more changes than are kept their number is told, and of what is shown where no more is only that")
  func counted() {
    let all = (1...100).map {
      GivenUp(.client, .change(field: "n", LostPart(name: "k\($0)", old: nil, new: "1")))
    }
    let more = GivenUp(.client, .more(field: "n", 41))
    func told(_ all: [GivenUp], most: Int) -> [String] {
      all.lines(.open, whole: "D lists", most: most) { $0.words(.open) }
    }
    let few = told(all + [more], most: 5)
    #expect(few.count == 6 && few.last == "given up: 136 more of n; D lists 95 of them", "\(few)")
    let many = told(all + [more], most: 100)
    #expect(many.count == 101 && many.last == "given up: 41 more of n", "\(many)")
    #expect(more.words(.open) == "n of the client: 41 more changes")
    #expect(GivenUp(.server, leaf: 3, .more(field: "n", 1)).words(.open) == "n of leaf 3: 1 more change")
  }

  @Test("of many changes some of each leaf are told, and of which leaves none is")
  func manyOfLeaves() {
    func lost(_ leaf: Int, _ count: Int) -> [GivenUp] {
      (1...count).map { number in
        let part = LostPart(name: "k\(number)", old: nil, new: "\(leaf)")
        return GivenUp(leaf == 1 ? .client : .server, leaf: leaf, .change(field: "n", part))
      }
    }
    func told(_ all: [GivenUp]) -> [String] { all.lines(.open, whole: "D lists") { $0.words(.open) } }
    #expect(
      told(lost(1, 6) + lost(2, 1) + lost(3, 2)) == [
        "given up: n of the client: k1: added 1", "given up: n of the client: k2: added 1",
        "given up: n of leaf 2: k1: added 2", "given up: n of leaf 3: k1: added 3",
        "given up: n of leaf 3: k2: added 3", "given up: 4 more of n; D lists all",
      ])
    let many = told((1...9).flatMap { lost($0, 2) })
    #expect(many.prefix(5).last == "given up: n of leaf 5: k1: added 5")
    #expect(many.last == "given up: 13 more of n, also of leaves 6, 7, 8, and 1 more; D lists all", "\(many)")
  }

  @Test("is told by --plain in the review and by D, in words")
  func plain() {
    var session = Session([Samples.dentist])
    session.input = ["D", "c", "", "", "w", "no", "D", "q"].map { $0 + "\n" }.joined()
    let told = session.run("a.sqlite --plain").output
    #expect(
      told.contains(
        "? help:\nNo edit of a side was given up so far, by a draft or by a write. What a mend sent is told by the log alone.\n"
      ),
      "\(told)")
    let review =
      told.components(separatedBy: "Draft 1.").last?.components(separatedBy: "Type yes").first ?? ""
    #expect(review.contains("\nGiven up: weight of the server: 4.0.\n"), "\(told)")
    #expect(
      told.contains("Call dentist: weight: client taken.\nGiven up: weight of the server: 4.0.\n"), "\(told)")
    let changed = GivenUp(.client, .change(field: "notes", LostPart(name: nil, old: "tea", new: "coffee")))
    let text = LinearText(time: TimeText(now: 0), words: session.store.info.words)
    #expect(text.lost(changed) == #"notes of the client: "tea" becomes "coffee""#)
  }

  @Test("where there is nothing, that is said, and not in JSON")
  func nothing() {
    let session = Session()
    let none =
      "No edit of a side was given up so far, by a draft or by a write. What a mend sent is told by the log alone.\n"
    #expect(session.run("log a.sqlite --given-up any").output == none)
    #expect(
      session.run("log a.sqlite --given-up client").output == none.replacing("a side", with: "the client"))
    #expect(
      session.run("log a.sqlite D1 --given-up any").output
        == "Nothing that was asked for gave up an edit of a side.\n")
    #expect(session.run("log a.sqlite --given-up any --json").output.isEmpty)
  }

  @Test("tells decision and write with the value, until the write is taken back and the decision forgotten")
  func given() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      func given(_ side: String, _ options: String...) throws -> [[String: Any]] {
        try Live.run(["log", path, "--given-up", side, "--json"] + options).objects()
      }
      #expect(try given("any").isEmpty)
      Live.run("resolve", path, "Groceries", "--set", "color=server")
      Live.run("resolve", path, "Groceries", "--accept", "sure")
      let decided = try given("client")
      let edit = try #require((decided.first?["givenUp"] as? [[String: Any]])?.first)
      #expect(decided.count == 1 && decided[0]["kind"] as? String == "decision")
      #expect(edit["field"] as? String == "color" && edit["side"] as? String == "client")
      #expect(edit["kept"] as? Bool == true && edit["value"] is Int)
      #expect(try given("server").isEmpty)
      let value = "\(edit["value"] ?? "")"
      let words = Live.run("log", path, "--given-up", "any").output
      #expect(words.contains("given up: color of the client: \(value)"))
      #expect(words.contains("Groceries: color: server taken"), "\(words)")
      #expect(Live.run("log", path, "Groceries").output.contains("given up: color of the client"))
      #expect(Live.run("write", path, "Groceries", "--yes").status != .usage)
      #expect(try given("client").map { $0["kind"] as? String } == ["write"], "each loss once")
      let decisions = Live.run("log", path, "--given-up", "client", "--kind", "decision", "--json")
      #expect(try decisions.objects().count == 1)
      Live.run("undo", path, "--yes")
      #expect(try given("client").map { $0["kind"] as? String } == ["decision"])
      Live.run("resolve", path, "Groceries", "--forget")
      #expect(try given("any").isEmpty)
      #expect(Live.run("log", path, "--given-up", "nobody").status == .usage)
    }
  }

  @Test("with --redact without any value, title, key or note, and with the names that apply takes")
  func redacted() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      Live.run("resolve", path, "--accept", "all", "--note", "as Ms. Zebra said")
      Live.run("resolve", path, "Groceries", "--set", "title=Typed by me")
      Live.run("write", path, "Groceries", "--yes")
      let names = Set(
        try Live.run("list", path, "--redact", "--json").objects().compactMap { $0["id"] as? String })
      for options in [["--given-up", "any"], []] {
        let lines = Live.run(["log", path, "--redact", "--json"] + options)
        for value in ["Groceries", "Typed", "Zebra", "5eed0000", "campsite", "Invoice", "umbrella"] {
          #expect(!lines.output.contains(value), "\(value)")
          #expect(!Live.run(["log", path, "--redact"] + options).output.contains(value), "\(value)")
        }
        let records = Set(try lines.objects().compactMap { $0["record"] as? String })
        #expect(!records.isEmpty && records.subtracting(names).count <= 1)
      }
    }
  }
}
