import Testing

@testable import parley

/// What else a typed value may be is offered as it is typed there.
@Suite struct TypedPlaceTests {
  private static let errors: [CommandError] = [
    .notHexadecimal(field: "n"), .needsBytes(field: "n"),
    .sideOrText(field: "n", text: "ours", side: nil), .sideOrText(field: "n", text: nil, side: "client"),
    .nullOrText(field: "n", text: "nil", takesNull: true, takesText: true),
    .nullOrText(field: "n", text: "nil", takesNull: true, takesText: false),
    .nullOrText(field: "n", text: "nil", takesNull: false, takesText: true),
    .leafOrText(field: "n", text: "2-aa", leaf: "2-aa"), .leafOrText(field: "n", text: "2-aa", leaf: nil),
    .unknownLeaf("9", known: ["2-aa"], text: OfferedText(field: "n", text: "leaf:9")),
    .ambiguousLeaf("2-", candidates: ["2-aa", "2-ab"], text: OfferedText(field: "n", text: "leaf:2-")),
  ]

  @Test(arguments: errors)
  func ofAnAnswerNothingIsOfferedThatStandsOnACommandLine(error: CommandError) {
    let (option, answer) = (error.words(typedAs: .option), error.words(typedAs: .answer))
    #expect(option == error.words && option.contains("--set "), "\(option)")
    #expect(!answer.contains("--set") && !answer.contains("n=") && !answer.contains("'n"), "\(answer)")
    #expect(!answer.contains("parley "), "\(answer)")
    #expect(answer.contains(": e ") || answer.contains(": c"), "\(answer)")
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
