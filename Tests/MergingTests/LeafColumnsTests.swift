import Testing

@testable import Merging

/// What is found out once of all leaves is what each of them says.
@Suite struct LeafColumnsTests {
  private static func leaves(_ count: Int, different: Int) -> [Leaf] {
    (0..<count).map { number in
      let values: [String: Value] = [
        "same": .text("As it was"), "own \(number % different)": .integer(Int64(number)),
        "few": .integer(Int64(number % different)),
      ]
      let version = RecordVersion.present(values.mapValues { FieldVersion($0, time: nil) })
      return Leaf(
        id: "2-\(number)", isDeleted: false, version: number == 3 ? .unknown(reason: "lost") : version)
    }
  }

  /// Of few values each is looked at, and many are found by their hash.
  @Test(arguments: [2, 16, 17, 40]) func eachLeafHasItsValue(different: Int) {
    let leaves = Self.leaves(60, different: different)
    let names = ["same", "few", "none"] + (0..<different).map { "own \($0)" }
    let columns = LeafColumns(names.map { Field($0) }, leaves)
    for (place, name) in names.enumerated() {
      let column = columns[place]
      for (number, leaf) in leaves.enumerated() {
        #expect(column.values[column.place(of: number)] == leaf.version.fields?[name]?.value)
      }
      #expect(Set(column.values).count == column.values.count, "each once")
      #expect(column.counts().reduce(0, +) == 60 && column.counts(droppingFirst: 2).reduce(0, +) == 58)
    }
  }

  @Test func otherLeavesAreOtherColumns() {
    var conflict = RecordConflict(
      id: "milk", table: "docs", primaryKey: "milk", title: "Milk", fields: [Field("few")],
      versions: ThreeWay(ancestor: nil, client: .absent, server: .absent),
      details: RecordConflict.Details(leaves: Self.leaves(5, different: 5)))
    #expect(conflict.leafColumns?[0].values.count == 5)
    conflict.details.leaves.removeLast()
    #expect(conflict.leafColumns?[0].values.count == 4)
    conflict.details.leaves.removeLast(2)
    #expect(conflict.leafColumns == nil)
  }

  /// Whoever asks one leaf after the other finds the same.
  @Test(arguments: [1, 3, 16, 40]) func whatFurtherLeavesChangedIsWhatEachSays(different: Int) throws {
    let leaves = Self.leaves(60, different: different)
    let names = ["same", "few", "none"] + (0..<different).map { "own \($0)" }
    let conflict = RecordConflict(
      id: "milk", table: "docs", primaryKey: "milk", title: "Milk", fields: names.map { Field($0) },
      versions: ThreeWay(
        ancestor: leaves[0].version, client: leaves[0].version, server: leaves[1].version),
      details: RecordConflict.Details(leaves: leaves))
    for name in names {
      let field = try #require(conflict[name])
      let before = field.before(true)
      var expected: [(value: Value, leaves: [Leaf.ID])] = []
      for leaf in leaves.dropFirst(2) {
        guard let value = leaf.version.fields?[name]?.value, value != before else { continue }
        if let known = expected.firstIndex(where: { $0.value == value }) {
          expected[known].leaves.append(leaf.id)
        } else {
          expected.append((value, [leaf.id]))
        }
      }
      let told = conflict.furtherValues(of: field)
      #expect(told.map(\.value) == expected.map(\.value))
      #expect(told.map { $0.leaves.map(\.id) } == expected.map(\.leaves))
      #expect(told.flatMap(\.leaves).allSatisfy { leaves[$0.number - 1].id == $0.id })
    }
  }
}
