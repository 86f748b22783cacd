import Foundation
import Testing

@testable import parley

@Suite("demo")
@MainActor
struct DemoTests {
  @Test("--write makes the store in a new folder, and prints its path")
  func write() throws {
    try withTemporaryFolder { folder in
      let run = Session().run(["demo", "--write", folder + "/a/b"])
      #expect(run == Run(status: .nothingLeft, output: "\(folder)/a/b/demo.sqlite\n", errors: ""))
      #expect(FileManager.default.fileExists(atPath: folder + "/a/b"))
    }
  }

  @Test("--write mixes with nothing that is there, and says why a folder cannot be made")
  func refused() throws {
    try withTemporaryFolder { folder in
      try ParleyTests.write("x", to: folder + "/full/x")
      #expect(Session().run(["demo", "--write", folder + "/full"]).status == .usage)
      #expect(Session().run(["demo", "--write", folder + "/full/x"]).status == .usage)
      let run = Session().run(["demo", "--write", folder + "/full/x/y"])
      #expect(run.status == .cannotOpen)
      #expect(run.errors.contains("cannot be made: Not a directory"))
    }
  }

  @Test("The folder of a sample store goes when the desk closes, whatever happened there")
  func temporary() throws {
    let made = Made()
    var session = Session()
    session.onDemo = { made.folder = $0 }
    #expect(session.run("demo").status == .cannotOpen)
    let folder = try #require(made.folder)
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  private final class Made { var folder: String? }
}
