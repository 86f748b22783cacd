import Merging
import StoreInterface
import Testing

@testable import parley

@Suite("A merge in --plain")
struct LinearMergeTests: AnsweredInLines {
  /// Each side changed words of its own, and both the first ones.
  private static let letter = Samples.edited(
    "L4", title: "Letter",
    ancestor: ["title": .text("Dear Bob, see you on Monday. Yours, Ann")],
    client: ["title": .text("Dear Robert, see you on Monday. Yours, Anna")],
    server: ["title": (.text("Dear Bobby, see you on Tuesday. Yours, Ann"), 11_340)])

  private func merged(_ answers: String...) -> (run: Run, store: WatchedStore) {
    let session = Session([Self.letter])
    return (run(["m"] + answers, session), session.store)
  }

  private func values(_ store: WatchedStore) -> [Value?] {
    store.decisions.map { decision in
      if case .parts(let parts)? = decision.choice { parts.value } else { nil }
    }
  }

  @Test("goes through the changes one by one, tells the result, and keeps it after yes")
  func transcript() {
    let (run, store) = merged("c", "", "s", "yes", "q")
    let told = run.output
    #expect(
      told.contains(
        """
        title has 3 changes, 1 to decide. Nothing is kept before you have heard the result.
        Change 1 of 3, to decide. It stands behind: Dear.
        Ancestor: Bob. Client: Robert. Server: Bobby.
        Choose c client, s server, a ancestor, b both, client first, B both, server first, e words of your own,\
         Enter takes server, A all of the rest, n next, h back, v the result so far, q leave it as it was,\
         ? help:
        Change 2 of 3, sure, as only the server changed it. It stands behind: , see you on.

        """), "\(told)")
    #expect(
      told.contains(
        "title becomes: Dear Robert, see you on Tuesday. Yours, Ann.\n"
          + "Given up: title of the server: \"Bob\" becomes \"Bobby\".\n"
          + "Given up: title of the client: \"Ann\" becomes \"Anna\".\nType yes to keep it, h for the last change,"
      ),
      "\(told)")
    #expect(values(store) == [.text("Dear Robert, see you on Tuesday. Yours, Ann")])
  }

  @Test("goes on with what was chosen where a line is not UTF-8")
  func notUTF8() {
    let session = Session([Self.letter])
    let told = runAsLatin1(["m", "c", "\u{E9}", "", "e \u{E9}", "s", "ja\u{FF}", "yes", "q"], session).output
    #expect(told.components(separatedBy: "is not UTF-8, and nothing is done by it.").count == 4, "\(told)")
    #expect(values(session.store) == [.text("Dear Robert, see you on Tuesday. Yours, Ann")], "\(told)")
  }

  @Test(
    "both sides' words are taken in either order, and words of one's own",
    arguments: [
      (["cs", "A"], "Dear Robert Bobby, see you on Tuesday. Yours, Anna"),
      (["b", "A"], "Dear Robert Bobby, see you on Tuesday. Yours, Anna"),
      (["sc", "A"], "Dear Bobby Robert, see you on Tuesday. Yours, Anna"),
      (["e Dr. Roberts", "A"], "Dear Dr. Roberts, see you on Tuesday. Yours, Anna"),
      (["e", "Rob", "a", "c"], "Dear Rob, see you on Monday. Yours, Anna"),
      // The blank before the next word is kept, though nobody typed it.
      (["c", "", "e Annabel"], "Dear Robert, see you on Tuesday. Yours, Annabel"),
      // What was left open is asked for again.
      (["n", "", "", "s"], "Dear Bobby, see you on Tuesday. Yours, Anna"),
      (["c", "h", "s", "A"], "Dear Bobby, see you on Tuesday. Yours, Anna"),
    ])
  func both(answers: [String], value: String) {
    let session = Session([Self.letter])
    let run = run(["m"] + answers + ["yes", "q"], session)
    #expect(values(session.store) == [.text(value)], "\(run.output)")
  }

  @Test("A law: whatever is answered, nothing is kept before yes, and what is left is as it was")
  func unkept() {
    let script = ["cs", "v", "zzz", "sc", "", "A"]
    for length in 0...script.count {
      for end in [[], ["q", "q"], ["no", "q"]] {
        let session = Session([Self.letter])
        let run = run(["m"] + script.prefix(length) + end, session)
        #expect(session.store.decisions.isEmpty && run.status == .left && run.errors.isEmpty, "\(length)")
      }
    }
    let (run, _) = merged("q", "q")
    #expect(run.output.contains("Nothing of the merge was kept.\n"))
  }

  @Test(
    "a finished merge goes by no slip: what is no answer is asked for again", arguments: ["y", "yes", "Y"])
  func slips(yes: String) {
    let session = Session([Self.letter])
    let run = run(["m", "c", "A", "yse", "", yes, "q"], session)
    #expect(run.output.components(separatedBy: "is no answer here.\nType yes to keep it").count == 3)
    #expect(session.store.decisions.count == 1, "\(run.output)")
  }

  @Test("the result so far is told, and what cannot be taken is refused")
  func told() {
    let (run, _) = merged("v", "c", "cs", "v", "q", "q")
    #expect(
      run.output.contains("So far: Dear [to decide], see you on Tuesday. Yours, Anna.\n"), "\(run.output)")
    #expect(run.output.contains("there is one text to take."))
    #expect(run.output.contains("So far: Dear Robert, see you on Tuesday. Yours, Anna.\n"))
  }

  @Test(
    "what has no changes that stand for themselves is not merged, which is said without a key of the desk")
  func refused() {
    let number = self.run(["m", "q"], Session([Samples.dentist]))
    #expect(number.output.contains("JSON objects, and lists of one length are merged by"))
    #expect(!number.output.contains("m merge its changes, Enter for the suggestion, n skip, ? help:\nOnly"))
    let ways = self.run(["o", "q"], Session([Self.letter]))
    #expect(ways.output.contains("In this text m goes through the changes"), "\(ways.output)")
  }

  @Test("words that stand before others keep the white space that every version has there")
  func blanks() {
    let notes = Samples.edited(
      "L5", title: "Notes", ancestor: ["title": .text("one two three\n\nfour")],
      client: ["title": .text("eins two three\n\nfour")],
      server: ["title": (.text("un two three\n\nfour, five"), 11_340)])
    let session = Session([notes])
    let run = run(["m", "e uno", "A", "yes", "q"], session)
    #expect(values(session.store) == [.text("uno two three\n\nfour, five")], "\(run.output)")
    #expect(
      run.output.contains("becomes: 3 lines: uno two three / blank line / four, five.\n"), "\(run.output)")
  }

  @Test("a blank line is heard in what is given up as in what the field becomes")
  func blankLineLost() {
    let notes = Samples.edited(
      "L8", title: "Notes", ancestor: ["title": .text("one two three")],
      client: ["title": .text("one two three\n\nfour")], server: ["title": (.text("one two five"), 11_340)])
    let run = run(["m", "s", "yes", "q"], Session([notes]))
    let lost = run.lines.filter { $0.hasPrefix("Given up: ") }.joined()
    #expect(lost.contains("/ blank line / four"), "\(run.output)")
  }

  @Test("? says what can be answered, each by a letter that is understood")
  func help() {
    let (run, store) = merged("?", "zzz", "q", "q")
    for line in [
      "Enter: take what was decided", "b: take both, the client's first; so does cs.",
      "v: say the result so far.",
    ] {
      #expect(run.output.contains(line), "\(run.output)")
    }
    #expect(
      run.output.contains("“zzz” is no answer here. ? says what can be answered.") && store.decisions.isEmpty)
    let sure = merged("n", "?", "q", "q").run.output
    #expect(!sure.contains("b: take both") && sure.contains("a: take the ancestor's words."), "\(sure)")
  }

  @Test("nothing given up is told as well")
  func nothingLost() {
    let calm = Samples.edited(
      "L6", title: "Calm", ancestor: ["title": .text("Dear Bob, see you on Monday. Yours, Ann")],
      client: ["title": .text("Dear Robert, see you on Monday. Yours, Ann")],
      server: ["title": (.text("Dear Bob, see you on Tuesday. Yours, Ann"), 11_340)])
    let run = run(["f", "m", "A", "q", "q"], Session([calm]))
    #expect(run.output.contains("Nothing is given up.\nType yes"), "\(run.output)")
  }

  @Test(
    "words of one's own stand apart from those before and behind them, and every blank is heard that is kept")
  func apart() {
    let notes = Samples.edited(
      "L7", title: "Notes", ancestor: ["title": .text("about wisdom tooth and cleaning")],
      client: ["title": .text("about wisdom tooth, kindly and cleaning")],
      server: ["title": (.text("about wisdom tooth, X-ray\nand cleaning"), 11_340)])
    for (typed, value) in [
      ("e braces", "about wisdom tooth braces and cleaning"),
      ("e , braces", "about wisdom tooth, braces and cleaning"),
      ("e two  blanks ", "about wisdom tooth two  blanks and cleaning"),
    ] {
      let session = Session([notes])
      let run = run(["m", typed, "yes", "q"], session)
      #expect(values(session.store) == [.text(value)], "\(run.output)")
      #expect(run.output.contains("title becomes: \(value).\n"), "\(run.output)")
      #expect(run.output.contains("Server: , X-ray, then a line break."), "\(run.output)")
    }
  }
}
