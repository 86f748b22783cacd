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
      #expect(try Binary.run("undo", path).status == 0)
      #expect(try titles(path).sorted() == before.sorted())
    }
  }

  @Test("the decisions on documents with any number of leaves outlast a write and its undo")
  func decisionsStay() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try Binary.run("demo", "--store", "cloudant", "--write", path)
      func states() throws -> [String?] {
        try Run(status: .left, output: Binary.run("list", path, "--json").output, errors: "").objects()
          .map { $0["state"] as? String }
      }
      _ = try Binary.run("resolve", path, "--accept", "all")
      #expect(try states() == Array(repeating: "ready", count: 12))
      #expect(try Binary.run("write", path, "--yes").status == 0)
      let undo = try Binary.run("undo", path)
      #expect(undo.status == 0 && undo.output.contains("The decisions stay"))
      #expect(try states() == Array(repeating: "ready", count: 12))
    }
  }

  @Test("a document is shown with its revision tree, and takes JSON")
  func document() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try Binary.run("demo", "--store", "cloudant", "--write", path)
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
        _ = try Binary.run("demo", "--store", "android", "--write", folder + "/all/\(name)")
        try FileManager.default.moveItem(
          atPath: folder + "/all/\(name)/bookshop", toPath: folder + "/\(name)")
      }
      let run = try Binary.run("list", folder)
      #expect(run.status == 3)
      #expect(
        run.errors.contains("holds 2 stores: \(folder)/one/db.sync, \(folder)/two/db.sync. Open one of them"))
    }
  }
}
