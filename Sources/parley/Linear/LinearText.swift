import Desk
import Merging
import StoreInterface
import Telling

/// The sentences of the linear desk: what a screen shows by places and signs is told by words, without a character that is
/// drawn and not spoken.
struct LinearText {
  let time: TimeText
  /// How the store names what it keeps.
  let words: StoreInfo.Words
  /// Whether nothing else is sent.
  var isASCII = false
  /// Puts the store into a command that is offered, in the place of `PATH`.
  var filling: (String) -> String = { $0 }
}

/// A record, before its questions.
extension LinearText {
  /// How many are undecided, by the numbers of the list.
  func open(_ counts: [ListFilter: Int]) -> String {
    let told = [(ListFilter.toDecide, "to decide"), (.clock, "by clock"), (.sure, "sure")].compactMap {
      filter, words in counts[filter].map { "\($0) \(words)" }
    }
    let all = counts.values.reduce(0, +)
    let records = all == 1 ? "1 record is" : "\(all) records are"
    return all == 0 ? "" : "\(records) open: \(told.joined(separator: ", ")). "
  }

  func heading(_ decided: DecidedConflict, place: Int, of count: Int) -> [String] {
    let conflict = decided.conflict
    let name = "\(conflict.table), \(conflict.title)"
    return ["", "Record \(place) of \(count). \(name.ended) \(state(decided))"] + notes(decided)
  }

  private func state(_ decided: DecidedConflict) -> String {
    if let reason = decided.conflict.wholeReason { return "\(reason.description.capitalizedFirst)." }
    let counts = ConflictSummary.Counts(decided.conflict, of: decided.undecided)
    let parts = [(counts.yours, "to decide"), (counts.byClock, "by clock"), (counts.sure, "sure")]
    let told = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    if !told.isEmpty { return told + "." }
    if decided.isMoved { return "To look at again." }
    return decided.refusal == nil ? "All is decided." : "All is decided, and not written."
  }

  private func notes(_ decided: DecidedConflict) -> [String] {
    let details = decided.conflict.details
    let lost = decided.outdated.map {
      "What was decided about \(LinearText.name($0.subject)) no longer holds: \(decided.whyOutdated($0.subject))."
    }
    let refused =
      decided.refusal.map { ["The store refuses what was decided: \(Privacy.open.words($0).asClause)."] }
      ?? []
    let unwritable = details.notWritable.map { ["It can be decided, and not written: \($0)."] } ?? []
    return lost + refused + unwritable + details.notes.map { "Note: \($0.ended)" }
  }
}

/// Questions.
extension LinearText {
  func question(_ field: FieldConflict, in decided: DecidedConflict) -> [String] {
    let conflict = decided.conflict
    var lines = ["Field \(LinearText.name(field.name)). " + sides(field, in: conflict)]
    let all = conflict.furtherValues(of: field)
    lines += further(all, of: field, in: conflict) + differences(field)
    lines += unseenDifferences(field, Array(all.prefix(LinearText.mostAsked)))
    if let merged = conflict.wordsOfMergedRow(field, .open) { lines.append(merged.ended) }
    return lines + soFar(field, in: decided) + [suggestion(field, in: decided), choices(field, in: decided)]
  }

  /// Where the record is decided as a whole, nothing else counts.
  private func soFar(_ field: FieldConflict, in decided: DecidedConflict) -> [String] {
    let (conflict, subject) = (decided.conflict, Subject.field(field.name))
    if let whole = decided.whole {
      return [soFar(words(whole: whole, of: conflict), about: [subject], in: decided)]
    }
    guard let choice = decided.resolution[subject] else { return [] }
    let value = value(field.draft(choice).value, of: field.name, in: conflict)
    return [soFar("\(conflict.words(choice, of: field)), \(value)", about: [subject], in: decided)]
  }

  private func soFar(_ words: String, about subjects: [Subject], in decided: DecidedConflict) -> String {
    "Decided so far: \(words)\(refused(subjects, in: decided).map { "; \($0)" } ?? "")".ended
  }

  /// Why what was decided of these was not written; nil where the store refused none of it.
  func refused(_ subjects: [Subject], in decided: DecidedConflict) -> String? {
    guard let refusal = decided.refusal, subjects.contains(where: decided.toDecide.contains) else {
      return nil
    }
    return "the store refused it: \(refusal.reason.asClause)"
  }

  private func sides(_ field: FieldConflict, in conflict: RecordConflict) -> String {
    Side.allCases.map { side in
      let version = field.version(side)
      let when = time.long(version?.time)
      let name =
        name(side, in: conflict) + (when.isEmpty || side == .ancestor ? "" : ", " + when)
      return "\(name): \(told(field, side, in: conflict))".ended
    }.joined(separator: " ") + (isLong(field) ? " v says them whole." : "")
  }

  private func told(_ field: FieldConflict, _ side: Side, in conflict: RecordConflict) -> String {
    guard let version = field.version(side) else { return absence(conflict.version(side)) }
    if isLong(field) { return length(version.value, side == .ancestor ? nil : field.ancestor?.value) }
    return value(version.value, of: field.name, in: conflict)
  }

  /// What each side has of a file that is decided as a whole: its text is what the answers are about.
  private func sides(ofFile conflict: RecordConflict) -> [String] {
    guard conflict.details.file != nil else { return [] }
    return Side.allCases.map { side in
      let (name, version) = (name(side, in: conflict), conflict.version(side))
      guard let fields = version.fields else { return "\(name): \(absence(version))".ended }
      let told = conflict.fields.filter(\.field.isWritable).map {
        "\($0.name): \(value(fields[$0.name]?.value, of: $0.name, in: conflict))"
      }
      return "\(name), \(told.joined(separator: "; "))".ended
    }
  }

  /// Of a file the server's with its number.
  private func name(_ side: Side, in conflict: RecordConflict) -> String {
    let isNumbered = side == .server && conflict.details.file != nil && conflict.versions.server.isPresent
    let tag = isNumbered ? conflict.details.serverTag : nil
    return side.rawValue.capitalizedFirst + (tag.map { ", " + $0 } ?? "")
  }

  private func suggestion(_ field: FieldConflict, in decided: DecidedConflict) -> String {
    let (conflict, suggestion) = (decided.conflict, field.suggestion)
    guard let source = suggestion.source else {
      return "To decide by you, nothing is suggested: \(suggestion.reason.words())."
    }
    guard conflict.takesSuggestion(for: .field(field.name)) else {
      return "To decide by you: \(suggestion.reason.words())."
    }
    let word = suggestion.certainty == .yours ? "To decide by you" : "Suggestion"
    let value =
      source == .merged && !isLong(field)
      ? ": " + value(suggestion.value, of: field.name, in: conflict) : ""
    let key = decided.suggestionKey(for: .field(field.name)) ?? ""
    let from = conflict.words(source, of: suggestion.value, in: field.name)
    return "\(word): \(suggestion.reason.words()). \(key) takes \(from)\(value)".ended
  }

  private func choices(_ field: FieldConflict, in decided: DecidedConflict) -> String {
    let conflict = decided.conflict
    let sides = Side.allCases.filter { conflict.refusal(of: .take($0), for: .field(field.name)) == nil }
    let taken = [Side.client, .server, .ancestor].filter(sides.contains).map {
      "\($0.rawValue.prefix(1)) \($0.rawValue)"
    }
    let isMerged = !conflict.isWhole && field.parts != nil
    return "Choose "
      + (taken + ["e edit"] + (isMerged ? ["m merge its changes"] : [])
      + ending(.field(field.name), in: decided)).joined(separator: ", ")
  }

  /// The answers that a question ends with.
  private func ending(_ subject: Subject, in decided: DecidedConflict) -> [String] {
    let key = decided.suggestionKey(for: subject).map { "\($0) for the suggestion" }
    let stays = decided.isDecided(subject) && !decided.toDecide.contains(subject)
    return [key, stays ? "Enter leaves it so" : nil].compactMap(\.self) + ["n skip", "? help:"]
  }

  /// Of a record that is decided as a whole.
  func question(whole decided: DecidedConflict) -> [String] {
    let suggested =
      decided.conflict.suggested[.record].map {
        ["Suggestion: \(words(whole: $0, of: decided.conflict))."]
      } ?? []
    let taken = decided.resolution[.record].map {
      [soFar(words(whole: $0, of: decided.conflict), about: [.record], in: decided)]
    }
    return ["The record is decided as a whole."] + sides(ofFile: decided.conflict)
      + self.ways(decided.conflict)
      + (taken ?? []) + suggested
      + [
        "Choose "
          + (answers(whole: decided.conflict) + ending(.record, in: decided)).joined(separator: ", ")
      ]
  }

  private func answers(whole conflict: RecordConflict) -> [String] {
    let count = conflict.alternatives.count
    let sides = [Side.client, .server].filter { conflict.refusal(of: .take($0), for: .record) == nil }
    return (count == 0 ? [] : [count == 1 ? "1" : "a number from 1 to \(count)"])
      + sides.map { "\($0.rawValue.prefix(1)) \($0.rawValue)" }
      + (conflict.details.ownValue == nil ? [] : ["e edit"])
  }

  /// A choice about the whole record, in its store's words.
  func words(whole choice: Choice, of conflict: RecordConflict) -> String {
    let alternative = conflict.alternative(in: Resolution(choices: [.record: choice]))
    return (alternative ?? conflict.alternative(choice.name)).map(Privacy.open.words)
      ?? "the \(choice.name)'s record"
  }

  /// The ways to decide the whole record, each with what it loses.
  func ways(_ conflict: RecordConflict) -> [String] {
    let losses = Losses(conflict)
    return conflict.alternatives.enumerated().map { index, way in
      let lost = losses.of(way)
      let value = conflict.valueOfNoSide(in: way).map {
        " Its \($0.name): \(self.value($0.value))".ended
      }
      return told("\(index + 1)", way, lost) + (value ?? "")
    } + own(conflict, losses)
  }

  /// Whatever is typed: no side has it.
  private func own(_ conflict: RecordConflict, _ losses: Losses) -> [String] {
    conflict.alternative(typing: .null).map { [told("e", $0, losses.of($0))] } ?? []
  }

  private func told(_ answer: String, _ way: Alternative, _ lost: [Alternative.Loss]) -> String {
    "\(answer): \(Privacy.open.words(way))" + (lost.isEmpty ? "." : "; loses \(Privacy.open.words(lost)).")
  }

  /// Of fields that nobody has to look at one by one.
  func question(sure fields: [FieldConflict], in decided: DecidedConflict) -> [String] {
    let (conflict, subjects) = (decided.conflict, fields.map { Subject.field($0.name) })
    let told = fields.map { field in
      let value = value(field.suggestion.value, of: field.name, in: conflict)
      let (suggestion, name) = (field.suggestion, LinearText.name(field.name))
      let source = suggestion.source.map { conflict.words($0, of: suggestion.value, in: field.name) }
      return "\(name): \(source ?? "unchanged"), \(value)".ended
    }
    let whole = decided.whole.map {
      [soFar(words(whole: $0, of: conflict), about: subjects, in: decided)]
    }
    return ["\(fields.count) fields are sure."] + told + (whole ?? []) + [
      "\(takingAll(subjects, in: decided)), f asks one by one, n skip, ? help:"
    ]
  }

  private func takingAll(_ subjects: [Subject], in decided: DecidedConflict) -> String {
    let isDecided = subjects.allSatisfy(decided.isDecided)
    return isDecided ? "t takes them all, Enter leaves it so" : "Enter takes them all"
  }
}

/// Drafts and what becomes of them.
extension LinearText {
  func draft(_ decided: DecidedConflict, _ outcome: CheckedWrite, number: Int) -> [String] {
    var draft = DraftText(decided: decided, record: words.record)
    draft.arrow = "becomes"
    draft.value = { drafted($0, of: $1, in: decided.conflict) }
    draft.telling = { telling($0, of: $1, $2) }
    draft.lost = { lost($0, $1) }
    draft.isASCII = isASCII
    draft.isSpoken = true
    draft.naming = { LinearText.name($0) }
    draft.whole = decided.givenUp.count > JournalEntry.mostOfField ? allGivenUp : "D says"
    let lines = draft.lines(width: nil).dropFirst().map { String($0.drop { $0 == " " }).ended }
    let isDecidable = decided.conflict.details.notWritable == nil
    let refusal = outcome.words(fine: nil, isDecidable: isDecidable, naming: .title)
    let problem = refusal.map { ["Not to be written: \($0)"] } ?? []
    let upload = outcome.foreseen.map { $0.words.capitalizedFirst.ended }
    let said = problem + [upload, outcome.noted(naming: .title)].compactMap(\.self)
    return ["Draft \(number). \(decided.conflict.table), \(decided.conflict.title.ended)"] + said + lines
  }

  /// A key by what it points to, as on the way in; with what does not show of it.
  func lost(_ givenUp: GivenUp, _ ends: GivenUp.Ends = ("", "")) -> String {
    let title = givenUp.title.map { LinearText.told($0) }
    let words = givenUp.words(
      .open, arrow: "becomes", name: { LinearText.name($0) },
      said: { title ?? value($0, kind: givenUp.kind) }, ends: ends, lineEnd: "\n")
    return LinearText.shortened(LinearText.lines(of: words).joined(separator: " / "))
  }

  private func undone(_ value: Value?, _ field: LastWrite.FieldChange) -> String {
    value.flatMap { field.titles[$0] }.map { LinearText.told($0) } ?? inFull(value, kind: field.kind)
  }

  func undo(_ undo: CheckedUndo) -> [String] {
    if let refusal = undo.checked.words(.undo, fine: nil, isRehearsal: true, naming: .title) {
      return [refusal]
    }
    let beside = undo.changes.takingBack(words, .open).map { "\($0.capitalizedFirst)." }
    let fields = undo.changes.fields.map { field in
      let (now, then) = (undone(field.after, field), undone(field.before, field))
      let values = telling((now, then), of: field.after, field.before)
      return "\(LinearText.name(field.label)): \(values.old) becomes \(values.new)".ended
    }
    return [undo.checked.title.ended] + beside + fields
      + [undo.checked.noted(naming: .title)].compactMap(\.self)
  }
}

extension RecordConflict {
  /// What is suggested, as far as it can be taken.
  var suggested: Resolution { accepting(.yours, in: Resolution()) }

  func takesSuggestion(for subject: Subject) -> Bool { suggested[subject] != nil }
}

extension DecidedConflict {
  /// What takes what is suggested: Enter, which is typed without a thought, takes nothing that is to decide by a person, and
  /// nothing over what is decided.
  fileprivate func suggestionKey(for subject: Subject) -> String? {
    guard conflict.takesSuggestion(for: subject) else { return nil }
    let isForEnter = conflict.accepting(.byClock, in: Resolution())[subject] != nil
    return isForEnter && !isDecided(subject) ? "Enter" : "t"
  }

  /// What was decided of a record that could be decided field by field, too; nil where that is nothing.
  fileprivate var whole: Choice? { conflict.alternative(in: resolution) == nil ? nil : resolution[.record] }

  /// Also where the store refused it; not what is put together by half.
  func isDecided(_ subject: Subject) -> Bool { whole != nil || resolution.finished[subject] != nil }
}
