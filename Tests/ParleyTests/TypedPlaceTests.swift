import Testing

@testable import parley

/// What else a typed value may be is offered as it is typed there.
@Suite struct TypedPlaceTests {
  private static let answers: [(CommandError, String)] = [
    (
      .notHexadecimal(field: "n"),
      "blob: takes pairs of hexadecimal digits: e blob:00ff. For the bytes of a file: e file:PATH."
    ),
    (
      .needsBytes(field: "n"),
      "n holds bytes. Give a file or hexadecimal digits: e file:PATH or e blob:00ff."
    ),
    (
      .sideOrText(field: "n", text: "ours", side: nil),
      "Is a side meant, or the word ours? For a side: c, s or a. For the word: e text:ours."
    ),
    (
      .sideOrText(field: "n", text: nil, side: "client"),
      "Is a side meant? For a side: c. n takes no words."
    ),
    (
      .nullOrText(field: "n", text: "nil", takesNull: true, takesText: true),
      "Is NULL meant, or the word nil? For NULL: e null:. For the word: e text:nil."
    ),
    (
      .nullOrText(field: "n", text: "nil", takesNull: true, takesText: false),
      "Is NULL meant? Then say so: e null:. n takes no words."
    ),
    (
      .nullOrText(field: "n", text: "nil", takesNull: false, takesText: true),
      "n must have a value. Is the word nil meant? Then say so: e text:nil."
    ),
    (
      .leafOrText(field: "n", text: "2-aa", leaf: "2-aa"),
      "Is what leaf 2-aa has meant, or the text 2-aa? For the leaf's: e leaf:2-aa. For the text: e text:2-aa."
    ),
    (
      .leafOrText(field: "n", text: "2-aa", leaf: nil),
      "2-aa is the id of a deleted leaf, of which nothing can be taken. Is the text meant? Then say so: e text:2-aa."
    ),
    (
      .unknownLeaf("9", known: ["2-aa"], text: OfferedText(field: "n", text: "leaf:9")),
      "No live leaf of the document is called 9. Live leaves: 2-aa. v says what each has. For the text: e text:leaf:9."
    ),
    (
      .ambiguousLeaf("2-", candidates: ["2-aa", "2-ab"], text: OfferedText(field: "n", text: "leaf:2-")),
      "2- could be several leaves: 2-aa, 2-ab. Write more of the id. For the text: e text:leaf:2-."
    ),
  ]

  @Test(arguments: answers)
  func ofAnAnswerNothingIsOfferedThatStandsOnACommandLine(error: CommandError, answer: String) {
    #expect(error.words(typedAs: .answer) == answer)
    #expect(error.words.contains("--set "), "\(error.words)")
  }

  @Test func whatIsOfferedForBytesIsAnAnswer() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let told = Live.run(
        [path, "--plain"], input: "/ Garden poster\ne 12\ne blob:zz\ne blob:00ff\nq\n"
      ).output
      let offer = "cover holds bytes. Give a file or hexadecimal digits: e file:PATH or e blob:00ff.\n"
      #expect(told.contains(offer), "\(told)")
      #expect(told.contains("Decided: cover, edited: blob 2 B "), "\(told)")
    }
  }
}
