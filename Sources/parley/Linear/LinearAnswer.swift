import Merging

/// What a person answers to a question of the linear desk: a letter, a word, or nothing but Enter.
enum LinearAnswer: Equatable {
  case suggestion
  /// Nothing but Enter, which takes a suggestion that is sure or by clock.
  case enter
  case take(Side)
  /// A value, in one of the forms of ``ValueArgument``; nil asks for it.
  case edit(String?)
  /// One of the ways to decide the whole record, from 1.
  case way(Int)
  /// Records, by words as the list's filter takes them; nil goes on with those of before.
  case find(String?)
  case ways, merge, singly, family, acceptAll, givenUp, inFull, skip, skipRecord, back, undo, again, write,
    quit,
    help
  case notUnderstood(String)

  init(_ line: String) {
    if let words = LinearAnswer.words(toFind: line) {
      self = .find(words.isEmpty ? nil : words)
      return
    }
    let words = line.wordAndRest
    guard let first = words.first else {
      self = .enter
      return
    }
    let answer = LinearAnswer.entries.first { $0.keys.contains { $0.asAnswer == first.asAnswer } }?.answer
    if words.count == 2 {
      self = answer == .edit(nil) ? .edit(words[1]) : .notUnderstood(line)
    } else {
      self = Int(first).map(LinearAnswer.way) ?? answer ?? .notUnderstood(line)
    }
  }

  /// nil where nothing is looked for.
  private static func words(toFind line: String) -> String? {
    let typed = line.trimmingPrefix(while: \.isWhitespace)
    let starts = ["/", "find "]
    guard let start = starts.first(where: { typed.prefix($0.count).lowercased() == $0 }) else { return nil }
    return String(typed.dropFirst(start.count).trimmingPrefix(while: \.isWhitespace))
  }
}

extension LinearAnswer {
  struct Entry {
    /// What may be typed: a letter, and a word.
    var keys: [String]
    var answer: LinearAnswer
    var meaning: String
    /// The same where the store goes when the desk is left.
    var ofSample: String { answer == .quit ? "leave; the sample goes, with all that was decided" : meaning }
  }

  /// All that can be answered; the help and Desk/README.md tell them.
  static let entries = [
    Entry(
      keys: ["Enter"], answer: .enter,
      meaning: "take what is suggested, if it is sure or by clock; what is decided stays so"),
    Entry(
      keys: ["t", "suggestion"], answer: .suggestion,
      meaning: "take what is suggested, also where it is to decide by you, or decided otherwise"),
    Entry(keys: ["c", "client"], answer: .take(.client), meaning: "take the client's"),
    Entry(keys: ["s", "server"], answer: .take(.server), meaning: "take the server's"),
    Entry(keys: ["a", "ancestor"], answer: .take(.ancestor), meaning: "take the ancestor's"),
    Entry(keys: ["e", "edit"], answer: .edit(nil), meaning: "give a value of your own; e VALUE at once"),
    Entry(
      keys: ["m", "merge"], answer: .merge,
      meaning: "go through the changes of a text one by one, and hear the result before it is kept"),
    Entry(keys: ["f", "fields"], answer: .singly, meaning: "ask about the sure fields one by one"),
    Entry(
      keys: ["F", "family"], answer: .family,
      meaning: "decide this record with all in conflict that belong to it"),
    Entry(
      keys: ["A", "all"], answer: .acceptAll, meaning: "take all of this record that is sure or by clock"),
    Entry(
      keys: ["o", "ways"], answer: .ways,
      meaning: "list the ways to decide the whole record; a number takes one"),
    Entry(
      keys: ["1", "2"], answer: .way(1),
      meaning: "take the way of that number, where the ways were told; any number there is"),
    Entry(keys: ["v", "full"], answer: .inFull, meaning: "say the values in full"),
    Entry(keys: ["n", "skip"], answer: .skip, meaning: "leave it open, and go on"),
    Entry(keys: ["N", "next"], answer: .skipRecord, meaning: "go on to the next record"),
    Entry(
      keys: ["/", "find"], answer: .find(nil),
      meaning: "find a record, as / does in the desk: / WORDS; / alone goes to the next that has them"),
    // b is both in a merge, as in the desk; elsewhere it has nothing else to mean.
    Entry(
      keys: ["h", "back", "b"], answer: .back,
      meaning: "go back to the question before; b does so, too, but takes both in a merge"),
    Entry(
      keys: ["u", "undo"], answer: .undo,
      meaning:
        "take back what was done last; a write, or a decision of many records, after the word yes, or Y"),
    Entry(
      keys: ["D", "lost"], answer: .givenUp, meaning: "say what was given up, by drafts and by writes"),
    Entry(keys: ["r", "again"], answer: .again, meaning: "say the question again"),
    Entry(keys: ["w", "write"], answer: .write, meaning: "review what is ready, and write it"),
    Entry(keys: ["q", "quit"], answer: .quit, meaning: "leave; what was decided is kept"),
    Entry(keys: ["?", "help"], answer: .help, meaning: "say this"),
  ]
}

extension String {
  /// As it is heard: neither blanks around a word, nor its capitals. Those of a letter make another answer of it.
  var asAnswer: String {
    let words = split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.count > 1 ? words.lowercased() : words
  }

  /// The first word, and what stands behind it as it is, if that is more than blanks.
  var wordAndRest: [String] {
    let words = split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
    return words.last?.allSatisfy(\.isWhitespace) == true ? Array(words.dropLast()) : words
  }
}
