import ExactJSON
import Testing

@testable import Merging

/// A field taken apart into its changes, and put together again.
@Suite struct FieldPartsTests {
  private func parts(_ ancestor: String?, _ client: String, _ server: String) throws -> FieldParts {
    try #require(
      FieldParts(ancestor: ancestor.map { .text($0) }, client: .text(client), server: .text(server)))
  }

  private static let dentist = (
    ancestor: "Ask about wisdom tooth and cleaning. Bring insurance card.",
    client: "Ask about the wisdom tooth and cleaning. Bring both cards.",
    server: "Ask about wisdom tooth, X-ray and cleaning. Bring new insurance card."
  )

  private func dentist() throws -> FieldParts {
    try parts(Self.dentist.ancestor, Self.dentist.client, Self.dentist.server)
  }

  @Test func whatOneSideChangedIsSureAndWhatBothDidIsToDecide() throws {
    let parts = try dentist()
    #expect(parts.form == .words)
    #expect(parts.parts.map(\.change) == [.onlyClient, .onlyServer, .different])
    #expect(parts.parts.map(\.isSure) == [true, true, false])
    #expect(parts.parts[1].server == ", X-ray")
    let overlap = parts.parts[2]
    #expect(overlap.ancestor == "insurance card" && overlap.client == "both cards")
    #expect(overlap.server == "new insurance card")
    #expect(parts.undecided(in: [:]).map(\.id) == [overlap.id] && parts.value([:]) == nil, "\(parts.pieces)")
  }

  @Test(
    arguments: [
      (PartChoice.take(.client), "both cards"), (.take(.server), "new insurance card"),
      (.take(.ancestor), "insurance card"), (.both(first: .client), "both cards new insurance card"),
      (.both(first: .server), "new insurance card both cards"), (.edit("my passport"), "my passport"),
    ])
  func everyChoiceOfAnOverlapIsInTheText(choice: PartChoice, words: String) throws {
    let parts = try dentist()
    #expect(
      parts.value([parts.parts[2].id: choice])
        == .text("Ask about the wisdom tooth, X-ray and cleaning. Bring \(words)."))
  }

  /// Two lines for one stand under each other, whether a line's end is among what differs or not.
  @Test(
    arguments: [
      ("Milk\nBread\nEggs", "Milk\nRye\nEggs", "Milk\nToast\nEggs", "Milk\nRye\nToast\nEggs"),
      ("Milk\nEggs", "Milk\nHam", "Milk\nCheese", "Milk\nHam\nCheese"),
      ("Milk", "Ham", "Cheese\nMilk", "Ham\nCheese\nMilk"), ("Milk", "Ham", "Cheese", "Ham Cheese"),
      ("one tea\ntwo", "one ale\ntwo", "one gin\ntwo", "one ale gin\ntwo"),
    ])
  func bothOfWholeLinesAreLines(ancestor: String, client: String, server: String, both: String) throws {
    let parts = try parts(ancestor, client, server)
    let choices = parts.undecided(in: [:]).map { ($0.id, PartChoice.both(first: .client)) }
    #expect(parts.value(Dictionary(uniqueKeysWithValues: choices)) == .text(both), "\(parts.pieces)")
  }

  @Test func wordsInARowAreOneChange() throws {
    let parts = try parts("one two three four", "1 2 3 four", "one two three four.")
    #expect(parts.parts.map(\.client) == ["1 2 3", ""], "\(parts.pieces)")
  }

  /// Whichever blank it is that was put in: beside it the client wrote something else.
  @Test func whatTouchesAnotherEditIsToDecide() throws {
    let parts = try parts("Bring insurance card.", "Bring both cards.", "Bring new insurance card.")
    #expect(parts.parts.map(\.change) == [.different])
    #expect(parts.parts.map(\.server) == ["new insurance card"])
    let removed = try self.parts("a b b c", "a b c", "a b b d")
    #expect(removed.parts.map(\.change) == [.different], "\(removed.parts)")
  }

  @Test func whatIsSureCanBeDecidedOtherwise() throws {
    let parts = try dentist()
    let text = parts.value([parts.parts[0].id: .take(.server), parts.parts[2].id: .take(.ancestor)])
    #expect(
      text
        == .text("Ask about wisdom tooth, X-ray and cleaning. Bring insurance card."))
  }

  @Test func withoutAnAncestorEverythingIsToDecide() throws {
    let parts = try parts(nil, "one two three", "one 2 three four")
    #expect(parts.parts.map(\.client) == ["two", ""] && parts.parts.map(\.server) == ["2", " four"])
    #expect(parts.parts.allSatisfy { $0.ancestor == nil && !$0.isSure && $0.change == .different })
  }

  @Test(
    arguments: [
      ("a", "b", "a b"), ("a\n", "b\n", "a\nb\n"), ("a", "", "a"), ("", "b", "b"), ("a ", "b", "a b"),
      ("a\nb", "c", "a\nb\nc"),
    ])
  func bothStandBehindEachOther(client: String, server: String, both: String) {
    let part = FieldPart(id: "0+0", ancestor: "", client: client, server: server, change: .different)
    #expect(part.text(.both(first: .client)) == both)
  }

  /// All texts of up to three words out of three, and JSON of up to two keys.
  private static let texts: [String] = {
    let words = ["a", "b", "c"]
    let two = words.flatMap { left in words.map { "\(left) \($0)" } }
    return [""] + words + two + two.flatMap { left in words.map { "\(left) \($0)" } }
  }()

  private static let json: [String] = {
    let values = [nil, "1", "1.0", "[1,2]", "[1,3]", "[1]", #"{"x":1}"#, #"{"x":2,"y":{}}"#]
    return values.flatMap { first in
      values.map { second in
        let members = [first.map { "\"a\":\($0)" }, second.map { "\"b/~c\":\($0)" }].compactMap(\.self)
        return "{\(members.joined(separator: ","))}"
      }
    }
  }()

  /// Laws, over all of them: the ids differ, each side is in the parts, and what is sure needs nobody.
  private func check(_ ancestor: String?, _ client: String, _ server: String) {
    let sides = [ancestor, client, server].compactMap(\.self)
    guard
      let parts = FieldParts(
        ancestor: ancestor.map { .text($0) }, client: .text(client), server: .text(server))
    else {
      #expect(client == server && (ancestor == nil || ancestor == client))
      return
    }
    #expect(Set(parts.parts.map(\.id)).count == parts.parts.count, "\(sides)")
    let taken = [Side.client, .server, .ancestor].map { side in
      parts.value(Dictionary(uniqueKeysWithValues: parts.parts.map { ($0.id, PartChoice.take(side)) }))
    }
    #expect(taken[0] == .text(client) && taken[1] == .text(server), "\(sides): \(taken)")
    #expect(ancestor == nil || taken[2] == ancestor.map { .text($0) }, "\(sides): \(taken)")
    let isSure = parts.parts.allSatisfy(\.isSure)
    #expect((parts.value([:]) != nil) == isSure, "\(sides)")
    if ancestor == nil { #expect(!isSure || parts.parts.isEmpty) }
  }

  @Test func textsKeepTheLaws() {
    for client in Self.texts {
      for server in Self.texts {
        check(nil, client, server)
        for ancestor in Self.texts where ancestor.count <= 3 { check(ancestor, client, server) }
      }
    }
  }

  @Test func jsonKeepsTheLaws() {
    for client in Self.json {
      for server in Self.json {
        check(nil, client, server)
        for ancestor in Self.json.enumerated() where ancestor.offset % 5 == 0 {
          check(ancestor.element, client, server)
        }
      }
    }
  }

  /// A side's own text in the parts of one side, whatever comes between them.
  @Test func thePiecesOfASideAreItsText() throws {
    for (ancestor, client, server) in [Self.dentist, ("a b c", "x b", "a y c d")] {
      let parts = try parts(ancestor, client, server)
      for (side, text) in [(Side.ancestor, ancestor), (.client, client), (.server, server)] {
        let pieces = parts.pieces.map { piece in
          switch piece {
          case .kept(let text): text
          case .part(let part): part.text(side) ?? ""
          }
        }
        #expect(pieces.joined() == text)
      }
    }
  }
}

/// JSON by its keys.
extension FieldPartsTests {
  private func json(_ text: String) throws -> Value { Value(try JSONValue(parsing: text)) }

  private static let shelf = (
    ancestor: #"{"price":1.10,"tags":["a","b"],"size":{"w":1,"h":2},"id":12345678901234567890123}"#,
    client: #"{"price":1.20,"tags":["a","c"],"size":{"w":3,"h":2},"id":12345678901234567890123}"#,
    server: #"{"price":1.30,"tags":["a","b"],"size":{"w":1,"h":2.0},"id":12345678901234567890123,"new":null}"#
  )

  @Test func keysAreNamedByTheirPath() throws {
    let parts = try parts(Self.shelf.ancestor, Self.shelf.client, Self.shelf.server)
    #expect(parts.form == .keys)
    #expect(parts.parts.map(\.name) == ["new", "price", "size.h", "size.w", "tags[1]"])
    #expect(parts.parts.map(\.id) == ["/new", "/price", "/size/h", "/size/w", "/tags/1"])
    let lost = parts.parts.map { LostPart(name: $0.name, old: nil, new: nil) }
    #expect(lost.compactMap(\.pointer) == parts.parts.map(\.id))
    #expect(parts.undecided(in: [:]).map(\.name) == ["price"])
    #expect(
      parts.value(["/price": .edit("1.2500")])
        == .text(
          #"{"price":1.2500,"tags":["a","c"],"size":{"w":3,"h":2.0},"id":12345678901234567890123,"new":null}"#
        ))
    #expect(parts.value(["/price": .edit("1.2.5")]) == nil)
  }

  /// To Swift a slash with an accent is another character than a slash.
  @Test(
    arguments: [
      "a/\u{301}b", "~\u{301}", "/\u{301}", "~1\u{301}", "a/b~c", "", "a.b", ".\u{301}", "x]", "\"", "\\\"]",
    ])
  func aKeyMayHaveWhatAPathIsMadeOf(key: String) throws {
    let name = JSONValue.string(JSONText(key)).text
    let sides = (1...3).map { "{\(name):\($0),\"other\":0}" }
    let part = try #require(try parts(sides[0], sides[1], sides[2]).parts.first)
    #expect(try JSONValue(parsing: sides[1]).value(at: part.id)?.text == "2", "\(part.id)")
    #expect(LostPart(name: part.name, old: nil, new: nil).pointer == part.id, "\(part.name ?? "")")
  }

  @Test func aDocumentsOwnJSONStaysJSON() throws {
    let parts = try #require(
      FieldParts(
        ancestor: json(#"{"a":1,"b":1}"#), client: json(#"{"a":2,"b":1}"#), server: json(#"{"a":1,"b":3}"#)))
    #expect(parts.value([:]) == (try json(#"{"a":2,"b":3}"#)))
  }

  /// Arrays are told apart by their place only where nobody added to them, and by a person where both changed them.
  @Test func arraysAreTakenApartWhereThatIsNoGuess() throws {
    let same = try parts(#"{"l":[1,2,3]}"#, #"{"l":[9,2,3]}"#, #"{"l":[1,2,8]}"#)
    #expect(same.parts.map(\.name) == ["l[0]", "l[2]"] && same.parts.allSatisfy { !$0.isSure })
    let longer = try parts(#"{"l":[1,2]}"#, #"{"l":[0,1,2]}"#, #"{"l":[1,2]}"#)
    #expect(longer.parts.map(\.name) == ["l"] && longer.value([:]) == .text(#"{"l":[0,1,2]}"#))
  }

  @Test func oddKeysHaveReadableNames() throws {
    let parts = try parts(#"{"a.b":1,"":2,"c":[{"d e":3}]}"#, #"{"a.b":2,"":3,"c":[{"d e":4}]}"#, "{}")
    #expect(parts.parts.map(\.name) == [#"[""]"#, #"["a.b"]"#, "c"])
  }

  @Test(arguments: ["7", "\"a\"", "null", "{\"a\":1", "text"])
  func whatIsNoObjectOrArrayIsMergedByWords(text: String) throws {
    #expect(try parts("{}", #"{"a":1}"#, text).form == .words)
  }

  @Test func whatDiffersInItsBlanksAloneIsMergedByWords() throws {
    let parts = try parts(#"{"a":1}"#, #"{ "a":1}"#, #"{"a": 1}"#)
    #expect(parts.form == .words && parts.value([:]) == .text(#"{ "a": 1}"#))
  }
}

/// A text of megabytes: lines, then the whole.
extension FieldPartsTests {
  private static func lines(_ count: Int) -> [String] { (0..<count).map { "Line \($0) of a long text." } }

  @Test func longTextsAreComparedWhereTheyDifferAndVeryLongOnesByLines() throws {
    var (client, server) = (Self.lines(40_000), Self.lines(40_000))
    (client[20_000], server[20_004]) = ("Line 20000 of my text.", "Line 20004 of their text.")
    let ancestor = Self.lines(40_000).joined(separator: "\n")
    let near = try parts(ancestor, client.joined(separator: "\n"), server.joined(separator: "\n"))
    #expect(near.form == .words && near.parts.map(\.client) == ["my", "a long"])
    (client[3], server[39_990]) = ("Line 3 of my text.", "Line 39990 of their text.")
    let far = try parts(ancestor, client.joined(separator: "\n"), server.joined(separator: "\n"))
    #expect(
      far.form == .lines && far.parts.map(\.change) == [.onlyClient, .onlyClient, .onlyServer, .onlyServer])
    #expect(far.parts[1].client == "Line 20000 of my text.\n")
    client[39_995] = "Line 39995 of my text."
    (client[20_004], server[3]) = (server[20_004], client[3])
    let value = try parts(ancestor, client.joined(separator: "\n"), server.joined(separator: "\n"))
    #expect(value.value([:]) != nil)
  }

  @Test func whatIsTooLongForLinesIsOneChange() throws {
    let filler = String(repeating: "all of it is other\n", count: 150_000)
    let parts = try parts("a" + filler + "a", "b" + filler + "b", "c" + filler + "c")
    #expect(parts.form == .whole && parts.parts.count == 1)
  }
}

extension FieldPartsTests {
  /// Wherever the bytes begin and end, within a character too.
  @Test func theEndsOfLinesAreCounted() {
    let text = "\nä\n\nquick\r\n買\n"
    let bytes = Array(text.utf8)
    for start in 0...bytes.count {
      for end in start...bytes.count {
        #expect(text.lineEnds(in: start..<end) == bytes[start..<end].count { $0 == UInt8(ascii: "\n") })
      }
    }
    #expect("".lineEnds(in: 0..<0) == 0)
  }
}
