import Desk
import Merging
import StoreInterface
import Telling

/// The lines that tell one record's draft, what is missing to it, or that an earlier one waits.
struct DraftText {
  let decided: DecidedConflict
  /// How the store names what it keeps: see ``StoreInfo/Words``.
  let record: String
  /// Whether that is all that is shown.
  var isASCII = false
  /// What stands between what is there and what will be.
  var arrow = "→"
  var value: (Value?, FieldConflict) -> String = { Privacy.open.line($0, kind: $1.field.kind) }
  /// What is there and what will be, each with what tells it from the other where that does not show; nil where it is read.
  var telling: ((_ texts: (old: String, new: String), Value?, Value?) -> (old: String, new: String))?
  /// How a field's name is said; nil where it is read.
  var naming: ((String) -> String)?
  /// How a loss is said, with what does not show of it, and what lists those that are too many.
  var lost: (GivenUp, GivenUp.Ends) -> String = { $0.words(.open, ends: $1) }
  var whole = "--json lists"
  /// Whether each line that does not begin with a field's name begins as a sentence.
  var isSpoken = false

  private var conflict: RecordConflict { decided.conflict }

  func lines(width: Int?) -> [String] {
    let told = decided.draft.map { draft($0) } ?? withoutDraft + givenUp
    return [cut("\(conflict.id)  \(conflict.title)", to: width)] + told.flatMap { lines(of: $0, width) }
  }

  private func lines(of line: DraftLine, _ width: Int?) -> [String] {
    switch line {
    case .words(let words): HangingLine.lines(of: words, width: width)
    case .givenUp(let words): HangingLine.lines(of: words, width: width, most: HangingLine.mostOfValue)
    case .field(let draft, let field): lines(of: draft, field, width)
    }
  }

  private var withoutDraft: [DraftLine] {
    // Not the subjects: what nobody changed can be given a value, too.
    let fields = conflict.fields.map { Subject.field($0.name) }
    let taken = ([.record] + fields).compactMap { subject in
      decided.resolution.finished[subject].map { line($0, subject) }
    }
    let missing = conflict.waitingWords.map { [$0] } ?? missing
    return taken + missing.map { .words("  " + $0) }
  }

  private var missing: [String] {
    let undecided = decided.undecided.map { name($0) }.joined(separator: ", ")
    return (undecided.isEmpty ? [] : ["undecided: \(undecided)"]) + dropped
  }

  private var dropped: [String] {
    let gone = decided.withoutField(decided.dropped)
    let others = decided.dropped.filter { !gone.contains($0) }
    let all = dropped(others, "it is no more in conflict", "--set decides it anew, --forget takes it back")
    return all + dropped(gone, DecidedConflict.noSuchField, "--forget \(DecidedConflict.wayOfNoField)")
  }

  private func dropped(_ subjects: [Subject], _ why: String, _ way: String) -> [String] {
    let names = subjects.map { name($0) }.joined(separator: ", ")
    return subjects.isEmpty ? [] : ["no longer holds, as \(why): \(names) (\(way))"]
  }

  private func name(_ subject: Subject) -> String {
    if case .field(let field) = subject { name(field) } else { subject.name }
  }

  private func name(_ field: String) -> String { naming?(field) ?? field.wholeName }

  private func line(_ choice: Choice, _ subject: Subject) -> DraftLine {
    guard case .field(let name) = subject, let field = conflict[name] else {
      let words = decided.answer.map { Privacy.open.words($0) } ?? choice.words
      return .words("  \(self.name(subject)): \(words)")
    }
    return .field(field.draft(choice), field)
  }

  /// What is there and what will be, or that alone where both are the same.
  private func lines(of draft: FieldDraft, _ field: FieldConflict, _ width: Int?) -> [String] {
    let (now, head) = (conflict.now(field), "  \(name(field.name)): ")
    let texts = (old: value(now, field), new: value(draft.value, field))
    let told = told(texts, of: now, draft.value)
    let source = draft.source.map { conflict.wordsOfOrigin($0, of: draft.value, in: field.name) }
    let end = "  (\(source ?? "unchanged"))"
    if now ?? .null == draft.value { return [cut(head + told.new + end, to: width)] }
    return ChangeLine(
      head: head, values: (now, draft.value), texts: texts, told: told, arrow: arrow, end: end,
      isASCII: isASCII
    ).lines(width: width)
  }

  private func told(
    _ texts: (old: String, new: String), of old: Value?, _ new: Value?
  ) -> (old: String, new: String) {
    telling?(texts, old, new) ?? UnseenDifference.telling(texts, of: old, new, isASCII: isASCII)
  }

  private var givenUp: [DraftLine] {
    let taken = conflict.spelledOut(decided.resolution)
    let all = decided.givenUp.lines(.open, whole: whole, name: naming) { lost($0, unseenEnds($0, taken)) }
    return all.map { .givenUp("  " + $0) }
  }

  /// Of what is deleted nothing takes its place.
  private func unseenEnds(_ lost: GivenUp, _ taken: Resolution) -> GivenUp.Ends {
    guard let field = lost.field.flatMap({ conflict[$0] }), let choice = taken[.field(field.name)] else {
      return ("", "")
    }
    return lost.unseenEnds(
      beside: field.draft(choice).value, kind: field.field.kind, isASCII: isASCII, isSpoken: isSpoken)
  }

  /// With what is given up by it, which a name tells itself.
  private func draft(_ draft: Draft) -> [DraftLine] {
    (named(draft).map { [.words($0)] } ?? spelledOut(draft) + givenUp).map { said($0) }
  }

  private func said(_ line: DraftLine) -> DraftLine {
    guard isSpoken else { return line }
    let sentence = { (words: String) in String(words.drop { $0 == " " }).capitalizedFirst }
    switch line {
    case .words(let words): return .words(sentence(words))
    case .givenUp(let words): return .givenUp(sentence(words))
    case .field: return line
    }
  }

  private func spelledOut(_ draft: Draft) -> [DraftLine] {
    guard case .save(let fields) = draft.action else { return [.words("  " + deleting)] }
    if conflict.details.rowIsBack { return [.words("  keep the \(record), which the app has put back")] }
    let changes = fields.compactMap { line($0) }
    if !conflict.hasRow { return [.words("  insert the \(record) again")] + changes }
    return changes.isEmpty ? [.words(unchanged)] : changes
  }

  /// Of a file that syncs as a whole the answer by its name, and what its store alone knows how to do.
  private func named(_ draft: Draft) -> String? {
    guard conflict.details.file != nil || conflict.alternative(in: decided.resolution)?.outcome == .own else {
      return nil
    }
    let same = conflict.alternatives.first { isSame($0, draft) }
    guard let alternative = decided.answer ?? same else { return nil }
    let lost = Losses(conflict).of(alternative)
    return "  " + Privacy.open.words(alternative)
      + (lost.isEmpty ? "" : "; loses \(Privacy.open.words(lost))")
  }

  private func isSame(_ alternative: Alternative, _ draft: Draft) -> Bool {
    guard case .save(let fields) = draft.action, case .save(let version) = alternative.outcome else {
      return false
    }
    return fields.allSatisfy { version.fields?[$0.name]?.value == $0.value }
  }

  private var deleting: String {
    if conflict.details.rowIsBack { return "delete the \(record), which the app has put back" }
    return conflict.hasRow ? "delete the \(record)" : "stays deleted"
  }

  /// Of a document a revision is written all the same.
  private var unchanged: String {
    conflict.details.leaves.isEmpty
      ? "  the \(record) stays as it is" : "  nothing changes in the winner; the other leaves end"
  }

  /// What the record has now, and will have; nil where nothing changes.
  private func line(_ draft: FieldDraft) -> DraftLine? {
    guard let field = conflict[draft.name], conflict.now(field) ?? .null != draft.value else { return nil }
    return .field(draft, field)
  }
}

/// What is told of a draft, before anybody asks how wide a line is.
private enum DraftLine {
  case words(String)
  /// What a side had may be long.
  case givenUp(String)
  case field(FieldDraft, FieldConflict)
}
