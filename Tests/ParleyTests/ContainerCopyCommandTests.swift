import Foundation
import SMSyncStores
import SQLiteFiles
import Samples
import Testing

@testable import parley

/// `parley write --copy`: what is said and left before, while and after a container is copied.
@Suite("Container copies by command") struct ContainerCopyCommandTests {
  private func withContainer(_ body: (_ path: String, _ folder: String) throws -> Void) throws {
    try withTemporaryFolder { folder in try body(SampleStores.make(.smsync, in: folder + "/a"), folder) }
  }

  @Test("The command for a copy that is there can be pasted, whatever its folder is called")
  func copyIsThere() throws {
    try withContainer { path, folder in
      Live.run("resolve", path, ContainerDemoStore.uuid(2), "--set", "record=server")
      let copy = folder + "/a copy"
      #expect(Live.run("write", path, "--copy", copy, "--yes").output.contains("written: "))
      let again = Live.run("write", path, "--copy", copy, "--yes")
      #expect(again.status == .refused && again.errors.contains("parley write '\(copy)' --yes"), "\(again)")
    }
  }

  /// What was decided with these holds in the copy with them alone.
  @Test(
    "The command for a copy that is there has what is given beside it", arguments: [["--dry-run"], ["--yes"]])
  func copyIsThereBesideOthers(options: [String]) throws {
    try withContainer { path, folder in
      let beside = ["--ancestors", folder + "/a/earlier", "--index", folder + "/a/FileIndex.json"]
      Live.run(["resolve", path, ContainerDemoStore.uuid(2), "--set", "record=server"] + beside)
      let command = ["write", path, "--copy", folder + "/copy"] + beside
      Live.run(command + ["--yes"])
      let again = Live.run(command + options)
      let way = "parley write \(folder)/copy \(beside.joined(separator: " ")) --yes\n"
      #expect(again.status == .refused && again.errors.hasSuffix(way), "\(again)")
    }
  }

  @Test(
    "Where no copy can be made that is told without --yes, too, and nothing is made",
    arguments: [["--dry-run"], [], ["--yes"]])
  func noPlace(options: [String]) throws {
    try withContainer { path, folder in
      Live.run("resolve", path, ContainerDemoStore.uuid(2), "--set", "record=server")
      let copy = folder + "/copy"
      Live.run("write", path, "--copy", copy, "--yes")
      let before = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
      for place in [folder + "/a", path + "/x", "/dev/null", "/dev/null/x", copy] {
        let run = Live.run(["write", path, "--copy", place] + options)
        #expect(run.status == .refused && run.output.isEmpty && run.errors.contains(place), "\(run)")
      }
      #expect(try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() == before)
    }
  }

  @Test("A copy is written directly: that can be said, and its outbox is none", arguments: [[], ["--yes"]])
  func routes(options: [String]) throws {
    try withContainer { path, folder in
      Live.run("resolve", path, ContainerDemoStore.uuid(2), "--set", "record=server")
      let copy = ["write", path, "--copy", folder + "/copy"]
      let outbox = Live.run(copy + ["--outbox"] + options)
      #expect(outbox.status == .usage && outbox.errors.contains("--copy goes without --outbox"), "\(outbox)")
      #expect(outbox.output.isEmpty && !FileManager.default.fileExists(atPath: folder + "/copy"), "\(outbox)")
      let direct = Live.run(copy + ["--direct"] + options)
      #expect(!direct.errors.contains("Leave --direct out"), "\(direct)")
      #expect(direct.output.contains("written: ") == !options.isEmpty, "\(direct)")
    }
  }

  @Test(
    "Whoever names a part of a container is told what all is copied, also if nothing is written",
    arguments: [["--dry-run"], ["--yes"]])
  func whatIsTaken(options: [String]) throws {
    try withContainer { path, folder in
      Live.run("resolve", path, ContainerDemoStore.uuid(2), "--set", "record=server")
      let told = "The container is \(FileStatus.real(path) ?? path), and all of it is copied."
      for (number, part) in ["/AppData", "/AppData/Documents", ""].enumerated() {
        let run = Live.run(["write", path + part, "--copy", folder + "/copy\(number)"] + options)
        #expect(run.errors.contains(told) == !part.isEmpty, "\(run)")
      }
    }
  }

  @Test(
    "What is read or made by its name is named once: of two nobody could tell which counts",
    arguments: [
      ["--index", "a", "--index", "b"], ["--index=a", "--index", "a"], ["--copy", "a", "--copy=b"],
    ])
  func once(options: [String]) throws {
    try withContainer { path, _ in
      let run = Live.run(["write", path] + options)
      let name = options[0].prefix { $0 != "=" }
      #expect(run.status == .usage, "\(run)")
      #expect(
        run.errors.hasPrefix("parley: \(name) can be given once: leave out all but one.\nUsage: "),
        "\(run.errors)")
    }
  }

  @Test("Where nothing is decided nothing is copied")
  func nothingToWrite() throws {
    try withContainer { path, folder in
      // A copy would be refused, as somebody's own file lies there: nobody looks.
      let place = folder + "/mine"
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      try Data("mine".utf8).write(to: URL(filePath: place + "/own.txt"))
      let run = Live.run("write", path, "--copy", place)
      #expect(run.output == "Nothing to write: 10 undecided; see parley resolve.\n" && run.status == .left)
      #expect(run.errors.isEmpty, "\(run.errors)")
      // For what is to be mended one is made, and not among somebody's own files.
      #expect(Live.run("write", path, "--copy", place, "--yes").output.isEmpty)
      #expect(try FileManager.default.contentsOfDirectory(atPath: place) == ["own.txt"])
    }
  }

  @Test("Where nothing is decided a copy is made for what can be mended in one alone, and stays")
  func copyToMend() throws {
    try withContainer { path, folder in
      let copy = folder + "/copy"
      let remedy =
        "To make one: parley write PATH --copy DIR --yes, with the same --ancestors and --index as here; it also writes what is decided into the copy. To mend in it, with the same of both: parley doctor DIR ID --mend --yes, where ID is the id of this finding."
      #expect(Live.run("doctor", path).output.contains(remedy))
      let made = Live.run("write", path, "--copy", copy, "--yes")
      #expect(made.output == "Nothing to write: 10 undecided; see parley resolve.\n" && made.status == .left)
      let told =
        "parley: The copy \(copy) is made, and nothing was written into it. What can be mended in it: "
      #expect(made.errors.contains(told + "parley doctor \(copy) --mend\n"), "\(made.errors)")
      let mended = Live.run("doctor", copy, "--mend", "--yes")
      #expect(mended.output.contains("mended: undelete-false:"), "\(mended)")
      #expect(!Live.run("doctor", copy).output.contains("undelete is false"))
    }
  }

  @Test("What a finding says of its copy mends it: by its id, and with the index by which it was found")
  func mendedAsItSays() throws {
    try withContainer { path, folder in
      let (copy, index) = (folder + "/copy", ["--index", folder + "/a/FileIndex.json"])
      let finding = "undeleted-elsewhere:" + ContainerDemoStore.uuid(28)
      let told = Live.run(["doctor", path, finding] + index).output
      #expect(told.contains("with the same of both: parley doctor DIR ID --mend --yes"), "\(told)")
      Live.run(["write", path, "--copy", copy, "--yes"] + index)
      let mended = Live.run(["doctor", copy, finding, "--mend", "--yes"] + index)
      #expect(mended.output.contains("mended: \(finding)"), "\(mended)")
    }
  }

  @Test("Of a copy into which nothing was written nothing is left, so that the next try finds its place free")
  func unwrittenCopy() throws {
    try withUnmet { path, folder, index in
      let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      for _ in 1...2 {
        let tried = Live.run(["write", path, "--copy", folder + "/copy", "--yes"] + index)
        #expect(tried.status == .refused, "\(tried)")
        #expect(tried.errors.contains("so it is taken away again."), "\(tried.output)\(tried.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
      }
    }
  }

  @Test("Where all is refused in a copy it stays for what can be mended in one alone, as the finding says")
  func refusedAndMendable() throws {
    var stuck = SampleFile(ContainerDemoStore.uuid(2), "ferry.txt", version: 2)
    stuck.uploads = [.file("Ferry at noon.\n", undelete: 0)]
    try withUnmet(beside: [stuck]) { path, folder, index in
      let copy = folder + "/copy"
      let made = Live.run(["write", path, "--copy", copy, "--yes"] + index)
      #expect(made.status == .refused && made.output.contains("was refused: "), "\(made)")
      let told = "The copy \(copy) is made, and nothing was written into it. What can be mended in it: "
      #expect(made.errors.contains(told) && !made.errors.contains("taken away"), "\(made.errors)")
      let mended = Live.run(["doctor", copy, "--mend", "--yes"] + index)
      #expect(mended.output.contains("mended: undelete-false:"), "\(mended)")
    }
  }

  /// A file that is decided, and of which the app has not met what the server has: the outbox takes it, and no copy does.
  private func withUnmet(
    beside others: [SampleFile] = [],
    _ body: (_ path: String, _ folder: String, _ index: [String]) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      var file = SampleFile(ContainerDemoStore.uuid(1), "poem.txt", version: 2)
      (file.uploads, file.onServer) = ([.file("Roses are red.\n")], (3, false))
      let builder = try ContainerBuilder(folder: folder, name: "Notes.xcappdata")
      for file in [file] + others { try builder.add(file) }
      try builder.close()
      let index = ["--index", folder + "/FileIndex.json"]
      try write(Data(builder.index), to: index[1])
      Live.run(["resolve", builder.path, file.uuid, "--set", "record=client"] + index)
      try body(builder.path, folder, index)
    }
  }
}
