import Testing

@testable import parley

@Suite("The same words")
struct SameWordsTests {
  @Test("that a key points to nothing is said by who only tries as by who does it, and by the list")
  func keyToNothing() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let decide = ["resolve", path, RefusedDraftTests.wood, "--set", "record=accept"]
      let write = ["write", path, RefusedDraftTests.wood]
      let commands = [
        decide + ["--dry-run"], decide, ["list", path], write + ["--dry-run"], write + ["--yes"],
      ]
      for command in commands {
        let run = Live.run(command)
        let told = run.output + run.errors
        #expect(told.contains(RefusedDraftTests.noShed), "\(run)")
        #expect(!told.contains("points to nothing here"), "\(run)")
      }
    }
  }
}
