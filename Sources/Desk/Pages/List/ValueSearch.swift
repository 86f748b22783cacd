import Merging
import StoreInterface

/// Records in whose values something is looked for, of which their summaries have only some.
package struct ValueQuestion: Sendable, Equatable {
  /// What was asked before it was typed on is answered in vain.
  package let act: Int
  /// Folded.
  package let words: Set<String>
  package let ids: [ConflictSummary.ID]

  /// What is found, by record.
  package func answer(_ records: [RecordConflict]) -> ByRecord<Set<String>> {
    records.reduce(into: [:]) { found, record in found[record.id] = record.found(of: words) }
  }
}

/// How far the values are searched that are longer than what a summary has of them. Their records are read part by part, while nobody
/// waits for that, and rows come as something is found.
struct ValueSearch: Sendable, Equatable {
  /// In bytes, of the longest word: a letter is in every long text.
  private static let shortest = 2

  private(set) var words: Set<String> = []
  private var found: ByRecord<Set<String>> = [:]
  /// How many rows with such values are looked at.
  private(set) var seen = 0
  private(set) var asked: ValueQuestion?
  private var act = 0
  private(set) var isGivenUp = false

  /// What is typed on is looked for anew.
  mutating func look(for query: ListQuery) {
    asked = nil
    if query.isEmpty { return }
    let words = query.texts.contains { $0.utf8.count >= Self.shortest } ? query.texts : []
    if words == self.words { return }
    self.words = words
    found = found.compactMapValues { old in
      let left = old.intersection(words)
      return left.isEmpty ? nil : left
    }
    startAgain()
  }

  /// The rows are others. What was found is there until it is found no more.
  mutating func startAgain() {
    (seen, asked, isGivenUp) = (0, nil, false)
    act += 1
  }

  /// Whether anything was found in any value.
  var hasFound: Bool { !found.isEmpty }

  func has(_ words: String, _ id: ConflictSummary.ID) -> Bool { found[id]?.contains(words) == true }

  /// nil where these rows were the last, and none of them is to be read.
  mutating func ask(_ ids: [ConflictSummary.ID], rows: Int, of all: Int) -> ValueQuestion? {
    seen += rows
    asked = ids.isEmpty && seen == all ? nil : ValueQuestion(act: act, words: words, ids: ids)
    return asked
  }

  mutating func answered() { asked = nil }

  mutating func giveUp() { (asked, isGivenUp) = (nil, true) }

  mutating func take(_ words: Set<String>, of id: ConflictSummary.ID) {
    found[id] = words.isEmpty ? nil : words
  }
}

extension ListState {
  /// Rows that are looked at for one question, and for as many that none of them hangs on its values.
  private static let part = (rows: 256, most: 4_096)

  /// Of the rows with long values, as percent, while they are searched.
  var searched: Int? {
    values.asked.map { _ in max(0, values.seen - Self.part.rows) * 100 / max(1, cutRows.count) }
  }

  /// The next records to be read for what is looked for; nil while some are being read, and where none is left.
  mutating func nextQuestion() -> ValueQuestion? {
    guard values.asked == nil, !values.isGivenUp, isLookingForWords, values.seen < cutRows.count else {
      return nil
    }
    var (ids, end) = ([ConflictSummary.ID](), values.seen)
    while ids.isEmpty, end < min(cutRows.count, values.seen + Self.part.most) {
      let rows = cutRows[end..<min(cutRows.count, end + Self.part.rows)]
      ids += rows.filter(hangsOnValues).map { summaries.packed($0).id }
      end = rows.endIndex
    }
    return values.ask(ids, rows: end - values.seen, of: cutRows.count)
  }

  mutating func take(_ found: ByRecord<Set<String>>, for question: ValueQuestion) {
    guard values.asked == question else { return }
    values.answered()
    for id in question.ids { take(found[id] ?? [], of: id) }
  }
}

extension DeskState {
  mutating func searchValues() -> [DeskEffect] { list.nextQuestion().map { [.search($0)] } ?? [] }

  mutating func takeSearched(
    _ question: ValueQuestion, _ found: ByRecord<Set<String>>
  ) -> [DeskEffect] {
    list.take(found, for: question)
    return []
  }

  mutating func searchFailed(_ question: ValueQuestion, _ words: String) -> [DeskEffect] {
    guard list.values.asked == question else { return [] }
    list.values.giveUp()
    return tell(failed: "Long values are not searched to their end: \(words)")
  }
}
