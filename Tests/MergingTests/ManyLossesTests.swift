import Testing

@testable import Merging

/// What is told as given up where that is much: each change, as far as somebody may read them, and else an edit as a whole, or how
/// many more they are.
@Suite struct ManyLossesTests {
  /// An object of so many keys that all have one value.
  private func object(_ keys: Int, of value: String, and more: String = "") -> Value {
    let members = (0..<keys).map { "\"k\($0)\":\(value)" } + (more.isEmpty ? [] : [more])
    return .opaque(kind: Value.jsonKind, bytes: Array("{\(members.joined(separator: ","))}".utf8))
  }

  private func edits(of leaves: [Value], from ancestor: Value, lostBy typed: Value?) throws -> [LostEdit] {
    let conflict = LeafPolicyTests.conflict(leaves, from: ancestor, by: .keys)
    let field = try #require(conflict["stock"])
    let suggested = conflict.accepting(.yours, in: Resolution())[.field("stock")]
    let choice = typed.map { Choice.edit($0) } ?? suggested
    return conflict.edits(lostBy: field.draft(choice), of: choice)
  }

  /// Of 75 leaves with a thousand keys each, 75,000 changes were told and kept by one decision.
  @Test(arguments: [(100, 300), (101, 3)])
  func aLeafOfManyChangesIsToldAsAWhole(keys: Int, told: Int) throws {
    let leaves = ["1", "2", "3"].map { object(keys, of: $0) }
    let lost = try edits(of: leaves, from: object(keys, of: "0"), lostBy: object(1, of: "5"))
    #expect(lost.count == told)
    #expect(lost.allSatisfy { ($0.part == nil) == (told == 3) })
    if told == 3 { #expect(lost.map(\.value) == leaves && lost.map(\.leaf) == [1, 2, 3]) }
  }

  /// The whole of it was told, be forty of its words, or one of its keys, in what was typed.
  @Test func ofWhatIsHeldInPartTheFirstChangesAreToldAndHowManyMore() throws {
    let words = (0..<141).map { "adda\($0) keep\($0)" }.joined(separator: " ")
    let kept = (0..<141).map { $0 < 40 ? "adda\($0) keep\($0)" : "keep\($0)" }.joined(separator: " ")
    let field = Field("notes", kind: .text)
    let versions = [Value.text(words), .text("other")].map { value in
      RecordVersion.present(["notes": FieldVersion(value, time: 1)])
    }
    let conflict = RecordConflict(
      id: "1:docs", table: "docs", primaryKey: "1", title: "One", fields: [field],
      versions: ThreeWay(ancestor: nil, client: versions[0], server: versions[1]))
    let choice = Choice.edit(.text(kept))
    let draft = try #require(conflict["notes"]).draft(choice)
    let lost = conflict.edits(lostBy: draft, of: choice).filter { $0.side == .client }
    #expect(lost.first?.part?.new?.contains("adda40") == true, "\(lost.prefix(2))")
    #expect(lost.count == 101 && lost.last?.part == nil && lost.last?.more == 1 && lost.countOfAll == 101)
    #expect(GivenUp(lost[100]) == GivenUp(.client, .more(field: "notes", 1)))
    #expect([GivenUp(.client, .more(field: "notes", 41)), GivenUp(lost[0])].countOfAll == 42)
    let leaves = ["1", "2", "3"].map { object(150, of: $0) }
    let keys = try edits(of: leaves, from: object(150, of: "0"), lostBy: object(1, of: "2"))
    #expect(keys.map(\.leaf).filter { $0 == 2 }.count == 101 && keys.compactMap(\.more) == [49])
    #expect(keys.filter { $0.leaf != 2 }.map(\.value) == [leaves[0], leaves[2]])
  }

  /// No journal would have anything of it otherwise. All of them were told, thousands of keys as well.
  @Test func whatIsTooLongToBeKeptIsToldByItsFirstChanges() throws {
    let long = String(repeating: "x", count: GivenUp.longestKept / 100)
    let leaves = ["1", "2", "3"].map { object(101, of: "\"\($0)\(long)\"") }
    let lost = try edits(of: leaves, from: object(101, of: "0"), lostBy: object(1, of: "5"))
    #expect(lost.compactMap(\.part).count == 300 && lost.compactMap(\.more) == [1, 1, 1])
  }

  /// Each of them, in the order of the leaves and of the keys.
  @Test func allKeysThatClashAreTold() throws {
    let leaves = [object(7, of: "1"), object(7, of: "2"), object(7, of: "0", and: "\"z\":3")]
    let lost = try edits(of: leaves, from: object(7, of: "0"), lostBy: nil)
    #expect(lost.compactMap(\.part?.name) == (0..<7).map { "k\($0)" })
    #expect(lost.allSatisfy { $0.leaf == 2 && $0.part?.old == "0" && $0.part?.new == "2" })
  }
}
