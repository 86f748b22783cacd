import Foundation
import Testing

@testable import parley

@Suite("A key that is suggested in a file of decisions")
struct SuggestedKeyTests {
  private static let wood = RefusedDraftTests.wood
  private static let shed = RefusedDraftTests.shed + ":remindersLists"

  /// As resolve --accept decides it: the server has put the reminder into a list that is missing here.
  @Test(
    "what is suggested of a key that points to what comes back by the same file is taken, in whatever order",
    arguments: [true, false])
  func suggestedWithItsParent(isParentFirst: Bool) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      try RefusedDraftTests().bringInTheShed(in: path)
      Live.run("resolve", path, Self.wood, Self.shed, "--accept", "all")
      let lines = Live.run("resolve", path, "--export").lines
      Live.run("resolve", path, Self.wood, Self.shed, "--forget")
      let server = #""remindersListID","choice":"server""#
      let children = lines.filter { $0.contains(Self.wood) }.map {
        $0.replacing(server, with: server.replacing("server", with: "suggestion"))
      }
      #expect(children.count { $0.contains("suggestion") } == 1, "\(lines)")
      let parents = lines.filter { $0.contains(Self.shed) }
      for (name, all) in [
        ("alone", children), ("all", isParentFirst ? parents + children : children + parents),
      ] {
        try all.joined(separator: "\n").write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
      }
      let alone = Live.run("apply", path, folder + "/alone", "--dry-run")
      #expect(alone.status == .refused && alone.output.contains("nothing is suggested"), "\(alone)")
      for dryRun in [["--dry-run"], []] {
        let run = Live.run(["apply", path, folder + "/all"] + dryRun)
        #expect(run.status == .nothingLeft && run.errors.isEmpty, "\(run)")
      }
      #expect(Live.run("list", path, "--find", "is:ready").lines.count == 2)
      let written = Live.run("write", path, "--dry-run").output
      #expect(written.contains("→ \(RefusedDraftTests.shed)  (server)"), "\(written)")
    }
  }
}
