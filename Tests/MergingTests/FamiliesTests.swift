import Merging
import StoreInterface
import Testing

/// Which conflicts belong together, and which decisions contradict each other.
@Suite struct FamiliesTests {
  /// A record of lists or items that points to a list by each of its versions.
  private static func record(_ key: String, _ table: String, points: [String?]) -> RecordConflict {
    let versions = points.map { RecordVersion.present(["parent": version($0)]) }
    return RecordConflict(
      id: "\(key):\(table)", table: table, primaryKey: key, title: key.uppercased(),
      fields: [Field("parent", kind: .text, referencedTable: "Lists")],
      versions: ThreeWay(ancestor: versions[0], client: versions[1], server: versions[2]))
  }

  private static func version(_ key: String?) -> FieldVersion<Value> {
    FieldVersion(key.map { .text($0) } ?? .null, time: 0)
  }

  private static func families(_ records: [RecordConflict]) -> Families {
    var families = Families()
    for record in records { families.add(record) }
    return families
  }

  @Test func aParentHasItsChildrenAndAChildItsParentAndBrothers() {
    let families = Self.families([
      Self.record("b", "items", points: ["a", "a", "a"]), Self.record("a", "lists", points: [nil, nil, nil]),
      Self.record("c", "items", points: ["a", nil, "x"]), Self.record("d", "items", points: ["x", "x", "x"]),
    ])
    #expect(families.family(of: "a:lists").map(\.id) == ["b:items", "c:items"])
    #expect(families.family(of: "b:items").map(\.id) == ["a:lists", "c:items"])
    #expect(families.family(of: "b:items").map(\.kind) == [.parent, .child])
    #expect(families.family(of: "b:items").map(\.of) == ["b:items", "a:lists"])
    #expect(families.family(of: "d:items").isEmpty, "x is in no conflict, so it joins nobody")
  }

  @Test func aLawWhateverAnyVersionPointsToCounts() {
    let keys: [String?] = [nil, "a", "A"]
    for first in keys {
      for second in keys {
        for third in keys {
          let child = Self.record("c", "items", points: [first, second, third])
          let families = Self.families([Self.record("a", "lists", points: [nil, nil, nil]), child])
          let isOfIt = [first, second, third].contains("a")
          #expect(families.family(of: "c:items").map(\.id) == (isOfIt ? ["a:lists"] : []))
          #expect(families.family(of: "a:lists").map(\.id) == (isOfIt ? ["c:items"] : []))
        }
      }
    }
  }

  /// A law over every way in which three records can point to each other, circles too: all ancestors and all that descend from
  /// them, each once, and behind what it was found by.
  @Test func aFamilyIsAllAncestorsAndAllTheirDescendants() {
    let keys = ["a", "b", "c"]
    let ends = keys.map { $0 as String? } + [nil]
    for parents in ends.flatMap({ a in ends.flatMap { b in ends.map { c in [a, b, c] } } }) {
      let points = Dictionary(uniqueKeysWithValues: zip(keys, parents))
      let families = Self.families(
        keys.map { Self.record($0, "lists", points: Array(repeating: points[$0] ?? nil, count: 3)) })
      for key in keys {
        let found = families.family(of: "\(key):lists")
        let expected = Self.related(to: key, points).subtracting([key])
        #expect(Set(found.map(\.id)) == Set(expected.map { "\($0):lists" }), "\(key) of \(points)")
        #expect(found.count == expected.count)
        for (place, one) in found.enumerated() {
          #expect(one.of == "\(key):lists" || found[..<place].contains { $0.id == one.of })
        }
      }
    }
  }

  private static func related(to key: String, _ points: [String: String?]) -> Set<String> {
    var all: Set = [key]
    for _ in points { all.formUnion(all.compactMap { points[$0] ?? nil }) }
    for _ in points {
      all.formUnion(points.filter { $0.value.map(all.contains) ?? false }.keys)
    }
    return all
  }

  /// A law over all decisions about a parent that one side deleted, and a child of which one side moved it away: they contradict
  /// each other where the child stays, the parent goes, and the child points to it then.
  @Test func decisionsContradictWhereWhatStaysPointsToWhatGoes() {
    let parent = RecordConflict(
      id: "a:lists", table: "lists", primaryKey: "a", title: "A", fields: [Field("title", kind: .text)],
      versions: ThreeWay(
        ancestor: .present(["title": FieldVersion(.text("a"), time: 0)]), client: .deleted(time: 1),
        server: .present(["title": FieldVersion(.text("b"), time: 2)])))
    let child = Self.record("c", "items", points: ["x", "a", "b"])
    let choices: [Choice?] = [nil, .take(.client), .take(.server), .edit(.text("a"))]
    for ofParent in choices.prefix(3) {
      for ofChild in choices {
        let decided = [
          DecidedConflict(child, Resolution(choices: ofChild.map { [.field("parent"): $0] } ?? [:])),
          DecidedConflict(parent, Resolution(choices: ofParent.map { [.record: $0] } ?? [:])),
        ]
        let contradicts =
          ofParent == .take(.client) && (ofChild == .take(.client) || ofChild == .edit(.text("a")))
        #expect(
          Contradiction.all(among: decided.map(FamilyStanding.init))
            == (contradicts ? [Contradiction(child: "c:items", field: "parent", parent: "a:lists")] : []),
          "\(String(describing: ofParent)), \(String(describing: ofChild))")
      }
    }
  }
}
