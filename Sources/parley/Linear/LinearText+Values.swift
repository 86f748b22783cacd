import Merging
import Telling
import Terminal

/// Values as they are said.
extension LinearText {
  static let longest = 300

  /// The value of a field; a key that points to another record by that record's title.
  func value(_ value: Value?, of field: String, in conflict: RecordConflict) -> String {
    let title = Privacy.open.title(of: value, in: field, of: conflict)
    return title == nil
      ? self.value(value)
      : LinearText.shortened(LinearText.told(Privacy.open.line(value, of: field, in: conflict)))
  }

  /// A field's name, which is heard also where it has no letter.
  static func name(_ field: String) -> String {
    field.isEmpty ? "empty name \"\"" : field == field.wholeName ? field : "name " + field.wholeName
  }

  static func name(_ subject: Subject) -> String {
    if case .field(let field) = subject { name(field) } else { subject.name }
  }

  /// A long one by its beginning.
  func value(_ value: Value?, kind: Field.Kind = .text) -> String { said(value, kind).shortened }

  func inFull(_ value: Value?, kind: Field.Kind = .text) -> String { said(value, kind).inFull }

  /// What `v` says: what a title stands for as well, and the lines of a text one by one.
  func inFull(_ side: Side, of field: FieldConflict, in conflict: RecordConflict) -> [String] {
    let name = "\(LinearText.name(field.name)), \(side.rawValue): "
    guard let version = field.version(side) else { return [name + absence(conflict.version(side))] }
    let title = Privacy.open.title(of: version.value, in: field.name, of: conflict)
    let lines = said(version.value, .text).lines
    return [name + [title, lines.first].compactMap(\.self).joined(separator: ", ")] + lines.dropFirst()
  }

  /// What is not heard of what `v` says.
  func unseenInFull(_ field: FieldConflict, in conflict: RecordConflict) -> [String] {
    unseenDifferences(field, Array(conflict.furtherValues(of: field).prefix(LinearText.mostLeaves)))
  }

  /// What further leaves changed, as `v` says it, with the way to take it.
  func furtherInFull(_ field: FieldConflict, in conflict: RecordConflict) -> [String] {
    let all = conflict.furtherValues(of: field)
    // Of hundreds of leaves it takes long to tell their ids apart, and of most fields nothing is told.
    if all.isEmpty { return [] }
    let ids = RevisionName(toTellApart: conflict.details.leaves.map(\.id))
    let told = all.prefix(LinearText.mostLeaves).flatMap { inFull($0, of: field, ids) }
    let show = filling("parley show PATH --json ") + offered(records: [conflict.id])
    let rest = moreValues(all.count - LinearText.mostLeaves).map { "\($0). \(show) tells all." }
    return told + [rest, "e leaf: and the id behind it takes what a leaf has."].compactMap(\.self)
  }

  private func inFull(_ further: FurtherValue, of field: FieldConflict, _ ids: RevisionName) -> [String] {
    let lines = said(further.value, .text).lines
    let leaf = "leaf \(further.leaves[0].number), \(ids.short(further.leaves[0].id))"
    let first = "\(LinearText.name(field.name)), \(leaf)\(more(further)): \(lines.first ?? "")"
    return [first] + lines.dropFirst()
  }

  /// In the question: a few of them.
  func further(_ all: [FurtherValue], of field: FieldConflict, in conflict: RecordConflict) -> [String] {
    let told = all.prefix(LinearText.mostAsked).map { further in
      let value = value(further.value, of: field.name, in: conflict)
      return "Leaf \(further.leaves[0].number)\(more(further)): \(value)".ended
    }
    let rest = moreValues(all.count - LinearText.mostAsked).map { "\($0), which v says." }
    return all.isEmpty ? [] : [(told + [rest].compactMap(\.self)).joined(separator: " ")]
  }

  static let mostAsked = 3
  private static let mostLeaves = 20

  /// nil where all are told.
  private func moreValues(_ count: Int) -> String? {
    count < 1 ? nil : count == 1 ? "1 more value of leaves" : "\(count) more values of leaves"
  }

  private func more(_ further: FurtherValue) -> String {
    let others = further.leaves.count - 1
    return others == 0 ? "" : others == 1 ? " and 1 other" : " and \(others) others"
  }

  /// Not there is one thing, and not known another, of which its store says why.
  func absence(_ version: RecordVersion) -> String {
    if case .unknown(let reason) = version { return "not known, " + reason }
    return version.absence { time.long($0) } ?? "not there"
  }

  private func said(_ value: Value?, _ kind: Field.Kind) -> Said {
    switch value {
    case nil: Said("not there")
    case .null?: Said("NULL")
    case .text("")?: Said("empty text")
    case Value.missing?: Said("no such key")
    case .text(let text)? where text.contains(where: \.isNewline): Said(lines: LinearText.lines(of: text))
    case .text(let text)?: Said(told(text, kind), isText: true)
    case .integer?, .real?, .blob?, .opaque?: Said(Privacy.open.line(value, kind: kind))
    }
  }

  /// Nobody hears quotes, so what stands in them is called a text, too.
  private func told(_ text: String, _ kind: Field.Kind) -> String {
    let line = Privacy.open.line(.text(text), kind: kind)
    return line.utf8.count == text.utf8.count ? LinearText.told(text) : "text " + line
  }

  /// A text, or a title, as it is; one that is heard like what is said where there is no text, or none to be heard, is called a text.
  static func told(_ text: String) -> String { told(text, besides: saidOfNoText) }

  private static func told(_ text: String, besides words: Set<String>) -> String {
    text.utf8.count < 40 && words.contains(heard(text)) ? "text \"\(text)\"" : text
  }

  /// What is left of a text by a voice that makes no difference of capitals, and passes over signs.
  private static func heard(_ text: String) -> String {
    SpokenText.line(text).lowercased().filter(\.isLetter)
  }

  private static let saidOfNoText: Set<String> = {
    let words = [
      "NULL", "not there", "empty text", "no such key", "not known", "no record", "deleted", "unchanged",
      "nothing", "white space", "line break", blankLine,
    ]
    return Set(words.map { heard($0) })
  }()

  private static let blankLine = "blank line"

  /// A blank one by its name, as nobody hears nothing; what ends the last line begins no other.
  static func lines(of text: String) -> [String] {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return (text.last?.isNewline == true ? lines.dropLast() : lines[...]).map { line in
      SpokenText.isSilent(line) ? blankLine : told(String(line), besides: [heard(blankLine)])
    }
  }

  /// What was typed, to be said again: of a text that was pasted by its beginning.
  static func typed(_ line: String) -> String {
    let most = 60
    let isLong = line.prefix(most + 1).count > most
    let end = line.prefix(most).lastIndex { !$0.isWhitespace }
    return "“\(isLong ? line[...(end ?? line.startIndex)] + "…" : line[...])”"
  }

  static func noAnswer(_ line: String) -> String {
    "\(typed(line)) is no answer here. ? says what can be answered."
  }

  static func shortened(_ text: String) -> String {
    let more = text.count - longest
    return more > 20 ? text.prefix(longest) + ", and \(more) more characters, which v says" : text
  }
}

/// A value in words.
private struct Said {
  private let count: String
  private let parts: [String]
  private let isText: Bool

  init(_ words: String, isText: Bool = false) { (count, parts, self.isText) = ("", [words], isText) }

  init(lines: [String]) {
    count = lines.count == 1 ? "1 line: " : "\(lines.count) lines: "
    (parts, isText) = (lines, true)
  }

  private var words: String { parts.joined(separator: " / ") }

  /// How many there are, then each; of one the same as in a sentence.
  var lines: [String] { parts.count == 1 ? [inFull] : ["\(parts.count) lines:"] + parts }

  var inFull: String { count + (isText && words.endsSentence ? "“\(words)”" : words) }

  var shortened: String {
    let beginning = LinearText.shortened(words)
    return beginning == words ? inFull : count + beginning
  }
}

extension String {
  fileprivate var endsSentence: Bool { last.map { ".!?".contains($0) } ?? false }

  /// As a sentence. A text that has an end of its own is said in quotes, so that nobody wonders whose end it is.
  var ended: String {
    let isEnded = endsSentence || last == "”" && String(dropLast()).endsSentence
    return isEnded ? self : self + "."
  }
}
