import Merging
import StoreInterface
import Telling

// What is typed after `/`. All of it has to hold, in whatever order:
//
//   "two words"      with the blank between them; two quotes in a row between others are one that is looked for
//   dentist          in the title, the table, the reason, or a value that any side has of a field that changed; what a summary
//                    does not have of a long value is read for that
//   table:rem        in the table's name
//   table:=reminders all of it
//   id:3f2a          in the record's own name; one of eight letters and more is found without id:
//   field:due        one of the fields that changed begins so
//   kind:deletion    as the list calls it, or as `list --json` does: edit, noAncestor, deletedOnClient, deletedOnServer, onlyOnServer
//   is:clock         decide, clock, sure, ready, stuck or waiting: as the numbers of the list, and to be combined; refused
//   gave:server      what was decided gives up an edit of this side: client or server
//   age:2h age:<2h   the last edit is at least, or less than two hours ago (s, m, h, d, w)

/// What the list looks for.
package struct ListQuery: Sendable, Equatable {
  private enum Term: Sendable, Equatable {
    case text(String)
    case id(String)
    case table(String)
    case wholeTable(String)
    case field(String)
    case kind(String)
    case state(String)
    case gaveUp(String)
    case edited(EditAge)
  }

  /// What stands after `is:` for what the store refused, which is to decide, too.
  private static let refused = "refused"
  /// What may be typed: behind a name and its colon what goes there, else the names.
  var hint: String {
    let name = words.split(separator: " ").last.flatMap { $0.contains(":") ? $0.prefix { $0 != ":" } : nil }
    let values = words.last == " " ? nil : name.flatMap { Self.values[String($0)] }
    return values.map { $0.joined(separator: " ") } ?? "also "
      + Self.names.map { $0 + ":" }.joined(separator: " ")
  }

  /// What may stand behind a name.
  private static let values = [
    "is": states, "kind": ConflictKind.allCases.map(\.rawValue), "gave": ["client", "server"],
    "age": EditAge.examples,
  ]
  /// What may stand before a colon.
  package static let names = ["id", "table", "field", "kind", "is", "gave", "age"]
  /// A shorter word is in many names by chance, as these are mostly of hexadecimal digits.
  private static let shortestName = 8

  /// As it was typed.
  package let words: String
  /// What of it has to hold, each as it was typed.
  let parts: [String]
  private let terms: [Term]

  /// - Parameter now: nanoseconds since 1970.
  package init(_ words: String, now: Int64) {
    self.words = words
    parts = Self.split(words).filter { !Self.isBegun($0) }
    terms = parts.map { Self.term($0, now) }
  }

  /// At blanks that do not stand between quotes. Those are no part of it, but for one right behind the end of others, as in SQL.
  static func split(_ words: String) -> [String] {
    var (parts, isQuoted, hasEnded) = ([""], false, false)
    for character in words {
      switch character {
      case "\"":
        if hasEnded { parts[parts.count - 1].append(character) }
        isQuoted.toggle()
      case " " where !isQuoted: parts.append("")
      default: parts[parts.count - 1].append(character)
      }
      hasEnded = character == "\"" && !isQuoted
    }
    return parts.filter { !$0.isEmpty }
  }

  /// What finds the rows of one table and of no other, whatever it is called.
  static func words(ofTable name: String) -> String {
    let isPlain = !name.contains { $0 == " " || $0 == "\"" }
    return "table:=" + (isPlain ? name : "\"\(name.replacing("\"", with: "\"\""))\"")
  }

  package var isEmpty: Bool { terms.isEmpty }
  /// Whether it has to know what a row says in words.
  var needsWords: Bool { terms.contains { if case .text = $0 { true } else { false } } }
  /// The words that may stand anywhere, folded.
  var texts: Set<String> { Set(terms.compactMap { if case .text(let words) = $0 { words } else { nil } }) }

  /// The names behind whose colon nothing stands yet.
  package var begun: [String] { Self.split(words).filter(Self.isBegun) }

  /// Such a name leaves nothing out.
  private static func isBegun(_ word: String) -> Bool {
    guard let colon = word.firstIndex(of: ":") else { return false }
    let (name, rest) = (word[..<colon], word[word.index(after: colon)...])
    return names.contains(String(name)) && ["", "<", ">"].contains(rest) || name == "table" && rest == "="
  }

  /// The list calls both deletions so.
  private static func kind(_ word: String) -> String {
    !word.isEmpty && "deletion".hasPrefix(word) && !"deleted".hasPrefix(word) ? "deleted" : word
  }

  private static func term(_ word: String, _ now: Int64) -> Term {
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = SearchText.folded(String(parts.last ?? ""))
    guard parts.count == 2 else { return .text(rest) }
    switch parts[0] {
    case "id": return .id(rest)
    case "table": return rest.hasPrefix("=") ? .wholeTable(String(rest.dropFirst())) : .table(rest)
    case "field": return .field(String(SearchText.field) + rest)
    case "kind": return .kind(kind(rest))
    case "is": return .state(rest)
    case "gave": return .gaveUp(rest)
    case "age": return EditAge(rest, now: now).map { .edited($0) } ?? .text(SearchText.folded(word))
    default: return .text(SearchText.folded(word))
    }
  }

  /// Which words there are, where one was typed that is none of them: it finds nothing, whatever there is.
  ///
  /// - Parameter states: what may stand after `is:`.
  package func problem(of states: [String] = ListQuery.states) -> String? {
    Self.split(words).lazy.compactMap { Self.problem($0, states) }.first
  }

  /// What may stand after `is:` in a list that has what is stuck as well.
  package static let states = ListFilter.allCases.filter { $0 != .all }.map(\.word) + [refused]

  /// Where nothing is listed that is stuck.
  package static let statesOfConflicts = states.filter { $0 != "stuck" }

  private static func problem(_ word: String, _ states: [String]) -> String? {
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = SearchText.folded(String(parts.last ?? ""))
    guard parts.count == 2, !rest.isEmpty else { return nil }
    let kinds = values["kind"] ?? []
    switch parts[0] {
    case "is" where !states.contains { $0.hasPrefix(rest) }: return none(word, "is:", states)
    case "kind" where !kinds.contains { SearchText.isFound(kind(rest), in: SearchText.folded($0)) }:
      return none(word, "kind:", kinds)
    case "gave" where ![Side.client, .server].contains { $0.rawValue.hasPrefix(rest) }:
      return none(word, "gave:", values["gave"] ?? [])
    case "age" where rest != "<" && rest != ">" && EditAge(rest, now: 0) == nil:
      return none(word, "age:", values["age"] ?? [])
    default: return meant(by: String(parts[0])).map { "no \(parts[0]):, but \($0):" }
    }
  }

  /// A text may have a colon as well, so only what is nearly one of the names is meant for it.
  private static func meant(by word: String) -> String? {
    word.count < 4 || names.contains(word) ? nil : Spelling.suggestions(for: word, among: names).first
  }

  private static func none(_ word: String, _ name: String, _ known: [String]) -> String {
    "no \(word); after \(name) goes \(known.dropLast().joined(separator: ", ")) or \(known.last ?? "")"
  }

  /// What was typed before a colon though it is no name, so that it was looked for as it stands, as a time or an address is; nil where
  /// nothing was.
  package var unknownName: String? {
    let words = Self.split(words).filter { word in
      guard let colon = word.firstIndex(of: ":"), word.last != ":" else { return false }
      return colon > word.startIndex && word[..<colon].allSatisfy(\.isLetter)
        && !word[colon...].hasPrefix("://") && !Self.names.contains(String(word[..<colon]))
    }
    return words.first.map { word in
      "\(word) was looked for as it stands. Names are \(Self.names.map { $0 + ":" }.joined(separator: " "))"
    }
  }

  /// The same with what its row says, and with its record where the summary has only some of a value.
  package func finds(
    _ summary: ConflictSummary, reading record: () throws -> RecordConflict?
  ) rethrows -> Bool {
    let told = needsWords ? ListState.told(summary, summary.refusal) : ""
    func holds(_ isInValues: (String) -> Bool) -> Bool {
      finds(
        summary, in: ListFilter(summary), isRefused: summary.isRefused,
        isTold: { SearchText.isFound($0, in: told) }, isInValues: isInValues)
    }
    if holds({ _ in false }) { return true }
    guard summary.isCut, holds({ _ in true }) else { return false }
    let found = try record()?.found(of: texts) ?? []
    return holds(found.contains)
  }

  /// How much of it a field has: words that a side has in it, and its name where it is asked for.
  func count(in field: FieldConflict) -> Int {
    let name = String(SearchText.field) + SearchText.folded(field.name)
    return field.found(of: texts).count
      + terms.count { if case .field(let start) = $0 { name.hasPrefix(start) } else { false } }
  }

  /// How many of the words some of these have.
  func count(in folded: [String]) -> Int {
    texts.count { words in folded.contains { SearchText.isFound(words, in: $0) } }
  }

  /// - Parameters:
  ///   - filter: the one that shows it, beside all.
  ///   - isRefused: whether the store refused its draft, and nothing was decided since.
  ///   - isTold: whether the row says these words, which are folded.
  ///   - isInValues: whether words were found in what a summary does not have of the values.
  func finds(
    _ summary: some ListedSummary, in filter: @autoclosure () -> ListFilter,
    isRefused: @autoclosure () -> Bool, isTold: (String) -> Bool,
    isInValues: (String) -> Bool
  ) -> Bool {
    terms.allSatisfy { term in
      switch term {
      case .text(let words):
        summary.has(words) || isTold(words)
          || words.utf8.count >= Self.shortestName && isNamed(summary.id, words) || isInValues(words)
      case .id(let words): isNamed(summary.id, words)
      case .table(let words): SearchText.isFound(words, in: SearchText.folded(summary.table))
      case .wholeTable(let name): SearchText.folded(summary.table) == name
      case .field(let name): summary.has(name)
      case .kind(let words): SearchText.isFound(words, in: SearchText.folded(summary.kind.rawValue))
      case .state(let words): filter().word.hasPrefix(words) || isRefused() && Self.refused.hasPrefix(words)
      case .gaveUp(let words): summary.givenUp.contains { $0.rawValue.hasPrefix(words) }
      case .edited(let age): age.holds(summary.lastEditTime)
      }
    }
  }

  private func isNamed(_ id: String, _ words: String) -> Bool {
    SearchText.isFound(words, in: SearchText.folded(id))
  }

  func finds(_ finding: Finding) -> Bool {
    terms.allSatisfy { term in
      switch term {
      case .text(let words):
        SearchText.isFound(words, in: SearchText.folded("\(finding.title) \(finding.table) \(finding.what)"))
      case .id(let words): isNamed(finding.id, words)
      case .table(let words): SearchText.isFound(words, in: SearchText.folded(finding.table))
      case .wholeTable(let name): SearchText.folded(finding.table) == name
      case .field, .kind, .gaveUp: false
      case .state(let words): ListFilter(finding).word.hasPrefix(words)
      case .edited(let age): age.holds(finding.time)
      }
    }
  }
}
