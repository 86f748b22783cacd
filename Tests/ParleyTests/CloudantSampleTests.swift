import Foundation
import Testing

@testable import parley

@Suite("The sample datastores, from list to undo")
struct CloudantSampleTests {
  private func titles(_ folder: String) throws -> [String] {
    let run = try Binary.run("list", folder, "--json")
    let objects = try Run(status: .left, output: run.output, errors: run.errors).objects()
    return objects.compactMap { $0["title"] as? String }
  }

  @Test(
    "a folder is opened by what is in it; all is written, and comes back with undo",
    arguments: ["cloudant", "android"])
  func cycle(kind: String) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      #expect(try Binary.run("demo", "--store", kind, "--write", path).status == 0)
      let before = try titles(path)
      #expect(before.count == 12)
      #expect(try Binary.run("resolve", path, "--accept", "all").status == 0)
      #expect(try Binary.run("write", path, "--yes").status == 0)
      #expect(try titles(path).isEmpty)
      #expect(try Binary.run("undo", path, "--yes").status == 0)
      #expect(try titles(path).sorted() == before.sorted())
    }
  }

  @Test("the decisions on documents with any number of leaves outlast a write and its undo")
  func decisionsStay() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try SampleStores.make(.cloudant, in: path)
      func states() throws -> [String?] {
        try Run(status: .left, output: Binary.run("list", path, "--json").output, errors: "").objects()
          .map { $0["state"] as? String }
      }
      _ = try Binary.run("resolve", path, "--accept", "all")
      #expect(try states() == Array(repeating: "ready", count: 12))
      #expect(try Binary.run("write", path, "--yes").status == 0)
      let undo = try Binary.run("undo", path, "--yes")
      #expect(undo.status == 0 && undo.output.contains("The decisions stay"))
      #expect(try states() == Array(repeating: "ready", count: 12))
    }
  }

  @Test("a document is shown with its revision tree, and takes JSON")
  func document() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try SampleStores.make(.cloudant, in: path)
      let shown = try Binary.run("show", path, "book-ulysses").output
      #expect(shown.contains("  revisions\n    1-"))
      #expect(shown.contains("   winner"))
      let decide = ["resolve", path, "book-ulysses", "--set", #"shelf=json:{"floor":1.10}"#]
      #expect(try Binary.run(decide).status == 0)
      #expect(
        try Binary.run("show", path, "book-ulysses", "--json").output.contains(
          #"{"json":"{\"floor\":1.10}"}"#))
      #expect(try Binary.run("resolve", path, "book-ulysses", "--set", "shelf=json:{oops").status == 5)
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
      let list = try Binary.run("list", folder)
      #expect(list.status == 1)
      #expect(list.output == paths.map { "\($0)  12 conflicts.\n" }.joined())
      let json = try Binary.run("list", folder, "--json").output
      #expect(json == paths.map { "{\"path\":\"\($0)\",\"conflicts\":12}\n" }.joined())

      try write("no database", to: paths[0])
      let damaged = try Binary.run("list", folder)
      #expect(damaged.status == 3 && damaged.output == "\(paths[1])  12 conflicts.\n")
      #expect(damaged.errors.contains("\(paths[0]) is not a database"))

      // What else wants one store says which there are.
      for command in [["show"], ["write", "--yes"], ["doctor"]] {
        let run = try Binary.run([command[0], folder] + command.dropFirst())
        #expect(run.status == 3)
        #expect(
          run.errors.contains("holds 2 stores: \(paths[0]), \(paths[1]). Open one of them by its path."))
      }
    }
  }

  @Test("a deletion that lost is accepted only if it is named, and what is safe is mended for all")
  func mending() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try SampleStores.make(.cloudant, in: path)
      #expect(try Binary.run("doctor", path).output.contains("4 findings; Parley can mend 2 of them"))
      #expect(try Binary.run("doctor", path, "--mend", "--yes").status == 1)
      let left = try Binary.run("doctor", path, "--json")
      let ids = try Run(status: .left, output: left.output, errors: "").objects().compactMap {
        $0["finding"] as? String
      }
      #expect(ids == ["deletion-lost:book-deleted-elsewhere", "two-roots:book-twice"])
      #expect(try Binary.run("doctor", path, ids[0], "--mend", "--yes").status == 1)
      #expect(try Binary.run("doctor", path, ids[0]).status == 2)
      for _ in 1...2 { #expect(try Binary.run("undo", path, "--yes").status == 0) }
      #expect(try Binary.run("doctor", path).output.contains("4 findings; Parley can mend 2 of them"))
    }
  }

  @Test("an outbox, which no datastore has, is refused with the way out, and nothing is written")
  func outbox() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try SampleStores.make(.cloudant, in: path)
      _ = try Binary.run("resolve", path, "--accept", "all")
      let refused = try Binary.run("write", path, "--yes", "--outbox")
      #expect(refused.status == 2)
      #expect(refused.errors.contains("which has no outbox. Leave --outbox out"))
      #expect(try titles(path).count == 12)
      #expect(try Binary.run("write", path, "--yes", "--direct").status == 0)
    }
  }

  @Test(
    "a key takes any JSON, whatever its values are so far; what is typed without a type is read as they are",
    arguments: [
      ("title=json:[1,true]", 0, ""), ("title=integer:3", 0, ""), ("stock=text:many", 0, ""),
      ("stock=json:null", 0, ""), ("stock=7", 0, ""), ("title=7", 0, ""),
      ("stock=7.5", 0, ""),
      ("stock=many", 5, "stock is a number so far, and this is none. Say another type in front"),
      ("title=blob:00ff", 5, "title takes JSON"),
    ])
  func anyType(choice: String, status: Int32, words: String) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try SampleStores.make(.cloudant, in: path)
      let run = try Binary.run("resolve", path, "book-emma", "--accept", "all", "--set", choice)
      #expect(run.status == status && (words.isEmpty || run.errors.contains(words)))
      guard status == 0 else { return }
      #expect(try Binary.run("write", path, "book-emma", "--yes").status == 0)
    }
  }

  @Test("a number stays one also where a version lacks the key")
  func numberOfAKeyThatWasAdded() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try SampleStores.make(.cloudant, in: path)
      _ = try Binary.run("resolve", path, "book-cover", "--set", "stock=3")
      let shown = try Binary.run("show", path, "book-cover", "--json").output
      #expect(shown.contains(#""decision":{"source":"edited","value":3},"type":"integer""#), "\(shown)")
    }
  }

  @Test(
    "an attachment is taken from a leaf or left out; anything else is refused when it is decided",
    arguments: [("server", 0), ("json:", 0), ("x", 5), ("text:client", 5), ("blob:00", 5), ("null:", 5)])
  func attachment(value: String, status: Int32) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try SampleStores.make(.cloudant, in: path)
      let choice = ["--set", "_attachments/cover.txt=" + value]
      let run = try Binary.run(["resolve", path, "book-cover", "--accept", "all"] + choice)
      #expect(run.status == status)
      #expect(run.errors.contains("is a file, which is taken from a leaf as it is") == (status == 5))
      #expect(try Binary.run("write", path, "book-cover", "--yes").status == (status == 0 ? 0 : 1))
    }
  }
}
