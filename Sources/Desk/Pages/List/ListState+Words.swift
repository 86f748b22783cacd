import StoreInterface
import Telling

/// What rows say, to be looked for. It is put in words once, when somebody looks: with every key there may be a hundred thousand.
extension ListState {
  mutating func tellAll(for query: ListQuery) {
    guard query.needsWords else { return }
    // Rows near each other are mostly in conflict for the same reason, which is put in words once.
    var (why, table, rest): (ConflictSummary.Why?, String, [UInt8]) = (nil, "", [])
    for index in told.count..<max(told.count, summaries.count) {
      let row = summaries.packed(index)
      if row.why != why || row.table != table {
        (why, table) = (row.why, row.table)
        rest = Array(Self.told(table, row.why, nil).utf8)
      }
      told.append(title: row.titleBytes, isRefused(row) ? self.rest(of: row) : rest)
    }
  }

  mutating func tellAgain(_ index: Int) {
    guard index < told.count else { return }
    let row = summaries.packed(index)
    told.replace(index, title: row.titleBytes, rest(of: row))
  }

  private func isRefused(_ row: PackedSummary) -> Bool {
    row.isRefused || !refused.isEmpty && refused[row.id] != nil
  }

  private func rest(of row: PackedSummary) -> [UInt8] {
    Array(Self.told(row.table, row.why, refused[row.id]).utf8)
  }

  /// What a row says of a conflict, folded.
  static func told(_ summary: ConflictSummary, _ refusal: DraftRefusal?) -> String {
    SearchText.folded(summary.title) + " " + told(summary.table, summary.why, refusal)
  }

  /// The same without its title, which each row has of its own.
  ///
  /// - Parameter refusal: of its draft.
  private static func told(_ table: String, _ why: ConflictSummary.Why, _ refusal: DraftRefusal?) -> String {
    let words = [table, Privacy.open.why(why)] + (refusal.map { [Privacy.open.words($0)] } ?? [])
    return SearchText.folded(words.joined(separator: " "))
  }

  func has(_ query: ListQuery, _ index: Int) -> Bool {
    if query.isEmpty { return true }
    if !values.hasFound { return has(query, index) { _ in false } }
    let (values, id) = (values, summaries.packed(index).id)
    return has(query, index) { values.has($0, id) }
  }

  /// Nothing that is asked for later may hang on the list itself, which would be copied for each row of it: that was half of the time
  /// of a key.
  private func has(_ query: ListQuery, _ index: Int, isInValues: (String) -> Bool) -> Bool {
    let row = summaries.packed(index)
    return query.finds(
      row, in: filterShowing(row), isRefused: isRefused(row), isTold: { isTold($0, row, index) },
      isInValues: isInValues)
  }

  private func isTold(_ words: String, _ row: PackedSummary, _ index: Int) -> Bool {
    if index < told.count { return told.has(words, index) }
    return SearchText.isFound(words, in: Self.told(row.summary, refused[row.id]))
  }

  var isLookingForWords: Bool { !query.isEmpty && !values.words.isEmpty }

  /// Whether a row would have what is looked for if its values had.
  func hangsOnValues(_ index: Int) -> Bool {
    !has(query, index) { _ in false } && has(query, index, isInValues: values.words.contains)
  }
}
