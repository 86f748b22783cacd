import Merging
import Testing

@Suite struct TextMergeTests {
  private func merged(_ ancestor: String, _ client: String, _ server: String) -> String? {
    TextMerge(ancestor: ancestor, client: client, server: server).text
  }

  @Test(
    arguments: [
      ("the red car", "the blue car", "the red bus", "the blue bus"),
      (
        "Ask about wisdom tooth and cleaning.", "Ask about the wisdom tooth and cleaning.",
        "Ask about wisdom tooth, X-ray and cleaning.", "Ask about the wisdom tooth, X-ray and cleaning."
      ),
      ("  a b\n\nc \t", "  a x\n\nc \t", "  a b\n\nc \t!", "  a x\n\nc \t!"),
      ("a b c", "b c", "a b", "b"),
      ("one two three", "one 2 three", "one 2 three", "one 2 three"),
      ("one two three", "1 2 three", "1 two 3", "1 2 3"), ("one two three", "1 2 three", "I two 3", nil),
      ("\r\na b\r\n", "\r\nx b\r\n", "\r\na y\r\n", "\r\nx y\r\n"),
      ("買い物メモ", "買い物リスト", "大買い物メモ", "大買い物リスト"),
      ("caf\u{E9} a b", "cafe\u{301} a b", "caf\u{E9} a c", "cafe\u{301} a c"),
      ("", "a", "", "a"), ("", "a", "a", "a"), ("", "a", "b", nil), ("a", "", "", ""), ("a", "", "b", nil),
      // Two edits that touch: nobody can say which comes first.
      ("a b", "a new b", "a old b", nil), ("tooth.", "teeth.", "tooth, X-ray.", nil),
    ] as [(String, String, String, String?)])
  func editsApartMergeAndOthersAreAPersons(
    ancestor: String, client: String, server: String, expected: String?
  ) {
    #expect(merged(ancestor, client, server).map { Array($0.utf8) } == expected.map { Array($0.utf8) })
    #expect(merged(ancestor, server, client).map { Array($0.utf8) } == expected.map { Array($0.utf8) })
  }

  @Test func thePartsTellWhoChangedWhat() {
    let merge = TextMerge(
      ancestor: "Ask about cleaning. Bring card. Thanks",
      client: "Ask about the cleaning. Bring both. Thanks",
      server: "Ask about cleaning. Bring passport. Many thanks")
    #expect(
      merge.parts == [
        .kept("Ask about "), .client("the ", instead: ""), .kept("cleaning. Bring "),
        .overlap(ancestor: "card", client: "both", server: "passport"), .kept(". "),
        .server("Many thanks", instead: "Thanks"),
      ])
    #expect(merge.overlaps == 1)
    #expect(merge.text == nil)
  }

  @Test func theSameEditOnBothSidesIsOnePart() {
    let merge = TextMerge(ancestor: "a b", client: "a c", server: "a c")
    #expect(merge.parts == [.kept("a "), .both("c", instead: "b")])
  }

  /// All texts of up to three words out of three.
  private static let smallTexts: [String] = {
    let words = ["a", "b", "c"]
    let two = words.flatMap { left in words.map { "\(left) \($0)" } }
    return [""] + words + two + two.flatMap { left in words.map { "\(left) \($0)" } }
  }()

  @Test func anUnchangedSideGivesTheOther() {
    for ancestor in Self.smallTexts {
      for edited in Self.smallTexts {
        #expect(merged(ancestor, edited, ancestor) == edited)
        #expect(merged(ancestor, ancestor, edited) == edited)
        #expect(merged(ancestor, edited, edited) == edited)
      }
    }
  }

  @Test func swappingTheSidesSwapsThePartsAndNothingElseAndTheyHoldAllThreeTexts() {
    let shortTexts = Self.smallTexts.filter { $0.count <= 3 }
    for ancestor in Self.smallTexts {
      for client in Self.smallTexts {
        for server in shortTexts {
          let parts = TextMerge(ancestor: ancestor, client: client, server: server).parts
          let swapped = TextMerge(ancestor: ancestor, client: server, server: client).parts
          let areSwapped = parts.map(\.swapped) == swapped
          let texts = [parts.map(\.before), parts.map(\.ofClient), parts.map(\.ofServer)].map { $0.joined() }
          #expect(areSwapped && texts == [ancestor, client, server], "\(ancestor), \(client), \(server)")
        }
      }
    }
  }

  @Test func aLongTextEditedFarApartMerges() {
    let lines = (0..<4_000).map { "Paragraph \($0). lorem ipsum dolor sit amet" }
    var (client, server, both) = (lines, lines, lines)
    client[50] = "Paragraph fifty. lorem ipsum dolor sit amet"
    server[3_900] = "Paragraph 3900. lorem ipsum dolor sit, amen"
    (both[50], both[3_900]) = (client[50], server[3_900])
    let merge = TextMerge(
      ancestor: lines.joined(separator: "\n"), client: client.joined(separator: "\n"),
      server: server.joined(separator: "\n"))
    #expect(merge.text == both.joined(separator: "\n"))
  }

  @Test(.timeLimit(.minutes(1)))
  func hopelessTextsDoNotTakeLong() {
    let ancestor = String(repeating: "a b c d ", count: 4_000)
    let client = String(repeating: "d a d b c c ", count: 3_000)
    let server = String(repeating: "b b a. ", count: 5_000)
    let merge = TextMerge(ancestor: ancestor, client: client, server: server)
    #expect(merge.parts.map(\.ofClient).joined() == client)
    #expect(merge.text == nil)
  }
}

extension TextMerge.Part {
  fileprivate var swapped: TextMerge.Part {
    switch self {
    case .kept, .both: self
    case .client(let text, let before): .server(text, instead: before)
    case .server(let text, let before): .client(text, instead: before)
    case .overlap(let ancestor, let client, let server):
      .overlap(ancestor: ancestor, client: server, server: client)
    }
  }

  fileprivate var before: String {
    switch self {
    case .kept(let text): text
    case .client(_, let before), .server(_, let before), .both(_, let before): before
    case .overlap(let ancestor, _, _): ancestor
    }
  }

  fileprivate var ofClient: String {
    switch self {
    case .kept(let text), .client(let text, _), .both(let text, _): text
    case .server(_, let before): before
    case .overlap(_, let client, _): client
    }
  }

  fileprivate var ofServer: String { swapped.ofClient }
}
