import Journals
import SQLiteFiles
import Testing

@testable import parley

/// A container that somebody else is about to write.
@Suite("A container that is held") struct ContainerHeldTests {
  @Test("While another Parley writes, a write and an undo are refused as held, and what only checks goes on")
  func held() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.smsync, in: folder + "/a")
      let lock = WriterLock(beside: folder + "/a/Notes.parley.sqlite")
      func held(_ arguments: String...) throws -> Run {
        try lock.holding(for: path) {
          LockProbe.$patience.withValue(.zero) { Live.run(arguments) }
        }
      }
      try SampleStores.decideFiles(path)
      #expect(try held("write", path).errors.contains("--yes"))
      let written = try held("write", path, "--yes")
      let why = "another Parley has it for writing; it can be written once that is done. "
      #expect(written.status == .refused)
      #expect(written.errors.contains(why + "Decisions are kept; write later"), "\(written)")
      #expect(Live.run("write", path, "--yes").status == .nothingLeft)
      let back = try held("undo", path, "--yes")
      #expect(back.status == .refused)
      #expect(back.errors.contains(why + "Nothing of it was changed; do it again later."), "\(back)")
      #expect(Live.run("undo", path, "--yes").status == .nothingLeft)
    }
  }
}
