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
}
