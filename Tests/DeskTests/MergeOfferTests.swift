import ExactJSON
import Merging
import Terminal
import Testing

@testable import Desk

/// Where a merge is offered.
@Suite struct MergeOfferTests {
  /// `m` is offered where it works: of lists that are not of one length nothing tells which element became which.
  @Test(arguments: [
    ("[]", "[1,2]", "[1,2,3]", false), ("[1]", "[1,2]", "[1,3]", false), ("[1]", "[2]", "[]", false),
    ("[1,2]", "[1,3]", "[4,2]", true), (#"{"a":1}"#, "[1]", "[2]", false),
    (#"["a,\",[",[1,2]]"#, #"["b",[1,2]]"#, #"["c",{"d":[1,2],"e":3}]"#, true),
    (#"{"a":1}"#, #"{"a":2}"#, #"{"a":[3]}"#, true),
  ])
  func aMergeOfJSONIsOfferedWhereItWorks(
    _ old: String, _ client: String, _ server: String, isThere: Bool
  ) throws {
    func fields(_ json: String) throws -> [String: Value] { ["f": Value(try JSONValue(parsing: json))] }
    let record = try Bookshop.document(
      "list", title: "List", ancestor: Bookshop.version(fields(old)),
      leaves: [
        Bookshop.leaf(Bookshop.id(2, 1), fields(client), of: [:]),
        Bookshop.leaf(Bookshop.id(2, 2), fields(server), of: [:]),
      ])
    let desk = TestDesk(
      [record], findings: [], columns: 120, rows: 40, store: Bookshop.store
    ).typing("<enter>")
    let screen = desk.screen.description
    #expect(screen.contains("m merge") == isThere && screen.contains("m to merge") == isThere, "\(screen)")
    let merge = desk.typing("m")
    #expect((merge.state.topic == .merge) == isThere, "\(merge.screen)")
    #expect(isThere || merge.state.status?.text.contains("lists of one length are merged") == true)
  }

  /// With one change left `Tab` told that only this is left, and with none that every change is decided.
  @Test func theNextChangeIsOfferedWhereAnotherIsToDecide() {
    let record = Sample.record(
      "9:reminders", title: "Trip", ancestor: ["notes": .text("Leave at 7, by car.")],
      client: ["notes": .text("Leave at 8, by train.")], server: ["notes": .text("Leave at 9, by bus.")])
    let desk = TestDesk([record], findings: [], columns: 150, rows: 40).typing("<enter>m")
    let offers = { (desk: TestDesk) in
      desk.screen.description.split(separator: "\n").last?.contains("Tab next") == true
    }
    #expect(desk.state.topic == .merge && offers(desk), "\(desk.screen)")
    #expect(!offers(desk.typing("c]")) && offers(desk.typing("c][")), "\(desk.typing("c]").screen)")
    #expect(!offers(desk.typing("c]s[")), "\(desk.typing("c]s[").screen)")
  }
}
