import Foundation
import GRDB
import Testing

@testable import parley

@Suite("The sample datastores, from list to undo")
struct CloudantSampleTests {
  private func titles(_ folder: String) throws -> [String] {
    try Live.run("list", folder, "--json").objects().compactMap { $0["title"] as? String }
  }

  @Test(
    "a folder is opened by what is in it; all is written, and comes back with undo",
    arguments: ["cloudant", "android"])
  func cycle(kind: String) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      #expect(Live.run("demo", "--store", kind, "--write", path).status == .nothingLeft)
      let before = try titles(path)
      #expect(before.count == 12)
      #expect(Live.run("resolve", path, "--accept", "all").status == .nothingLeft)
      #expect(Live.run("write", path, "--yes").status == .nothingLeft)
      #expect(try titles(path).isEmpty)
      #expect(Live.run("undo", path, "--yes").status == .nothingLeft)
      #expect(try titles(path).sorted() == before.sorted())
    }
  }

  @Test(
    "a copy whose name is taken is told where it is decided, and called ready nowhere",
    arguments: ["book-emma", "book-walden"])
  func nameOfTheCopy(id: String) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      let database = try SampleStores.make(.cloudant, in: path)
      let shown = try #require(Live.run("show", path, id).output.firstMatch(of: /new documents? ([^ ;,\n]+)/))
        .1
      let files = try DatabaseQueue(path: database)
      try files.write {
        try $0.execute(
          sql: "UPDATE docs SET docid = ? WHERE docid = 'book-deleted-elsewhere'", arguments: [String(shown)])
      }
      let tried = Live.run("resolve", path, id, "--set", "record=both", "--dry-run")
      #expect(
        tried.status == .refused && tried.errors.contains("has the name that its copy would get"), "\(tried)")
      for _ in 0..<2 {
        let run = Live.run("resolve", path, id, "--set", "record=both")
        #expect(run.status == .refused && run.errors.contains("the store would refuse this draft"), "\(run)")
      }
      #expect(Live.run("list", path, "--find", "is:ready").output.isEmpty)
      let show = Live.run("show", path, id).output
      let told = "refused by the store when it was asked last: "
      #expect(show.contains(told) && show.contains("  --set record=keep: "), "\(show)")
      let json = try Live.run("write", path, id, "--json").objects()
      #expect(json.map { $0["state"] as? String } == ["refused"])
      #expect(Live.run("resolve", path, id, "--set", "record=keep").status == .nothingLeft)
      #expect(Live.run("write", path, id, "--yes").status == .nothingLeft)
    }
  }

  @Test("what a write changed of attachments is told with its fields, as a take-back shows them")
  func attachmentsOfAWrite() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try SampleStores.make(.cloudant, in: path)
      let all = try Live.run("list", path, "--json").objects().compactMap { $0["id"] as? String }
      Live.run("resolve", path, "--accept", "all")
      #expect(Live.run("write", path, "--yes").status == .nothingLeft)
      let names = try all.flatMap { try Live.run("log", path, $0, "--json").objects() }
        .filter { $0["kind"] as? String == "write" }
        .compactMap { $0["changes"] as? [[String: Any]] }
        .map { $0.compactMap { $0["name"] as? String } }
      #expect(
        names.contains { $0.suffix(2) == ["_attachments/back.txt", "_attachments/cover.txt"] }, "\(names)")
      let told = all.flatMap { Live.run("log", path, $0).lines }.filter { $0.contains("…/back.txt: ") }
      #expect(told.contains { $0.contains("text/plain 8 B #") }, "\(told)")
      #expect(told.allSatisfy { !$0.contains("digest") }, "\(told)")
    }
  }

  @Test("the decisions on documents with any number of leaves outlast a write and its undo")
  func decisionsStay() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try SampleStores.make(.cloudant, in: path)
      func states() throws -> [String?] {
        try Live.run("list", path, "--json").objects().map { $0["state"] as? String }
      }
      Live.run("resolve", path, "--accept", "all")
      #expect(try states() == Array(repeating: "ready", count: 12))
      #expect(Live.run("write", path, "--yes").status == .nothingLeft)
      let undo = Live.run("undo", path, "--yes")
      #expect(undo.status == .nothingLeft && undo.output.contains("The decisions stay"))
      #expect(try states() == Array(repeating: "ready", count: 12))
    }
  }

  @Test("both versions are kept by name, and the undo takes the new document back")
  func both() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try SampleStores.make(.cloudant, in: path)
      let shown = Live.run("show", path, "book-emma").output
      let line = try #require(shown.split(separator: "\n").first { $0.contains("record=both: ") })
      let name = try #require(line.split(separator: " ").last.map(String.init))
      #expect(name.hasPrefix("book-emma-copy-") && !line.contains("loses"))
      let told = Live.run("show", path, "book-emma", "--json").output
      #expect(told.contains(#""newRecords":["\#(name)"]"#))
      let redacted = Live.run("show", path, "book-emma", "--json", "--redact").output
      #expect(redacted.contains(#""name":"both""#) && !redacted.contains("-copy-"))
      let words = "keep both: the winner here, and leaf 2 as the new document \(name)"
      let resolve = Live.run("resolve", path, "book-emma", "--set", "record=both")
      #expect(resolve.status == .nothingLeft && resolve.output.contains(words), "\(resolve.output)")
      let rehearsal = Live.run("write", path, "--dry-run").output
      #expect(rehearsal.contains(words) && !rehearsal.contains("delete"), "\(rehearsal)")
      #expect(Live.run("write", path, "--dry-run", "--json").output.contains(#""action":"both""#))
      #expect(Live.run("write", path, "--sql").output.contains("INSERT INTO \"main\".\"docs\""))
      #expect(Live.run("write", path, "--yes").status == .left, "the other conflicts")
      #expect(try !titles(path).contains("Emma"))
      #expect(Live.run("log", path, "book-emma").output.contains("made \(name)"))
      let back = "deletes \(name), which the write made"
      #expect(Live.run("undo", path, "--dry-run").output.contains(back))
      #expect(Live.run("undo", path, "--dry-run", "--json").output.contains(#""deletes":["\#(name)"]"#))
      #expect(Live.run("undo", path, "--yes").status == .nothingLeft)
      #expect(Live.run("log", path, "book-emma").output.contains("deleted \(name)"))
      #expect(try titles(path).contains("Emma"))
    }
  }

  @Test("a document is shown with its revision tree, and takes JSON")
  func document() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try SampleStores.make(.cloudant, in: path)
      let shown = Live.run("show", path, "book-ulysses").output
      #expect(shown.contains("  revisions\n    1-"))
      #expect(shown.contains("   winner"))
      let decide = ["resolve", path, "book-ulysses", "--set", #"shelf=json:{"floor":1.10}"#]
      #expect(Live.run(decide).status == .nothingLeft)
      let kept = Live.run("resolve", path, "book-emma", "--set", "record=delete").output
      #expect(kept.contains("delete the document") && !kept.contains("row"))
      #expect(
        Live.run("show", path, "book-ulysses", "--json").output.contains(
          #"{"json":"{\"floor\":1.10}"}"#))
      #expect(Live.run("resolve", path, "book-ulysses", "--set", "shelf=json:{oops").status == .refused)
    }
  }

  @Test("a folder with several datastores lists them")
  func several() throws {
    try withTemporaryFolder { folder in
      for name in ["one", "two"] {
        _ = try SampleStores.make(.android, in: folder + "/all/\(name)")
        try FileManager.default.moveItem(
          atPath: folder + "/all/\(name)/bookshop", toPath: folder + "/\(name)")
      }
      let paths = ["one", "two"].map { "\(folder)/\($0)/db.sync" }
      let list = Live.run("list", folder)
      #expect(list.status == .left)
      #expect(list.output == paths.map { "\($0)  12 conflicts.\n" }.joined())
      let json = Live.run("list", folder, "--json").output
      #expect(json == paths.map { "{\"path\":\"\($0)\",\"conflicts\":12}\n" }.joined())

      try write("no database", to: paths[0])
      let damaged = Live.run("list", folder)
      #expect(damaged.status == .cannotOpen && damaged.output == "\(paths[1])  12 conflicts.\n")
      #expect(damaged.errors.contains("\(paths[0]) is not a database"))

      // What else wants one store says which there are.
      for command in [["show"], ["write", "--yes"], ["doctor"]] {
        let run = Live.run([command[0], folder] + command.dropFirst())
        #expect(run.status == .cannotOpen)
        #expect(
          run.errors.contains("holds 2 stores: \(paths[0]), \(paths[1]). Open one of them by its path."))
      }
    }
  }

  @Test(
    "a deletion that lost is accepted, and an old branch given up, only if it is named; what is safe is mended for all"
  )
  func mending() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try SampleStores.make(.cloudant, in: path)
      #expect(
        Live.run("doctor", path).output.contains(
          "4 findings; Parley can mend 1 of them: --mend; and 2 more if named"))
      #expect(Live.run("doctor", path, "--mend", "--yes").status == .left)
      let left = try Live.run("doctor", path, "--json").objects()
      let ids = left.compactMap { $0["finding"] as? String }
      #expect(
        ids == ["deletion-lost:book-deleted-elsewhere", "spurious:book-old-branch", "two-roots:book-twice"])
      #expect(Live.run("doctor", path, ids[0], "--mend", "--yes").status == .nothingLeft)
      #expect(Live.run("doctor", path, ids[0]).status == .usage)
      // A record's own name is enough, as it is what the list shows.
      #expect(Live.run("doctor", path, "book-old-branch").output.contains("spurious:book-old-branch"))
      // It is part of the past of its document.
      let log = Live.run("log", path, "book-deleted-elsewhere").output
      #expect(log.contains("what was found is mended"), "\(log)")
      for _ in 1...2 { #expect(Live.run("undo", path, "--yes").status == .nothingLeft) }
      #expect(
        Live.run("doctor", path).output.contains(
          "4 findings; Parley can mend 1 of them: --mend; and 2 more if named"))
    }
  }

  @Test(
    "what is offered to be mended is named as it was shown, and left alone where it is something else by then"
  )
  func mendingAsShown() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.cloudant, in: folder + "/demo")
      let offer = Live.run("doctor", path, "spurious:book-old-branch", "--mend")
      #expect(offer.status == .usage)
      let found = offer.errors.firstMatch(of: #/spurious=[0-9a-f]{8}:book-old-branch/#)
      let name = try String(#require(found).output)
      let other = Live.run("doctor", path, "spurious=00000000:book-old-branch", "--mend", "--yes")
      #expect(other.status == .moved && other.errors.contains("is not what was shown any more"), "\(other)")
      #expect(Live.run("doctor", path, "spurious=0000:book-old-branch", "--mend", "--yes").status == .usage)
      #expect(Live.run("doctor", path, name).output.contains("spurious:book-old-branch"))
      #expect(Live.run("doctor", path, name, "--mend", "--yes").status == .nothingLeft)
    }
  }

  @Test("an outbox, which no datastore has, is refused with the way out, and nothing is written")
  func outbox() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try SampleStores.make(.cloudant, in: path)
      Live.run("resolve", path, "--accept", "all")
      let refused = Live.run("write", path, "--yes", "--outbox")
      #expect(refused.status == .usage)
      #expect(refused.errors.contains("so it has no outbox. Leave --outbox out"))
      #expect(try titles(path).count == 12)
      #expect(Live.run("write", path, "--yes", "--direct").status == .nothingLeft)
    }
  }

  private static let twice = #"stock=json:{"a":1,"a":2}"#
  private static let nested = "stock=json:" + String(repeating: "[", count: 250)

  @Test(
    "a key takes any JSON, whatever its values are so far; what is typed without a type is read as they are",
    arguments: [
      ("title=json:[1,true]", Status.nothingLeft, ""), ("title=integer:3", .nothingLeft, ""),
      ("stock=text:many", .nothingLeft, ""), ("stock=json:null", .nothingLeft, ""),
      ("stock=7", .nothingLeft, ""), ("title=7", .nothingLeft, ""), ("stock=7.5", .nothingLeft, ""),
      ("stock=many", .refused, "stock is a number so far, and this is none. Say another type in front"),
      ("title=blob:00ff", .refused, "title takes JSON"), ("title=0x1F", .nothingLeft, ""),
      ("stock=0x1F", .refused, "stock is a number so far"),
      ("stock=+5", .refused, "stock is a number so far"),
      ("stock=.5", .refused, "stock is a number so far"), ("stock=5.", .refused, "stock is a number so far"),
      (twice, .refused, "stock takes JSON, and this is none: the object has this name twice. Give"),
      (nested, .refused, "stock takes JSON, and this is none: nested deeper than 200 levels. Give"),
      ("stock=json:+5", .refused, "stock takes JSON, and this is none: no value begins like this. Give"),
      (#"title=json:"\ud800""#, .refused, "title"), (#"stock=json:[1e400]"#, .refused, "stock"),
    ])
  func anyType(choice: String, status: Status, words: String) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try SampleStores.make(.cloudant, in: path)
      let run = Live.run("resolve", path, "book-emma", "--accept", "all", "--set", choice)
      #expect(run.status == status && (words.isEmpty || run.errors.contains(words)))
      guard status == .nothingLeft else { return }
      #expect(Live.run("write", path, "book-emma", "--yes").status == .nothingLeft)
    }
  }

  @Test("a number stays one also where a version lacks the key")
  func numberOfAKeyThatWasAdded() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try SampleStores.make(.cloudant, in: path)
      Live.run("resolve", path, "book-cover", "--set", "stock=3")
      let shown = Live.run("show", path, "book-cover", "--json").output
      #expect(shown.contains(#""decision":{"source":"edited","value":3},"type":"integer""#), "\(shown)")
    }
  }

  @Test(
    "an attachment is taken from a leaf or left out; anything else is refused when it is decided",
    arguments: [
      ("server", Status.nothingLeft), ("json:", .nothingLeft), ("x", .refused), ("text:client", .refused),
      ("blob:00", .refused), ("null:", .refused),
    ])
  func attachment(value: String, status: Status) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try SampleStores.make(.cloudant, in: path)
      let choice = ["--set", "_attachments/cover.txt=" + value]
      let run = Live.run(["resolve", path, "book-cover", "--accept", "all"] + choice)
      #expect(run.status == status)
      #expect(run.errors.contains("is a file, which is taken from a leaf as it is") == (status == .refused))
      #expect(
        Live.run("write", path, "book-cover", "--yes").status
          == (status == .nothingLeft ? .nothingLeft : .left))
    }
  }

  /// Of a replica nobody has the journal, and so it is of a copy of the datastore alone. What an undo brings back has other ids, too.
  @Test("whose bytes are printed is said in the words in which they are chosen", arguments: ["", "leaf:"])
  func attachmentOfALeaf(form: String) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.cloudant, in: folder + "/demo")
      let shown = try #require(try Live.run("show", path, "book-cover", "--json").objects().first)
      let leaves = try #require(shown["leaves"] as? [[String: Any]]).compactMap { $0["id"] as? String }
      let read = leaves.map {
        Live.run("show", path, "book-cover", "--attachment", "cover.txt", "--of", form + $0).output
      }
      #expect(read.contains("a new cover") && read.contains("an old cover"), "\(read)")
      let run = Live.run("show", path, "book-cover", "--attachment", "cover.txt", "--of", form + "9-none")
      #expect(run.status == .usage && run.errors.contains("\(form)9-none is no side of"), "\(run)")
    }
  }

  @Test("what was decided about other leaves with the same values is not taken, unless it is in force here")
  func ofOtherLeaves() throws {
    try withTemporaryFolder { folder in
      let paths = try ["one", "other"].map { try SampleStores.make(.android, in: folder + "/" + $0) }
      #expect(Live.run("resolve", paths[0], "book-dracula", "--accept", "all").status == .nothingLeft)
      let exported = Live.run("resolve", paths[0], "--export")
      try write(exported.output, to: folder + "/decided")
      try AttackedStore.change(paths[1]) { db in
        try db.execute(
          sql: """
            UPDATE revs SET revid = revid || '0'
            WHERE deleted = 0 AND sequence NOT IN (SELECT parent FROM revs WHERE parent IS NOT NULL)
            """)
      }
      let told = try Live.run("apply", paths[1], folder + "/decided", "--json").objects()
      #expect(told.count == exported.lines.count && !told.isEmpty)
      for line in told {
        #expect(line["outcome"] as? String == "moved", "\(line)")
        #expect(line["detail"] as? String == "this was decided about another conflict of the record")
      }
      #expect(Live.run("resolve", paths[1], "--export").output.isEmpty)
      #expect(Live.run("write", paths[0], "book-dracula", "--yes").output.contains("written: book-dracula"))
      #expect(Live.run("undo", paths[0], "--yes").status == .nothingLeft)
      let again = try Live.run("apply", paths[0], folder + "/decided", "--json").objects()
      #expect(again.allSatisfy { $0["detail"] as? String == "as before" }, "\(again)")
    }
  }

  @Test("a value of another type than a key has had is taken, and told")
  func otherType() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try SampleStores.make(.cloudant, in: path)
      let run = Live.run("resolve", path, "book-dracula", "--set", "stock=text:many")
      #expect(
        run.errors
          == "parley: book-dracula: stock: the app may not be able to read it: it was a number on every "
          + "side, and would be text now. It is taken all the same.\n")
      #expect(run.output.contains("many"))
      #expect(Live.run("resolve", path, "book-dracula", "--set", "stock=7").errors.isEmpty)
      try appliedOtherType(path)
    }
  }

  private func appliedOtherType(_ path: String) throws {
    let fields = try #require(
      try Live.run("show", path, "book-dracula", "--json").objects().first?["fields"] as? [[String: Any]])
    let stock = try #require(fields.first { $0["name"] as? String == "stock" })
    let print = try #require(stock["fingerprint"] as? String)
    let line = { (value: String) in
      #"{"id":"book-dracula","field":"stock","choice":"value","value":\#(value),"fingerprint":"\#(print)"}"#
    }
    for options in [["--dry-run"], ["--json"]] {
      let run = Live.run(["apply", path, "-"] + options, input: line("\"many\""))
      #expect(run.status == .nothingLeft, "\(run)")
      #expect(
        run.errors
          == "parley: line 1: book-dracula: stock: the app may not be able to read it: it was a number on every "
          + "side, and would be text now. It is taken all the same.\n")
      if options == ["--json"] {
        let odd = try run.objects().first?["odd"] as? String
        #expect(odd == "it was a number on every side, and would be text now", "\(run)")
      }
    }
    let run = Live.run(["apply", path, "-", "--json"], input: line("8"))
    #expect(try run.errors.isEmpty && run.objects().first?.keys.contains("odd") == false, "\(run)")
  }
}
