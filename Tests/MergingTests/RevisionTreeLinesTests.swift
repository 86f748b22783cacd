import Merging
import Telling
import Testing

@Suite struct RevisionTreeLinesTests {
  private typealias Branch = RevisionTreePicture.Branch

  private static func revision(_ id: String, isDeleted: Bool = false, hasBody: Bool = true)
    -> RevisionTreePicture.Revision
  {
    .init(id: id, isDeleted: isDeleted, hasBody: hasBody)
  }

  private static func branch(_ ids: [String], on fork: (Int, Int)? = nil) -> RevisionTreePicture.Branch {
    .init(revisions: ids.map { revision($0) }, fork: fork.map { .init(branch: $0.0, revision: $0.1) })
  }

  @Test func everyPieceKnowsItsRevisions() throws {
    let tree = RevisionTreePicture(branches: [Self.branch((1...9).map { "\($0)-x" })], winner: "9-x")
    let line = try #require(tree.lines().first)
    #expect(line.text == "1-x ─ ⋯ 6 ⋯ ─ 8-x ── 9-x   winner")
    #expect(line.pieces.flatMap { Array($0.places) } == Array(0..<9))
    #expect(line.branch == 0 && line.leaf == "9-x" && line.isWinner && line.leafCount == 1)
  }

  @Test func aFoldedLineTellsHowManyAndHowManyOfThemAreDeleted() {
    let others = (0..<20).map { number in
      RevisionTreePicture.Branch(
        revisions: [Self.revision("2-\(number)x", isDeleted: number >= 17)],
        fork: .init(branch: 0, revision: 0))
    }
    let tree = RevisionTreePicture(branches: [Self.branch(["1-x", "2-y"])] + others, winner: "2-y")
    let lines = tree.lines(shown: 3)
    #expect(lines.count == 5)
    #expect(lines.last?.text == "└─ ⋯ 17 more leaves, 3 deleted")
    #expect(lines.last?.leafCount == 17 && lines.last?.branch == nil)
    #expect(tree.lines(shown: .max).compactMap(\.branch) == Array(0...20))
  }

  @Test func leavesOfEveryLineAddUp() {
    for seed in 0..<200 {
      let tree = Self.random(seed)
      for shown in [1, 3, .max] {
        #expect(tree.lines(shown: shown).reduce(0) { $0 + $1.leafCount } == tree.branches.count)
      }
    }
  }

  @Test func everyBranchHangsOnTheRevisionItLeaves() {
    for seed in 0..<200 {
      let tree = Self.random(seed)
      let lines = tree.lines(shown: .max)
      let cells = lines.map { Array($0.text) }
      for (row, line) in lines.enumerated() where row > 0 && line.column < cells[row].count {
        guard "├└".contains(cells[row][line.column]) else { continue }
        var above = row - 1
        while cells[above].count > line.column, "│├".contains(cells[above][line.column]) { above -= 1 }
        let branch = line.branch.map { tree.branches[$0] }
        let fork = branch?.fork
        #expect(lines[above].branch == fork?.branch, "\(seed): \(line.text)")
        var column = lines[above].column
        for piece in lines[above].pieces {
          if case .revision(_, fork?.revision) = piece {
            #expect(column == line.column, "\(seed): \(line.text)")
          }
          column += piece.text.count
        }
      }
    }
  }

  @Test func noTwoRevisionsOfATreeLookAlike() {
    let tree = RevisionTreePicture(
      branches: [Self.branch(["6-root", "7-rootabcaae"]), Self.branch(["7-rootabcaaf"], on: (0, 0))],
      winner: "7-rootabcaae")
    #expect(tree.lines().map(\.text) == ["6-root ── 7-rootabcaae   winner", "└─ 7-rootabcaaf"])
    #expect(RevisionName(toTellApart: ["1-123456789", "1-123456700"]).short("1-123456789") == "1-12345678")
    #expect(RevisionName(toTellApart: ["1-a", "1-a"]).digits == 6)
  }

  @Test(arguments: [
    ("3-afa9e12f7a64362c94cd1bd253f31298", "3-afa9e1"), ("", ""), ("-", "-"), ("plain and long", "plain?"),
    ("2-買い物", "2-???"), ("3-\u{1B}[31m", "3-?[31m"), ("2-e\u{301}x", "2-?x"),
    ("123456789012345-abc", "1234567890abc"),
  ])
  func namesTakeOneColumnForEachCharacter(id: String, short: String) {
    #expect(RevisionName(toTellApart: [id]).short(id) == short)
  }

  /// A tree of up to 12 branches, each on some revision of one before it.
  private static func random(_ seed: Int) -> RevisionTreePicture {
    var state = UInt64(seed + 1) &* 0x9E37_79B9_7F4A_7C15
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var branches = [branch((0...next(9)).map { "\($0 + 1)-b0" })]
    for number in 1...(1 + next(12)) {
      let ids = (0...next(6)).map { "\($0 + 1)-b\(number)" }
      let parent = next(branches.count)
      branches.append(branch(ids, on: next(8) == 0 ? nil : (parent, next(branches[parent].revisions.count))))
    }
    return RevisionTreePicture(branches: branches, winner: branches[0].revisions.last?.id)
  }
}
