import Foundation
import Samples
import Testing

@testable import parley

/// `--ancestors DIR` of a container, which is understood as `--ancestor DIR` as well.
@Suite("Ancestors of a container by command") struct ContainerAncestorTests {
  @Test("Both spellings name the folder, and what is of no use in it is told once")
  func spellings() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.smsync, in: folder + "/a")
      let texts = folder + "/a/earlier"
      let plain = Live.run("list", path, "--ancestors", texts)
      #expect(plain.output.contains("merged word by word") && plain.errors.isEmpty, "\(plain)")
      #expect(Live.run("list", path, "--ancestor", texts) == plain)
      try Data("x".utf8).write(to: URL(filePath: texts + "/mine.txt"))
      let told = Live.run("list", path, "--ancestor", texts)
      #expect(
        told.errors.hasPrefix("parley: Of 6 entries in the folder of ancestors ")
          && told.errors.contains("1 is passed over: 1 is called like no file here"), "\(told.errors)")
      let copied = Live.run("write", path, "--copy", folder + "/copy", "--ancestor", texts, "--yes")
      #expect(copied.output.hasPrefix("Nothing to write"), "\(copied)")
      Live.run("resolve", path, ContainerDemoStore.uuid(2), "--set", "record=server")
      let written = Live.run("write", path, "--copy", folder + "/other", "--ancestor", texts, "--yes")
      #expect(written.output.contains("written: "), "\(written)")
      #expect(written.errors.components(separatedBy: "passed over").count == 2, "\(written.errors)")
    }
  }

  @Test("What was decided with texts of ancestors goes into a copy that is made with them")
  func decidedWithThem() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.smsync, in: folder + "/a")
      let texts = ["--ancestors", folder + "/a/earlier"]
      Live.run(["resolve", path, "--accept", "all"] + texts)
      // Three are merged with them, of one that the server has deleted they show what was, and two need none.
      let rehearsed = Live.run(["write", path, "--copy", folder + "/copy"] + texts)
      #expect(rehearsed.errors.contains("To write these 6 drafts: "), "\(rehearsed)")
      let written = Live.run(["write", path, "--copy", folder + "/copy", "--yes"] + texts)
      #expect(written.output.components(separatedBy: "written: ").count == 7, "\(written)")
    }
  }

  @Test("So does what was decided with an index, and is refused there, where the app has not met it")
  func decidedWithAnIndex() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.smsync, in: folder + "/a")
      let index = ["--index", folder + "/a/FileIndex.json"]
      Live.run(["resolve", path, ContainerDemoStore.uuid(26), "--set", "record=client"] + index)
      let rehearsed = Live.run(["write", path, "--copy", folder + "/copy"] + index)
      let told = "the app has not downloaded what the server has; it has to sync first"
      #expect(rehearsed.status == .refused && rehearsed.output.contains(told), "\(rehearsed)")
    }
  }

  @Test(
    "The folder is named once: of two nobody could tell which counts",
    arguments: [
      ["--ancestor", "a", "--ancestors", "b"], ["--ancestors", "a", "--ancestors=b"],
      ["--ancestor=a", "--ancestor=a"],
    ])
  func once(options: [String]) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.smsync, in: folder + "/a")
      for command in ["list", "doctor", "write", "show"] {
        let result = Live.run([command, path] + (command == "show" ? ["x"] : []) + options)
        #expect(result.status == .usage, "\(result)")
        #expect(
          result.errors.hasPrefix(
            "parley: --ancestors (or --ancestor) can be given once: leave out all but one.\nUsage: "
          ),
          "\(result.errors)")
      }
      let other = Live.run("resolve", path, "--accept", "sure", "--ancestors", folder + "/a/earlier")
      #expect(other.status != .usage, "\(other)")
    }
  }
}
