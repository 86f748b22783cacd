import Merging
import Telling
import Terminal
import Testing

@testable import Desk

/// `L` on a document: its revision tree.
@Suite struct TreeTests {
  static let sizes = [(80, 24), (100, 30), (120, 40)]

  private func page(_ desk: TestDesk) throws -> TreePage {
    guard case .tree(let page)? = desk.state.pages.last else { throw NoPage() }
    return page
  }

  private struct NoPage: Error {}

  /// The revision under the cursor.
  private func revision(_ desk: TestDesk) throws -> String? {
    guard case .read(let tree) = desk.state.tree else { return nil }
    return try page(desk).revision(in: tree)?.revision.id
  }

  @Test(arguments: sizes + [(40, 10), (60, 16), (200, 50)]) func tree(columns: Int, rows: Int) throws {
    try expect(Bookshop.desk(columns: columns, rows: rows).typing("L").screen, matches: "tree")
  }

  @Test func helpOfATree() throws {
    try expect(Bookshop.desk().typing("L?").screen, matches: "help-tree")
  }

  @Test func inksOfATree() throws {
    try expectInks(Bookshop.desk().typing("L").screen, matches: "tree")
  }

  @Test(arguments: sizes) func manyLeavesAreFolded(columns: Int, rows: Int) throws {
    try expect(Bookshop.desk(columns: columns, rows: rows).typing("jLG").screen, matches: "tree-many")
  }

  /// A list without a row has no tree to show.
  @Test func itIsOfferedWhereThereIsARecord() {
    let desk = Bookshop.desk(columns: 120, rows: 40)
    #expect(desk.screen.description.contains("L tree"), "\(desk.screen)")
    let none = desk.typing("/zzz<enter>")
    #expect(none.state.list.selected == nil && !none.screen.description.contains("L tree"), "\(none.screen)")
  }

  @Test func manyLeavesAreUnfoldedAndScrolled() throws {
    let desk = Bookshop.desk().typing("jLG<enter>")
    try expect(desk.screen, matches: "tree-many-unfolded")
    try expect(desk.typing("<pagedown><pagedown>j").screen, matches: "tree-many-scrolled")
  }

  @Test func deletedLeavesAndMissingBodies() throws {
    try expect(Bookshop.desk().typing("jjLj").screen, matches: "tree-bodies")
  }

  @Test func twoRoots() throws {
    try expect(Bookshop.desk().typing("jjjL").screen, matches: "tree-two-roots")
  }

  @Test func aTreeThatIsWiderThanTheScreenIsShifted() throws {
    let desk = Bookshop.desk([Bookshop.deep]).typing("L=g")
    try expect(desk.screen, matches: "tree-deep")
    try expect(desk.typing("G").screen, matches: "tree-deep-last")
  }

  @Test func idsOfForeignOriginMoveNothing() throws {
    let desk = Bookshop.desk([Bookshop.odd])
    try expect(desk.typing("Lj").screen, matches: "tree-odd")
    try expect(desk.typing("<enter>]").screen, matches: "record-odd-leaf")
  }

  @Test func allLeavesCanBeReached() throws {
    var desk = Bookshop.desk().typing("jL=g")
    var seen: Set<String> = []
    for _ in 0..<840 {
      if let id = try revision(desk) { seen.insert(id) }
      #expect(desk.screen.description.contains(try #require(try revision(desk))))
      desk.type("j")
    }
    #expect(seen.count == 840)
    #expect(try revision(desk) == "7-root100")
    #expect(try revision(desk.typing("g")) == "7-root939")
  }

  @Test func theCursorStaysOnItsLeafWhenOthersAreFolded() throws {
    let desk = Bookshop.desk().typing("jL=gjj")
    #expect(try revision(desk.typing("=")) == "7-root937")
    let far = desk.typing("G=")
    #expect(try revision(far) == nil)
    #expect(far.screen.description.contains("834 more leaves"))
  }

  @Test func leftAndRightGoAlongABranch() throws {
    let desk = Bookshop.desk().typing("L")
    #expect(try revision(desk) == Bookshop.id(3, 2))
    #expect(try revision(desk.typing("h")) == Bookshop.id(2, 2))
    let ancestor = desk.typing("hh")
    #expect(try revision(ancestor) == Bookshop.id(1, 1))
    #expect(ancestor.screen.description.contains("common ancestor of the live leaves, body kept"))
    #expect(try revision(ancestor.typing("h")) == Bookshop.id(1, 1))
    #expect(try revision(ancestor.typing("lll")) == Bookshop.id(3, 1))
    #expect(ancestor.typing("<enter>").state.status?.text.hasPrefix("Only a leaf") == true)
  }

  /// A law: whatever is read again, the cursor is on the same revision, or on the nearest that is left.
  @Test(arguments: ["", "?"]) func theCursorHangsOnItsRevision(over: String) throws {
    let picture = Bookshop.waldenTree
    for gone in picture.branches.indices.dropFirst(2) {
      var left = picture
      left.branches.remove(at: gone)
      left.branches.insert(Bookshop.branch([Bookshop.revision(2, 9)], on: (0, 0)), at: 2)
      left.branches.swapAt(3, 5)
      for moves in ["g", "gj", "gjh", "gjj", "gjjj", "gjjjj", "G", "Gh"] {
        let before = Bookshop.desk().typing("L" + moves)
        let name = try #require(try revision(before))
        var after = before
        after.trees["walden"] = left
        let kept = before.records[0].details.leaves.filter { leaf in
          left.branches.contains { $0.revisions.last?.id == leaf.id }
        }
        after.records[0].details.leaves = kept
        if !over.isEmpty { after.type("?") }
        after.take(.storeChanged)
        if !over.isEmpty { after.type("<esc>") }
        let names = Set(left.branches.flatMap { $0.revisions.map(\.id) })
        let expected = names.contains(name) ? [name] : around(name, in: picture).filter(names.contains)
        #expect(try revision(after) == expected.first, "\(moves), without branch \(gone)")
      }
    }
  }

  /// The other revisions, in the order of their nearness to one: older, then the leaves below, then those above.
  private func around(_ id: String, in picture: RevisionTreePicture) -> [String] {
    let branch = picture.branches.firstIndex { $0.revisions.contains { $0.id == id } } ?? 0
    let older = picture.branches[branch].revisions.prefix { $0.id != id }.reversed().map(\.id)
    let lines = picture.lines().compactMap(\.branch)
    let line = lines.firstIndex(of: branch) ?? 0
    let leaves = (lines[(line + 1)...] + lines[..<line].reversed()).compactMap {
      picture.branches[$0].revisions.last?.id
    }
    return older + leaves
  }

  @Test func anIdIsFoundWhileItIsTyped() throws {
    let desk = Bookshop.desk().typing("jL/root123")
    #expect(try revision(desk) == "7-root123")
    #expect(desk.screen.description.contains("/ root123_"))
    #expect(try revision(desk.typing("<enter>j")) == "7-root122")
    let none = desk.typing("x")
    #expect(try revision(none) == "7-root123")
    #expect(none.screen.description.contains("No revision has root123x in its id."))
    let older = Bookshop.desk().typing("jL/3-root")
    #expect(try revision(older) == "3-root")
    #expect(older.typing("<esc>").state.topic == .tree)
  }

  /// As in every other page that finds words.
  @Test func allRevisionsWithTheWordsCanBeReached() throws {
    let desk = Bookshop.desk().typing("jL/root12<enter>")
    #expect(try revision(desk) == "7-root129")
    #expect(desk.state.status == .told("Revision 1 of 10 that have it."), "\(desk.screen)")
    #expect(try revision(desk.typing("n")) == "7-root128")
    #expect(desk.typing("n").state.status == .told("Revision 2 of 10 that have it."))
    #expect(try revision(desk.typing("nnN")) == "7-root128")
    // Around both ends.
    #expect(try revision(desk.typing("N")) == "7-root120")
    #expect(try revision(desk.typing("Nn")) == "7-root129")
    // The same words once more mean the next, be they typed again or not.
    #expect(try revision(desk.typing("/<enter>")) == "7-root128")
    #expect(try revision(desk.typing("/root12<enter>/root12<enter>")) == "7-root127")
    // From the cursor on.
    #expect(try revision(desk.typing("jjn")) == "7-root126")
    #expect(try revision(desk.typing("/3-root<enter>")) == "3-root")
  }

  @Test func whatNoRevisionHasIsTold() {
    let desk = Bookshop.desk().typing("L")
    #expect(desk.typing("n").state.status == .told("/ finds words in the ids."))
    #expect(desk.typing("/zzz<enter>").state.status == .failed("Nothing in the ids has zzz."))
    #expect(desk.typing("/<enter>").state.status == nil)
  }

  @Test func aLiveLeafGoesIntoTheServersColumn() throws {
    let desk = Bookshop.desk().typing("<enter>Ljj<enter>")
    guard case .record(let page)? = desk.state.pages.last else { throw NoPage() }
    #expect(page.leaf == Bookshop.id(2, 4) && page.cell == .server && desk.state.pages.count == 1)
    #expect(desk.state.status?.text.hasSuffix("4 of 5.") == true)
    #expect(try revision(desk.typing("L")) == Bookshop.id(2, 4))
    let fromList = Bookshop.desk().typing("Ljj<enter>")
    #expect(fromList.state.pages == desk.state.pages)
  }

  @Test func whatCannotBeShownIsRefused() {
    let desk = Bookshop.desk()
    #expect(desk.typing("Lg<enter>").state.status?.text == "The winner is the client's column already.")
    #expect(desk.typing("LG<enter>").state.status?.text == "A deleted leaf takes no part in the merge.")
  }

  @Test func aDocumentWithoutAConflictHasATreeToo() throws {
    let desk = Bookshop.desk().typing("GL")
    try expect(desk.screen, matches: "tree-settled")
    #expect(
      desk.typing("<enter>").state.status?.text == "It is not in conflict: there is nothing to compare.")
    #expect(desk.typing("<esc>").state.topic == .list)
  }

  @Test func keysGoOnWhileATreeIsRead() throws {
    var desk = Bookshop.desk()
    desk.treesWait = true
    desk.type("<enter>L")
    #expect(desk.effects.last == .readTree(id: "walden"))
    #expect(desk.screen.description.contains("Reading the revisions..."))
    desk.type("jG=<enter><esc>")
    #expect(desk.state.topic == .record)
    desk.take(.tree(id: "walden", DrawnTree(id: "walden", Bookshop.waldenTree)))
    #expect(desk.state.topic == .record)
    #expect(try revision(desk.typing("L")) == Bookshop.id(3, 2))
    #expect(desk.effects.count { $0 == .readTree(id: "walden") } == 1)
  }

  @Test func aTreeThatCannotBeReadIsTold() {
    var desk = Bookshop.desk()
    desk.treeFailure = "The disk is gone."
    desk.type("<enter>L")
    #expect(desk.state.topic == .record && desk.state.status == .failed("The disk is gone."))
    desk.treeFailure = nil
    #expect(desk.typing("L").state.topic == .tree)
    var missing = Bookshop.desk()
    missing.trees = [:]
    #expect(missing.typing("L").state.status?.text.hasPrefix("walden is not there any more.") == true)
    missing.trees["walden"] = RevisionTreePicture(branches: [], winner: nil)
    #expect(missing.typing("L").state.status?.text.hasPrefix("walden has no leaf") == true)
  }

  @Test func aTreeIsReadAnewAfterTheStoreWas() {
    let desk = Bookshop.desk().typing("L<esc>rL")
    #expect(desk.effects.count { $0 == .readTree(id: "walden") } == 2)
  }

  @Test func aTreeIsReadAnewWhenItsRecordHasOtherLeaves() {
    var desk = Bookshop.desk().typing("<enter>L")
    #expect(desk.effects.count { $0 == .readTree(id: "walden") } == 1)
    let leaves = Array(Bookshop.walden.details.leaves.prefix(3))
    desk.records[0] = Bookshop.document("walden", title: "Walden", leaves: leaves)
    desk.take(.storeChanged)
    #expect(desk.effects.count { $0 == .readTree(id: "walden") } == 2)
  }

  @Test func theCursorIsInSightAfterATreeHasShrunk() throws {
    var desk = Bookshop.desk().typing("jL=G")
    let few = RevisionTreePicture(
      branches: [Bookshop.branch([Bookshop.revision(1, 9)])], winner: Bookshop.id(1, 9))
    desk.trees["many"] = few
    let left = Bookshop.document(
      "many", title: "Many hands", leaves: Array(Bookshop.many.details.leaves.prefix(2)))
    desk.records[1] = left
    desk.take(.storeChanged)
    #expect(try revision(desk) == Bookshop.id(1, 9))
  }

  @Test func aTreeIsReadBesideItsRecordOnAWideScreen() {
    let desk = Bookshop.desk(columns: 200, rows: 50).typing("<enter>")
    #expect(desk.effects.contains(.readTree(id: "walden")))
    #expect(
      !Bookshop.desk(columns: 170, rows: 50).typing("<enter>").effects.contains(.readTree(id: "walden")))
    #expect(
      !TestDesk(columns: 200, rows: 50).typing("<enter>").effects.contains(.readTree(id: "42:reminders")))
    let far = Bookshop.desk(columns: 200, rows: 50).typing("j<enter>[").screen.description
    #expect(far.contains("7-root100") && far.contains("834 more leaves"))
  }

  @Test func theMouseKnowsWhereARecordStandsOnAWideScreen() throws {
    var desk = Bookshop.desk(columns: 200, rows: 50).typing("<enter>")
    desk.take(.terminal(.click(Point(column: 53 + 4, row: 9))))
    guard case .record(let page)? = desk.state.pages.last else { throw NoPage() }
    #expect(page.field == "shelf")
    desk.take(.terminal(.click(Point(column: 10, row: 5))))
    guard case .record(let other)? = desk.state.pages.last else { throw NoPage() }
    #expect(other.id == "many")
  }

  @Test func privateHidesValuesAndAllButTheBeginningOfRevisions() {
    let screen = Bookshop.desk().typing("PL").screen.description
    #expect(!screen.contains("Walden") && !screen.contains("→ 2") && !screen.contains(Bookshop.id(3, 2)))
    #expect(screen.contains(Bookshop.id(3, 2).prefix(8)))
  }

  @Test func aClickGoesToALineAndADoubleClickOpensIt() throws {
    var desk = Bookshop.desk().typing("<enter>L")
    desk.take(.terminal(.click(Point(column: 10, row: 5))))
    #expect(try revision(desk) == Bookshop.id(2, 4))
    desk.take(.terminal(.doubleClick(Point(column: 10, row: 4))))
    guard case .record(let page)? = desk.state.pages.last else { throw NoPage() }
    #expect(page.leaf == Bookshop.id(2, 3))
  }

  @Test func everySizeShowsTheWholeIdUnderTheCursor() throws {
    for (columns, rows) in Self.sizes + [
      (40, 10), (60, 14), (80, 15), (80, 16), (119, 60), (200, 50), (300, 12),
    ] {
      for keys in ["L", "jL", "jjL", "jjjL"] {
        let desk = Bookshop.desk(columns: columns, rows: rows).typing(keys)
        let id = try #require(try revision(desk))
        #expect(desk.screen.description.contains(id), "\(columns)x\(rows) \(keys)")
        #expect(desk.screen.description.contains("▸ "), "\(columns)x\(rows) \(keys)")
      }
    }
  }
}
