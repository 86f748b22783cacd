import Merging
import StoreInterface
import Telling
import Terminal

/// One field on its way through its changes: what is chosen of each, and which of them is asked about.
struct LinearMerge {
  let field: FieldConflict
  let parts: FieldParts
  private let newer: Side?
  private(set) var choices: [FieldPart.ID: PartChoice]
  private var place = 0
  /// Whether all were asked about, and what was left open is asked about again.
  private var asksAgain = false

  /// nil for what has no changes that stand for themselves.
  init?(_ field: FieldConflict, in record: DecidedConflict) {
    guard !record.conflict.isWhole, let parts = field.parts else { return nil }
    (self.field, self.parts) = (field, parts)
    newer = field.newerSide(margin: record.conflict.margin)
    if case .parts(let begun)? = record.resolution[.field(field.name)] {
      choices = begun.choices
    } else {
      choices = [:]
    }
  }

  /// nil behind the last.
  var part: FieldPart? { parts.parts.indices.contains(place) ? parts.parts[place] : nil }
  var left: Int { parts.undecided(in: choices).count }
  var result: PartChoices { PartChoices(choices, of: parts) }

  mutating func goOn() {
    let open = asksAgain ? parts.undecided(in: choices) : parts.parts
    place =
      parts.parts.indices.dropFirst(place + 1).first { open.contains(parts.parts[$0]) } ?? parts.parts.count
  }

  /// False at the first.
  mutating func goBack() -> Bool {
    guard place > 0 else { return false }
    place -= 1
    return true
  }

  /// To the first that is still to decide.
  mutating func goToUndecided() {
    if let open = parts.undecided(in: choices).first, let first = parts.parts.firstIndex(of: open) {
      (place, asksAgain) = (first, true)
    }
  }

  /// What Enter takes here: what was chosen, is sure, or newer.
  func suggestion(for part: FieldPart) -> PartChoice? {
    parts.choice(of: part, in: choices) ?? newer.map { .take($0) }
  }

  /// Why it cannot be taken here; nil if it was.
  mutating func choose(_ choice: PartChoice, for part: FieldPart) -> String? {
    if let refusal = field.refusal(of: choice, for: part, in: parts) {
      return refusal.words + (refusal == .keyHasOneValue ? " c and s take a side's, e gives one." : "")
    }
    choices[part.id] = choice
    return nil
  }

  /// Words that were typed, with the white space around them that every version has there, as nobody hears it; and apart from the words
  /// before and behind them.
  func spaced(_ words: String, like part: FieldPart) -> String {
    let texts = Side.allCases.compactMap { part.text($0) }.filter { !$0.isEmpty }
    guard parts.form != .keys, let first = texts.first else { return words }
    let lead = first.prefix(while: \.isWhitespace)
    let trail = first.suffix(first.dropFirst(lead.count).reversed().prefix(while: \.isWhitespace).count)
    let before = texts.allSatisfy { $0.hasPrefix(lead) } ? String(lead) : ""
    let behind = texts.allSatisfy { $0.hasSuffix(trail) } ? String(trail) : ""
    let place = parts.pieces.firstIndex(of: .part(part)) ?? 0
    return gap(before, text(ofPieceAt: place - 1).last, words.first) + words
      + gap(behind, words.last, text(ofPieceAt: place + 1).first)
  }

  /// What stands between two characters, of which a person typed one: at least a blank between words.
  private func gap(_ usual: String, _ left: Character?, _ right: Character?) -> String {
    guard let left, let right, !left.isWhitespace, !right.isWhitespace else { return "" }
    if !usual.isEmpty { return usual }
    let areWords = [left, right].allSatisfy { $0.isLetter || $0.isNumber }
    return areWords ? " " : ""
  }

  private func text(ofPieceAt index: Int) -> String {
    guard parts.pieces.indices.contains(index) else { return "" }
    switch parts.pieces[index] {
    case .kept(let text): return text
    case .part(let part): return parts.choice(of: part, in: choices).flatMap { part.text($0) } ?? ""
    }
  }

  /// Everything that is sure, and of the rest what is newer; false where that decides not all.
  mutating func acceptAll() -> Bool {
    guard let newer else { return left == 0 }
    for part in parts.undecided(in: choices) { choices[part.id] = .take(newer) }
    return true
  }
}

/// Its sentences.
extension LinearMerge {
  var heading: String {
    let count = parts.parts.count
    let changes = count == 1 ? "1 change" : "\(count) changes"
    return
      "\(LinearText.name(field.name)) has \(changes), \(left) to decide. Nothing is kept before you have heard the result."
  }

  func question(_ part: FieldPart) -> [String] {
    let name = part.name.map { ", \($0)" } ?? ""
    let sides = Side.allCases.filter { $0 != .ancestor || field.ancestor != nil }
    let ends = sides.filter { part.text($0)?.last?.isNewline == true }
    let versions = sides.map { side in
      // What all have in common is not told.
      let end = ends.contains(side) && ends.count < sides.count ? ", then a line break" : ""
      return "\(side.rawValue.capitalizedFirst): \(Self.spoken(part.text(side)))\(end)".ended
    }
    return ["Change \(place + 1) of \(parts.parts.count)\(name), \(state(part))." + before(part)]
      + [versions.joined(separator: " ")] + [ways(part)]
  }

  private func state(_ part: FieldPart) -> String {
    if let chosen = choices[part.id] { return "\(chosen.spoken) so far" }
    if let side = part.onlySide, part.isSure { return "sure, as only the \(side.rawValue) changed it" }
    return part.isSure ? "sure, as both sides have the same" : "to decide"
  }

  /// The words that stand in front of it, by which it is found.
  private func before(_ part: FieldPart) -> String {
    guard part.name == nil, let index = parts.pieces.firstIndex(of: .part(part)), index > 0,
      case .kept(let text) = parts.pieces[index - 1]
    else { return "" }
    let words = text.split(whereSeparator: \.isWhitespace).suffix(6).joined(separator: " ")
    return words.isEmpty ? "" : " It stands behind: \(words)".ended
  }

  private func ways(_ part: FieldPart) -> String {
    let enter = suggestion(for: part).map { "Enter takes \($0.spoken)" }
    let ways =
      ["c client", "s server"] + (field.ancestor == nil ? [] : ["a ancestor"])
      + (hasBoth(part) ? ["b both, client first", "B both, server first"] : [])
      + ["e words of your own"] + [enter].compactMap(\.self)
      + ["A all of the rest, n next, h back, v the result so far, q leave it as it was, ? help:"]
    return "Choose " + ways.joined(separator: ", ")
  }

  private func hasBoth(_ part: FieldPart) -> Bool { part.change == .different && parts.form != .keys }

  /// What can be answered here, and no answer that would only be told why it is none.
  func meanings(of part: FieldPart) -> [String] {
    LinearMergeAnswer.entries.filter { works($0.answer, for: part) }.map { "\($0.keys[0]): \($0.meaning)." }
  }

  private func works(_ answer: LinearMergeAnswer, for part: FieldPart) -> Bool {
    switch answer {
    case .choose(.take(.ancestor)): field.ancestor != nil
    case .choose(.both): hasBoth(part)
    case .suggestion: suggestion(for: part) != nil
    case .choose, .words, .rest, .next, .back, .result, .leave, .help, .notUnderstood: true
    }
  }

  /// The field as far as it has come.
  var soFar: String {
    let texts = parts.pieces.map { piece -> String in
      switch piece {
      case .kept(let text): text
      case .part(let part):
        parts.choice(of: part, in: choices).map { part.text($0) ?? "" } ?? "[to decide]"
      }
    }
    return "So far: \(Self.spoken(texts.joined()))".ended
  }

  static func spoken(_ text: String?) -> String {
    guard let text else { return "not there" }
    if text.isEmpty { return "nothing" }
    if SpokenText.isSilent(text) { return text.contains(where: \.isNewline) ? "line break" : "white space" }
    let lines = LinearText.lines(of: text).map { $0.split(separator: " ").joined(separator: " ") }
    return LinearText.told(lines.joined(separator: " / "))
  }
}

extension PartChoice {
  fileprivate var spoken: String {
    switch self {
    case .take(let side): side.rawValue
    case .both(first: .server): "both, server first"
    case .both: "both, client first"
    case .edit(let text): "the words “\(LinearMerge.spoken(text))”"
    }
  }
}

/// What a person answers to a question about a change.
enum LinearMergeAnswer: Equatable {
  case choose(PartChoice)
  /// Words of a person's own; nil asks for them.
  case words(String?)
  case suggestion, rest, next, back, result, leave, help
  case notUnderstood(String)

  init(_ line: String) {
    let words = line.wordAndRest
    guard let first = words.first else {
      self = .suggestion
      return
    }
    if words.count == 2 {
      self = Self.of(first) == .words(nil) ? .words(words[1]) : .notUnderstood(line)
      return
    }
    self = Self.of(first) ?? .notUnderstood(line)
  }

  private static func of(_ key: String) -> LinearMergeAnswer? {
    entries.first { $0.keys.contains { $0.asAnswer == key.asAnswer } }?.answer
  }

  /// All that can be answered: a letter or a word, and what it means.
  fileprivate static let entries: [(keys: [String], answer: LinearMergeAnswer, meaning: String)] = [
    (["Enter"], .suggestion, "take what was decided, is sure, or is newer"),
    (["c", "client"], .choose(.take(.client)), "take the client's words"),
    (["s", "server"], .choose(.take(.server)), "take the server's words"),
    (["a", "ancestor"], .choose(.take(.ancestor)), "take the ancestor's words"),
    (["b", "cs"], .choose(.both(first: .client)), "take both, the client's first; so does cs"),
    (["B", "sc"], .choose(.both(first: .server)), "take both, the server's first; so does sc"),
    (["e", "edit"], .words(nil), "give words of your own; e WORDS at once"),
    (["A", "all"], .rest, "take of all changes that are left what is sure or newer"),
    (["n", "next"], .next, "go on to the next change"),
    (["h", "back"], .back, "go back to the change before"),
    (["v", "full"], .result, "say the result so far"),
    (["q", "quit"], .leave, "leave the field as it was"),
    (["?", "help"], .help, "say this"),
  ]
}
