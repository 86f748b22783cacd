import Foundation
import Samples
import Testing

@testable import parley

/// A document may have more leaves than two, and what the third and later ones have stands in no column.
@Suite("The values of further leaves")
struct LeafValueTests {
  private static let document = "book-walden"

  /// - Parameter body: gets the ids of its three live leaves, the winner first.
  private func withWalden(_ body: (_ path: String, _ leaves: [String]) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.cloudant, in: folder + "/demo")
      try body(path, try live(path))
    }
  }

  private func shown(_ path: String) throws -> [String: Any] {
    try #require(try Live.run("show", path, Self.document, "--json").objects().first)
  }

  private func live(_ path: String) throws -> [String] {
    let leaves = try shown(path)["leaves"] as? [[String: Any]] ?? []
    #expect(leaves.map { $0["winner"] as? Bool } == [true, false, false, false])
    return leaves.filter { $0["deleted"] as? Bool == false }.compactMap { $0["id"] as? String }
  }

  @Test("are shown with the leaves that have them, and so is which of all wins")
  func show() throws {
    try withWalden { path, leaves in
      let told = Live.run("show", path, Self.document).output
      #expect(told.contains("    S3  352  (\(leaves[2].prefix(8)))\n"), "\(told)")
      #expect(told.contains("    R  352  (suggested: leaf 3)\n"), "\(told)")
      #expect(told.contains("  C client: present, revision \(leaves[0]), the winner\n"), "\(told)")
      let fields = try shown(path)["fields"] as? [[String: Any]] ?? []
      let pages = try #require(fields.first { $0["name"] as? String == "pages" })
      let further = try #require(pages["furtherLeaves"] as? [[String: Any]])
      #expect(further.map { $0["value"] as? Int } == [352])
      #expect(further.map { $0["leaves"] as? [String] } == [[leaves[2]]])
      let price = try #require(fields.first { $0["name"] as? String == "price" })
      #expect((price["furtherLeaves"] as? [Any])?.isEmpty == true)
    }
  }

  /// A document with a leaf for each, the winner first.
  private func withLeaves(_ values: [some CustomStringConvertible], _ body: (_ path: String) throws -> Void)
    throws
  {
    try withTemporaryFolder { folder in
      let builder = try DatastoreBuilder(folder: folder, name: "shop")
      let leaves = values.enumerated().map { place, value in
        SampleRevision("2-\(99 - place)", on: "1-aa", #"{"n":\#(value)}"#)
      }
      try builder.add("doc", [SampleRevision("1-aa", #"{"n":0}"#)] + leaves)
      try builder.close()
      try body(folder + "/shop.touchdb")
    }
  }

  @Test("that many leaves have are told once, and of very many the first", arguments: [3, 9])
  func many(values: Int) throws {
    try withLeaves((1...20).map { $0 % values + 1 }) { path in
      let told = Live.run("show", path, "doc").output
      #expect(told.matches(of: /\n    S\d+  \d  \(2-\d+/).count == (values == 3 ? 3 : 5), "\(told)")
      #expect(told.contains(" more leaves)\n") == (values == 3), "\(told)")
      #expect(told.contains("       4 more values of ") == (values == 9), "\(told)")
    }
  }

  @Test("of many are told as lost by a way whichever leaf has changed them", arguments: [4, 5])
  func lost(count: Int) throws {
    try withLeaves(Array(1...count)) { path in
      let shown = Live.run("show", path, "doc").output
      let said = Live.run([path, "--plain"], input: "o\nq\nq\n").output
      for told in [shown, said] {
        #expect(told.contains("delete it; loses what any leaf changed: n"), "\(told)")
        let ofOthers = told.contains("take the winner's record; loses what any other leaf changed: n")
        // Three others are told one by one.
        #expect(ofOthers == (count == 5), "\(told)")
      }
    }
  }

  @Test(
    "of leaves that cannot be read are told as not counted, and no field is sure without them",
    arguments: [
      (0, "take all of them into account."), (1, "leave out the one that "), (2, "leave out the 2 that "),
    ])
  func unread(count: Int, words: String) throws {
    let unread = Array(repeating: #"1,"n":2"#, count: count)
    try withLeaves(["1", "0", "0"] + unread) { path in
      let told = Live.run("show", path, "doc").output
      let note = "\(3 + count) leaves are live. Suggestions \(words)"
      #expect(told.contains("  note: " + note), "\(told)")
      let reason = count == 0 ? "~ n: only client changed" : "! n: a leaf cannot be read"
      #expect(told.contains("\n  \(reason)\n"), "\(told)")
      let accepted = Live.run("resolve", path, "doc", "--accept", "sure", "--dry-run").output
      #expect(accepted.contains("  undecided: n\n") == (count > 0), "\(accepted)")
    }
  }

  @Test("are counted in words that fit one more of them")
  func oneMore() throws {
    try withLeaves([1, 2, 3, 3, 3, 4, 5, 6]) { path in
      let told = Live.run("show", path, "doc").output
      #expect(told.contains("\n    S3  3  (2-97, 2-96, and 1 more leaf)\n"), "\(told)")
      let said = Live.run([path, "--plain"], input: "q\n").output
      #expect(said.contains("Leaf 7: 5. 1 more value of leaves, which v says."), "\(said)")
    }
    try withLeaves(Array(1...23)) { path in
      let said = Live.run([path, "--plain"], input: "v\nq\n").output
      let all = "\n1 more value of leaves. parley show \(path) --json doc tells all.\n"
      #expect(said.contains(all), "\(said)")
    }
    try withLeaves(Array(1...5)) { path in
      let told = Live.run("show", path, "doc").output
      #expect(told.contains("\n  and 1 more leaf: --json tells its id\n"), "\(told)")
    }
  }

  @Test(
    "that look like another version are told by what does not show, and by v too",
    arguments: [
      ([#"{"a":1}"#, "3", #""{\"a\":1}""#], "client and leaf 3", "C JSON, S3 TEXT"),
      ([#""a b""#, #""c""#, #""a\u00a0b""#], "client and leaf 3", "C U+0020, S3 U+00A0"),
      (["2", "3", "[1]", #""[1]""#], "leaf 3 and leaf 4", "S3 JSON, S4 TEXT"),
    ])
  func lookalikes(values: [String], who: String, told: String) throws {
    let words = "\(who) differ in what does not show: \(told)"
    try withLeaves(values) { path in
      let shown = Live.run("show", path, "doc").output
      #expect(shown.contains("    · \(words)\n"), "\(shown)")
      let said = Live.run([path, "--plain"], input: "v\nq\n").output
      let sentence = "\n\(words.prefix(1).uppercased())\(words.dropFirst()).\n"
      let parts = said.components(separatedBy: "\nn, ancestor: 0\n")
      #expect(parts.count == 2 && parts.allSatisfy { $0.contains(sentence) }, "\(said)")
    }
  }

  @Test("that differ in signs which nobody sees are told by them, and each is said by its number")
  func unseen() throws {
    try withLeaves(["2", #""a\u202eb""#, #""a\u202db""#]) { path in
      let words = "server and leaf 3 differ in what does not show: S U+202E, S3 U+202D"
      let shown = Live.run("show", path, "doc").output
      #expect(shown.contains("    · \(words)\n"), "\(shown)")
      let said = Live.run([path, "--plain"], input: "q\n").output
      #expect(said.contains("Server: a[U+202E]b.") && said.contains("Leaf 3: a[U+202D]b."), "\(said)")
    }
  }

  @Test("that are heard alike are told by what does not, and those that a side has are not told twice")
  func heardAlike() throws {
    try withLeaves(["2", "3", #""2""#]) { path in
      let said = Live.run([path, "--plain"], input: "q\n").output
      #expect(
        said.contains("\nClient and leaf 3 differ in what does not show: C INTEGER, S3 TEXT.\n"), "\(said)")
    }
    try withLeaves(["2", #""2""#, #""2""#]) { path in
      let said = Live.run([path, "--plain"], input: "q\n").output
      #expect(said.components(separatedBy: "differ in what does not show").count == 2, "\(said)")
    }
  }

  @Test("are told in a draft by the number of their leaf, of the server's as of the others")
  func drafted() throws {
    try withWalden { path, _ in
      let lines = "\n  pages: 300 → 352  (leaf 3)\n  stock: 1 → 2  (leaf 2)\n"
      let decided = Live.run("resolve", path, Self.document, "--accept", "all")
      #expect(decided.output.contains(lines), "\(decided)")
      #expect(Live.run("write", path, Self.document, "--dry-run").output.contains(lines))
    }
    try withLeaves([1, 2]) { path in
      let told = Live.run("resolve", path, "doc", "--set", "n=server", "--dry-run").output
      #expect(told.contains("\n  n: 1 → 2  (server)\n"), "\(told)")
    }
  }

  @Test("are taken by the leaf's id, or the beginning of it, as the desk takes them")
  func taken() throws {
    try withWalden { path, leaves in
      for id in [leaves[2], String(leaves[2].prefix(8)), String(leaves[2].prefix(4))] {
        let told = Live.run("resolve", path, Self.document, "--set", "pages=leaf:\(id)", "--dry-run")
        #expect(told.output.contains("pages: 300 → 352  (leaf 3)"), "\(told)")
      }
      let set = ["pages=leaf:\(leaves[2])", "stock=leaf:\(leaves[1])", "price=leaf:\(leaves[0])"]
      let told = Live.run(["resolve", path, Self.document] + set.flatMap { ["--set", $0] })
      #expect(told.status == .nothingLeft, "\(told)")
      let export = try Live.run("resolve", path, "--export").objects()
      let choices = export.map { "\($0["field"] as? String ?? ""): \($0["choice"] as? String ?? "")" }
      #expect(choices.sorted() == ["pages: value", "price: client", "stock: server"])
      #expect(export.contains { $0["merged"] as? Bool == true })
      let whole = Live.run("resolve", path, Self.document, "--set", "record=\(leaves[2].prefix(8))")
      #expect(whole.status == .nothingLeft, "\(whole)")
    }
  }

  @Test(
    "are told as those of all leaves that have them, as which one was named is not kept",
    arguments: [
      ([2, 0, 0], "n=leaf:2-97", "n: 2 → 0  (leaves 2 and 3)"),
      ([1, 2, 5, 5], "n=leaf:2-96", "n: 1 → 5  (leaves 3 and 4)"),
      ([1, 2, 5, 5], "record=2-96", "n: 1 → 5  (leaves 3 and 4)"),
      ([1, 5, 5, 7], "record=2-97", "n: 1 → 5  (leaves 2 and 3)"),
      ([1, 2, 5, 5, 5, 5, 5], "n=leaf:2-94", "n: 1 → 5  (leaves 3, 4, 5, and 2 more)"),
      ([1, 2, 5, 4], "n=leaf:2-97", "n: 1 → 5  (leaf 3)"),
    ])
  func ofSeveral(values: [Int], choice: String, told: String) throws {
    try withLeaves(values) { path in
      let run = Live.run("resolve", path, "doc", "--set", choice, "--dry-run")
      #expect(run.output.contains(told + "\n"), "\(run)")
      guard values == [1, 2, 5, 5] else { return }
      let said = Live.run([path, "--plain"], input: "e leaf:2-96\nq\n").output
      #expect(said.contains("Decided: n, leaves 3 and 4 taken: 5."), "\(said)")
    }
  }

  @Test("by log of many changes of one field up to a hundred are told, and all of them in JSON")
  func logOfMany() throws {
    try withTemporaryFolder { folder in
      let builder = try DatastoreBuilder(folder: folder, name: "shop")
      let leaves = (1...3).map { leaf in
        let keys = (1...40).map { "\"k\($0)\":\(leaf)" }.joined(separator: ",")
        return SampleRevision("\(leaf)", on: "a", "{\"n\":{\(keys)}}")
      }
      try builder.add("doc", [SampleRevision("a", #"{"n":{}}"#)] + leaves)
      try builder.close()
      let path = folder + "/shop.touchdb"
      Live.run("resolve", path, "doc", "--set", #"n=json:{"q":1}"#)
      let log = Live.run("log", path, "doc").output.split(separator: "\n")
      #expect(log.filter { $0.contains("given up: n of ") }.count == 100, "\(log)")
      #expect(log.last?.hasSuffix("given up: 20 more of n; --json lists all") == true, "\(log)")
      let objects = try Live.run("log", path, "doc", "--json").objects()
      #expect((objects.first?["givenUp"] as? [Any])?.count == 120)
      // `D` said each of them.
      let said = Live.run([path, "--plain"], input: "D\nq\n").output.split(separator: "\n")
      #expect(said.filter { $0.hasPrefix("Given up: n of ") }.count == 100, "\(said)")
      let rest = "Given up: 20 more of n; parley log \(path) --given-up any --json lists all."
      #expect(said.contains { $0 == rest }, "\(said.suffix(3))")
    }
  }

  @Test("of more changes than anybody reads the first are kept, and how many more they are")
  func logOfMore() throws {
    try withTemporaryFolder { folder in
      let builder = try DatastoreBuilder(folder: folder, name: "shop")
      let leaves = (1...3).map { leaf in
        let keys = (1...150).map { "\"k\($0)\":\(leaf)" }.joined(separator: ",")
        return SampleRevision("\(leaf)", on: "a", "{\"n\":{\(keys)}}")
      }
      try builder.add("doc", [SampleRevision("a", #"{"n":{}}"#)] + leaves)
      try builder.close()
      let path = folder + "/shop.touchdb"
      let preview = Live.run("resolve", path, "doc", "--set", #"n=json:{"k1":2}"#).output
      #expect(preview.contains("given up: 146 more of n; --json lists 97 of them\n"), "\(preview)")
      let objects = try Live.run("log", path, "doc", "--json").objects()
      let lost = try #require(objects.first?["givenUp"] as? [[String: Any]])
      let counted = lost.filter { $0["more"] != nil }
      #expect(lost.count == 103 && counted.count == 1 && counted[0]["more"] as? Int == 49, "\(counted)")
      #expect(counted[0]["field"] as? String == "n" && counted[0]["kept"] as? Bool == false)
    }
  }

  @Test("a text that is a leaf's id is asked about, whether it is whole or as it is shown")
  func asked() throws {
    try withWalden { path, leaves in
      for id in [leaves[2], String(leaves[2].prefix(8))] {
        let told = Live.run("resolve", path, Self.document, "--set", "title=\(id)", "--dry-run")
        #expect(told.status == .usage, "\(told)")
        #expect(told.errors.contains("--set title=leaf:\(leaves[2].prefix(8)). "), "\(told)")
        #expect(told.errors.contains("--set 'title=text:\(id)'."), "\(told)")
        let text = Live.run("resolve", path, Self.document, "--set", "title=text:\(id)", "--dry-run")
        #expect(text.output.contains("title: Walden → \(id)  (edited)"), "\(text)")
      }
      let date = Live.run("resolve", path, Self.document, "--set", "title=2-6", "--dry-run")
      #expect(date.output.contains("title: Walden → 2-6  (edited)"), "\(date)")
    }
  }

  @Test("a text that is the beginning of several leaves' ids is asked about with all that live")
  func askedOfSeveral() throws {
    try withTemporaryFolder { folder in
      let builder = try DatastoreBuilder(folder: folder, name: "shop")
      let leaves = (1...2).map { SampleRevision("2-abcdef\($0)\($0)", on: "1-aa", #"{"n":\#($0)}"#) }
      let deleted = SampleRevision.tombstone("2-abcdef33", on: "1-aa")
      try builder.add("doc", [SampleRevision("1-aa", #"{"n":0}"#)] + leaves + [deleted])
      try builder.close()
      let path = folder + "/shop.touchdb"
      let told = Live.run("resolve", path, "doc", "--set", "n=2-abcdef")
      #expect(told.status == .usage, "\(told)")
      #expect(told.errors.contains("2-abcdef could be several leaves: 2-abcdef2, 2-abcdef1. "), "\(told)")
      #expect(told.errors.contains("For the text: --set 'n=text:2-abcdef'."), "\(told)")
      // One that could be that of a live leaf alone, and of a deleted one.
      let one = Live.run("resolve", path, "doc", "--set", "n=2-abcdef1").errors
      #expect(one.contains("For the leaf's: --set n=leaf:2-abcdef1. "), "\(one)")
      let ended = Live.run("resolve", path, "doc", "--set", "n=2-abcdef3").errors
      #expect(ended.contains("2-abcdef3 is the id of a deleted leaf"), "\(ended)")
    }
  }

  @Test("of a leaf that is not there, or could be several, is told")
  func unknown() throws {
    try withWalden { path, leaves in
      let none = Live.run("resolve", path, Self.document, "--set", "pages=leaf:9-ff", "--dry-run")
      #expect(none.status == .usage, "\(none)")
      #expect(none.errors.contains("is called 9-ff. Live leaves: \(leaves[0].prefix(8)), "), "\(none)")
      #expect(none.errors.contains(". For the text: --set 'pages=text:leaf:9-ff'."), "\(none)")
      let text = Live.run("resolve", path, Self.document, "--set", "pages=text:leaf:9-ff", "--dry-run")
      #expect(text.output.contains("pages: 300 → leaf:9-ff  (edited)"), "\(text)")
      for choice in ["pages=leaf:2-", "record=2-"] {
        let several = Live.run("resolve", path, Self.document, "--set", choice, "--dry-run")
        #expect(several.status == .usage, "\(several)")
        #expect(several.errors.contains("2- could be several leaves: "), "\(several)")
        let isText = several.errors.contains(". For the text: --set 'pages=text:leaf:2-'.")
        #expect(isText == (choice != "record=2-"), "\(several)")
      }
    }
  }

  @Test("are asked for without an id, which is told so")
  func unnamed() throws {
    try withLeaves([1, 2, 3]) { path in
      let told = Live.run("resolve", path, "doc", "--set", "n=leaf:").errors
      #expect(told.contains("No leaf is named. Live leaves: 2-99, 2-98, 2-97. "), "\(told)")
    }
  }

  @Test("are asked about without a screen by what is answered there")
  func answers() throws {
    try withWalden { path, leaves in
      let id = leaves[2].prefix(8)
      let ids = ["\(id)", "leaf:9-ff", "leaf:2-", "server", "NULL", "theirs", "blob:zz"]
      let typed = ids.map { "e \($0)\n" }.joined()
      let told = Live.run([path, "--plain"], input: "/ Walden\nf\n\(typed)q\n").output
      #expect(!told.contains("--set ") && !told.contains("parley show"), "\(told)")
      for way in [
        "For the leaf's: e leaf:\(id). For the text: e text:\(id).",
        "v says what each has. For the text: e text:leaf:9-ff.",
        "For the text: e text:leaf:2-.", "For a side: s. For the word: e text:server.",
        "For NULL: e null:. For the word: e text:NULL.",
        "For a side: c, s or a. For the word: e text:theirs.",
        "hexadecimal digits: e blob:00ff. For the bytes of a file: e file:PATH.",
      ] {
        #expect(told.contains(way), "\(told)")
      }
    }
  }

  @Test("are said without a screen, and taken there")
  func said() throws {
    try withWalden { path, leaves in
      let id = leaves[2].prefix(8)
      let told = Live.run([path, "--plain"], input: "/ Walden\nf\nv\ne leaf:\(id)\nq\n").output
      #expect(told.contains("\nLeaf 3: 352.\n"), "\(told)")
      #expect(told.contains("\npages, leaf 3, \(id): 352\n"), "\(told)")
      #expect(told.contains("takes leaf 3: 352."), "\(told)")
      #expect(told.contains("Decided: pages, leaf 3 taken: 352."), "\(told)")
    }
  }
}
