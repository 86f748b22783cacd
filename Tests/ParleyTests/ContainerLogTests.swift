import Foundation
import Samples
import Testing

@testable import parley

/// The journal of a container: what was decided is called by its name, also when it is written, and what it gives up is there.
@Suite("Container log") struct ContainerLogTests {
  private func withContainer(_ body: (_ path: String, _ folder: String) throws -> Void) throws {
    try withTemporaryFolder { folder in try body(SampleStores.make(.smsync, in: folder + "/a"), folder) }
  }

  @Test("The log calls an answer by the name that it was decided by")
  func namedInTheLog() throws {
    try withContainer { path, _ in
      let (recipes, letter) = (ContainerDemoStore.uuid(2), ContainerDemoStore.uuid(4))
      Live.run("resolve", path, recipes, "--set", "record=server")
      Live.run("resolve", path, letter, "--set", "record=upload")
      // Its texts are equal, so that taking either is to accept.
      Live.run("resolve", path, ContainerDemoStore.uuid(8), "--accept", "all")
      Live.run("resolve", path, ContainerDemoStore.uuid(1), "--set", "content=client")
      Live.run("resolve", path, ContainerDemoStore.uuid(5), "--set", "content=Leave at 7")
      let words = [
        "record: accept the server's version 7",
        "record: keep the upload, as version 7, and drop the deletion",
        "content: accept the server's version 3", "content: keep the client's text, as version 5",
      ]
      let (open, redacted) = (Live.run("log", path), Live.run("log", path, "--redact"))
      for told in words { #expect(open.output.contains(told), "\(open)") }
      for told in words.prefix(2) { #expect(redacted.output.contains(told), "\(redacted)") }
      #expect(open.output.contains("content: edited to \"Leave at 7\""), "\(open)")
      Live.run("write", path, "--yes")
      let log = Live.run("log", path, recipes).output
      #expect(log.contains(words[0]) && !log.contains("server taken"), "\(log)")
    }
  }

  @Test("The log calls an answer by its name once it is written, too, and so does an export")
  func namedOnceItIsWritten() throws {
    try withContainer { path, folder in
      let (recipes, diary) = (ContainerDemoStore.uuid(2), ContainerDemoStore.uuid(3))
      let words = [
        "record: keep the deletion of version 7",
        "record: keep the client's text, which undeletes the file as version 3",
      ]
      Live.run("resolve", path, recipes, "--set", "record=client")
      Live.run("resolve", path, diary, "--set", "record=client")
      let exported = Live.run("resolve", path, "--export").output
      #expect(exported.contains(#""answer":"keep the deletion of version 7""#), "\(exported)")
      let copy = folder + "/copy"
      let written = Live.run("write", path, "--copy", copy, "--yes")
      #expect(written.output.components(separatedBy: "written: ").count == 3, "\(written)")
      for log in [Live.run("log", copy).output, Live.run("log", copy, diary, recipes).output] {
        for told in words { #expect(log.contains(told), "\(log)") }
        #expect(!log.contains("client taken"), "\(log)")
      }
      let json = Live.run("log", copy, "--json").output
      #expect(json.contains(#""text":"record: keep the deletion of version 7""#), "\(json)")
      try Data(exported.utf8).write(to: URL(filePath: folder + "/decisions"))
      Live.run("resolve", path, "--forget")
      #expect(Live.run("apply", path, folder + "/decisions").errors == "")
      #expect(Live.run("resolve", path, "--export").output == exported)
    }
  }

  @Test("What an answer gives up is kept with its text, and called whose it is")
  func givenUp() throws {
    try withContainer { path, _ in
      let letter = ContainerDemoStore.uuid(4)
      func given(_ answer: String, by side: String) -> String {
        Live.run("resolve", path, letter, "--set", "record=\(answer)")
        return Live.run("log", path, "--given-up", side).output
      }
      let dropped = given("client", by: "client")
      #expect(
        dropped.contains("given up: content of the earlier upload: Dear Ann, see you on Friday."),
        "\(dropped)")
      #expect(!given("client", by: "server").contains("earlier upload"))
      let both = given("sendBoth", by: "any")
      #expect(both.contains("given up: content of the server: Dear Ann, see you in May."), "\(both)")
      #expect(both.contains("given up: the file itself, which ends deleted"), "\(both)")
      let log = ContainerDemoStore.uuid(9)
      Live.run("resolve", path, log, "--set", "content=server")
      let shown = Live.run("log", path, log).output
      #expect(shown.contains("given up: content of the earlier upload: one↵two↵"), "\(shown)")
      let json = Live.run("log", path, log, "--json").output
      #expect(json.contains(#""side":"client","leaf":null,"of":"the earlier upload""#), "\(json)")
    }
  }
}
