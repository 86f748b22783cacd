import Testing

@testable import Merging

/// What a field put together of changes leaves out of a side.
@Suite struct LostPartTests {
  private static let words = ["", "one ", "two ", "three "]

  private static func parts(_ ancestor: Value?, _ client: Value, _ server: Value) -> FieldParts? {
    FieldParts(ancestor: ancestor, client: client, server: server)
  }

  /// Texts of two places that each side leaves, removes or changes, and JSON of two keys.
  private static let all: [FieldParts] = {
    let texts = words.flatMap { first in words.map { Value.text("a \(first)b c \($0)d") } }
    let keys = ["", #""k":1,"#, #""k":2,"#].flatMap { first in
      ["[1]", "[2]"].map { Value.text(#"{\#(first)"l":{"m":\#($0)}}"#) }
    }
    return [texts, keys].flatMap { values in
      [values[1], nil].flatMap { ancestor in
        values.flatMap { client in values.compactMap { parts(ancestor, client, $0) } }
      }
    }
  }()

  private static func choices(of parts: FieldParts) -> [[FieldPart.ID: PartChoice]] {
    let ways: [PartChoice] = Side.allCases.map { .take($0) } + [.both(first: .client), .both(first: .server)]
    let few = parts.form == .keys ? Array(ways.prefix(3)) : ways
    return parts.parts.reduce([[:]]) { all, part in
      all.flatMap { choices in few.map { choices.merging([part.id: $0]) { $1 } } }
    }
  }

  @Test func aLawTheChangesOfTheOtherSideAreLostWhereASideIsTaken() {
    for parts in Self.all {
      for (side, other) in [(Side.client, Side.server), (.server, .client)] {
        let taken = Dictionary(uniqueKeysWithValues: parts.parts.map { ($0.id, PartChoice.take(side)) })
        let lost = parts.lost(by: taken)
        #expect(lost.allSatisfy { $0.side == other })
        let changed = parts.parts.filter { part in
          part.change == .different && !(part.text(other) ?? "").isEmpty || part.onlySide == other
        }
        #expect(Set(changed.map(\.id)).isSubset(of: lost.map(\.part.id)), "\(parts.pieces)")
      }
    }
  }

  @Test func aLawWhatIsSureLosesNothing() {
    for parts in Self.all where parts.undecided(in: [:]).isEmpty { #expect(parts.lost(by: [:]).isEmpty) }
  }

  /// Of a value alone it can be told which choices have made it.
  @Test func aLawTheChoicesAreFoundInWhatTheyMade() throws {
    var count = 0
    for parts in Self.all {
      for choices in Self.choices(of: parts) {
        let value = try #require(parts.value(choices))
        let found = try #require(parts.choices(making: value), "\(parts.pieces): \(value)")
        #expect(parts.value(found) == value, "\(parts.pieces)")
        count += 1
      }
    }
    #expect(count > 1000)
    let parts = try #require(Self.parts(.text("a b"), .text("a c"), .text("a d")))
    #expect(parts.choices(making: .text("nobody has this")) == nil)
  }

  @Test(
    arguments: [
      ("both cards", [Side.server]), ("new insurance card", [.client]), ("my passport", [.client, .server]),
      ("both cards and a new insurance card", []), ("insurance card", [.client, .server]),
    ])
  func wordsThatWereTypedMayHaveThoseOfASide(typed: String, lost: [Side]) throws {
    let parts = try #require(
      Self.parts(
        .text("Bring insurance card."), .text("Bring both cards."), .text("Bring new insurance card.")))
    #expect(parts.lost(by: [parts.parts[0].id: .edit(typed)]).map(\.side) == lost)
  }

  /// Who kept one of several changes that are alike has not kept the others.
  @Test func changesThatAreAlikeAreEachLost() throws {
    let text = { (words: [String]) in words.map { "It is \($0) now." }.joined(separator: "\n") }
    func version(_ words: [String]) -> RecordVersion {
      .present(["text": FieldVersion(.text(text(words)), time: 1)])
    }
    let conflict = RecordConflict(
      id: "1", table: "docs", primaryKey: "1", title: "One", fields: [Field("text")],
      versions: ThreeWay(
        ancestor: version(["a", "a", "a", "b"]), client: version(["c", "c", "c", "b"]),
        server: version(["s", "s", "s", "d"])))
    for kept in 0...3 {
      let typed = text((0..<3).map { $0 < kept ? "s" : "c" } + ["b"]) + " So be it."
      let lost = conflict.givenUp(by: .edit(.text(typed)), for: .field("text"))
      // A side of which nothing is there is lost in one.
      #expect(lost.count { $0.side == .server } == (kept == 0 ? 1 : 4 - kept), "\(kept): \(lost)")
      #expect(lost.count { $0.side == .client } == (kept == 3 ? 1 : kept), "\(kept): \(lost)")
    }
  }

  @Test func whatASideRemovedIsLostWhereItIsStillThere() throws {
    let parts = try #require(Self.parts(.text("a b c"), .text("a c"), .text("a b c!")))
    let removed = parts.parts[0]
    #expect(parts.lost(by: [removed.id: .take(.server)]).map(\.side) == [.client])
    #expect(parts.lost(by: [removed.id: .edit("x ")]).isEmpty)
    #expect(parts.lost(by: [:]).isEmpty)
  }

  @Test func aKeyIsTheSameHoweverItIsTyped() throws {
    let parts = try #require(
      Self.parts(.text(#"{"k":[1]}"#), .text(#"{"k":[1,2]}"#), .text(#"{"k":[3]}"#)))
    #expect(parts.lost(by: ["/k": .edit("[ 1, 2 ]")]).map(\.side) == [.server])
  }
}
