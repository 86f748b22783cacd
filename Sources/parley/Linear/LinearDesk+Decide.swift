import Desk
import Merging
import StoreInterface
import Telling

/// Decisions.
extension LinearDesk {
  func decide(_ answer: LinearAnswer) throws -> Next {
    guard let seen, let id = asked.record else { return try nothingHere() }
    guard let now = try decided(id) else {
      try tell("It is no longer in conflict.")
      return .goOn
    }
    if let moved = seen.conflict.moved(to: now.conflict) {
      try tell("It has changed since it was asked: \(moved).")
      repeated = asked
      return .goOn
    }
    try tellMeanwhile(seen, now)
    guard let resolution = try resolution(answer, of: now) else { return .stay }
    let subjects = resolution.difference(from: now.resolution).sorted { $0.name < $1.name }
    for subject in subjects where try isRefused(resolution, about: subject, of: now) { return .stay }
    if subjects.isEmpty { return try leaveDecided(now) }
    try keep(resolution, about: subjects, of: now)
    for subject in subjects { try tell(words(subject, resolution, now.conflict)) }
    if answer == .acceptAll { try tell([now.givenUpWords(deciding: resolution, .open)].compactMap(\.self)) }
    return moveOn()
  }

  /// What another Parley has decided since it was asked. The answer holds all the same, as it came later.
  private func tellMeanwhile(_ seen: DecidedConflict, _ now: DecidedConflict) throws {
    for subject in now.resolution.difference(from: seen.resolution).sorted(by: { $0.name < $1.name }) {
      try tell("Another Parley was here meanwhile. \(words(subject, now.resolution, now.conflict))")
    }
    self.seen = now
  }

  /// What was refused stays a question, as it is not written before it is decided otherwise.
  private func leaveDecided(_ record: DecidedConflict) throws -> Next {
    guard let words = text.refused(asked.subjects, in: record) else {
      try tell("That is decided already.")
      return moveOn()
    }
    let ways = record.conflict.details.notWritable == nil ? "Decide it otherwise, or n" : "n"
    try tell("That is decided already, and not written: \(words). \(ways) leaves it.")
    return .stay
  }

  private func keep(_ resolution: Resolution, about subjects: [Subject], of record: DecidedConflict) throws {
    try keep(record.decisions(about: subjects, in: resolution, at: surroundings.now()))
    history.append(Step(parts: [part(of: record, subjects, after: resolution)]))
  }

  /// What was just kept, as the journal has it, by which it is known again.
  ///
  /// - Parameter record: as it was before.
  func part(of record: DecidedConflict, _ subjects: [Subject], after resolution: Resolution) -> Step.Part {
    let id = record.conflict.id
    let kept = try? store.journal.decisions(for: [id])
    let after = kept.map { DecidedConflict(record.conflict, decisions: $0).resolution }
    return Step.Part(
      id: id, before: record.resolution, after: after ?? resolution, subjects: subjects)
  }

  private func words(_ subject: Subject, _ resolution: Resolution, _ conflict: RecordConflict) -> String {
    guard let choice = resolution[subject] else { return "Open again: \(LinearText.name(subject))." }
    guard case .field(let name) = subject, let field = conflict[name] else {
      return "Decided: \(text.words(whole: choice, of: conflict))".ended
    }
    return "Decided: \(LinearText.name(name)), \(text.decided(choice, of: field, in: conflict, before: ": "))"
      .ended
  }

  /// nil where it cannot be taken, which is told then.
  private func resolution(_ answer: LinearAnswer, of record: DecidedConflict) throws -> Resolution? {
    switch answer {
    case .acceptAll: return try accepted(.byClock, of: record)
    case .way(let number): return try taking(way: number, of: record)
    case .enter: return try suggested(.byClock, of: record)
    case .suggestion: return try suggested(.yours, of: record)
    case .take(let side): return try taking(side: side, of: record)
    case .edit(let text): return try typed(text, of: record)
    case .merge: return try merged(record).flatMap { try taking($0, of: record) }
    case .ways, .singly, .family, .inFull, .skip, .skipRecord, .back, .undo, .givenUp, .again, .find, .write,
      .quit,
      .help, .notUnderstood:
      return nil
    }
  }

  private func accepted(_ least: Certainty, of record: DecidedConflict) throws -> Resolution? {
    let accepted = record.conflict.accepting(least, in: record.resolution)
    if accepted != record.resolution { return accepted }
    try tell("Nothing else of this record is sure or by clock.")
    return nil
  }

  /// What is decided stays so for Enter, which is typed without a thought: only the letter takes a suggestion over it.
  private func suggested(_ least: Certainty, of record: DecidedConflict) throws -> Resolution? {
    let all = record.conflict.accepting(least, in: Resolution())
    var resolution = record.resolution
    for subject in asked.subjects where least == .yours || !record.isDecided(subject) {
      guard let choice = all[subject] else {
        try tell(
          record.conflict.takesSuggestion(for: subject)
            ? "This is to decide by you, and Enter alone takes nothing: t takes what is suggested."
            : "Nothing is suggested that can be taken. Choose a side, or give a value.")
        return nil
      }
      resolution.decide(subject, choice)
    }
    return resolution
  }

  private func taking(way number: Int, of record: DecidedConflict) throws -> Resolution? {
    let ways = record.conflict.alternatives
    guard areWaysTold, ways.indices.contains(number - 1) else {
      try tell(
        areWaysTold
          ? "Choose 1 to \(ways.count); o lists them." : "A number takes one of the ways that o lists.")
      return nil
    }
    return try taking(record.conflict.choice(ofAlternative: ways[number - 1].id), for: [.record], of: record)
  }

  private func taking(
    _ choice: Choice, for subjects: [Subject]? = nil, of record: DecidedConflict
  ) throws -> Resolution? {
    var resolution = record.resolution
    for subject in subjects ?? asked.subjects {
      if let refusal = record.conflict.refusal(of: choice, for: subject) {
        try tell(refusal.words)
        return nil
      }
      resolution.decide(subject, choice)
    }
    return resolution
  }

  /// Of fields that nobody looked at one by one no side is taken: what the other did to them would be given up unseen.
  private func taking(side: Side, of record: DecidedConflict) throws -> Resolution? {
    guard case .ofSure = asked else { return try taking(.take(side), of: record) }
    try tell("These are several fields. Enter takes what is suggested for each, f asks one by one.")
    return nil
  }

  private func typed(_ typed: String?, of record: DecidedConflict) throws -> Resolution? {
    guard let field = try fieldToType(of: record) else { return nil }
    let prompt =
      "New value of \(LinearText.name(field.name)), \(field.field.kind.rawValue). "
      + "null: is NULL, text: is empty text, Enter leaves it:"
    guard let line = try typed ?? answer(prompt) else { return nil }
    if line.isEmpty {
      try tell("Nothing was changed.")
      return nil
    }
    do {
      let choice = try LeafArgument(conflict: record.conflict).choice(typed: line, for: field)
      return try taking(choice, of: record)
    } catch let refusal as ChoiceRefusal {
      try tell(refusal.words)
    } catch let error as CommandError {
      try tell(error.words(typedAs: .answer))
    }
    return nil
  }

  /// Of a record that is decided as a whole the one that its store takes; nil, which is told, where none is asked.
  private func fieldToType(of record: DecidedConflict) throws -> FieldConflict? {
    switch asked {
    case .ofOne(_, .field(let name)): return record.conflict[name]
    case .ofOne(_, .record):
      if let own = record.conflict.details.ownValue { return record.conflict[own.field] }
      try tell("The record is decided as a whole, and takes no value of your own. o lists the ways.")
    case .ofSure, .nothingLeft: try tell("A value is given for one field. f asks one by one.")
    }
    return nil
  }

  /// What the write would refuse is refused here, and told.
  private func isRefused(
    _ resolution: Resolution, about subject: Subject, of record: DecidedConflict
  ) throws -> Bool {
    guard let choice = resolution[subject] else { return false }
    switch try store.verdict(on: choice, for: subject, of: record.deciding(resolution)) {
    case .fits, .notKnown: return false
    case .odd(let reason):
      if choice.side == nil { try tell("It is taken, and looks odd: \(reason).") }
      return false
    case .refused(let reason):
      let name = LinearText.name(subject)
      try tell("The write would refuse \(choice.name) for \(name): \(reason). Decide it otherwise.")
      return true
    }
  }
}
