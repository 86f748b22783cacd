import Merging
import StoreInterface
import Telling
import Terminal

/// A field put together of its changes. Each choice is kept as it falls; the field is decided when the last of them is.
extension ValuePage {
  mutating func startMerge(on desk: inout DeskState) -> [DeskEffect] {
    if let hindrance = hindrance(desk) { return desk.tell(failed: hindrance) }
    (isMerging, isBelowMerge) = (true, true)
    if let parts = parts(desk), let first = place(of: parts.undecided(in: choices(desk)).first, in: parts) {
      change = first
    }
    showChange(on: desk)
    return tellState(on: &desk)
  }

  /// Whether each of its changes can be decided by itself.
  func hasSeveralChanges(_ desk: DeskState) -> Bool {
    (parts(desk)?.parts.count ?? 0) > 1 && hindrance(desk) == nil
  }

  /// The change under the cursor alone. What was decided stays for the others; a suggestion is nobody's choice, so where there is nothing
  /// more what is sure is in, and the merge goes on with what is left.
  mutating func takeChange(_ side: Side, on desk: inout DeskState) -> [DeskEffect]? {
    guard let parts = parts(desk) else { return nil }
    change = max(0, min(change, parts.parts.count - 1))
    let decided = choicesDecided(parts, desk)
    let stay = wordsOfStaying(decided ?? [:], parts, desk)
    (isMerging, isBelowMerge) = (true, true)
    return take(side, parts.parts[change], parts, on: &desk, others: decided, stay: stay)
  }

  /// What the decided value is made of, beside what is sure; nil for a value that no choices make.
  private func choicesDecided(_ parts: FieldParts, _ desk: DeskState) -> [FieldPart.ID: PartChoice]? {
    guard desk.open[id]?.resolution[.field(field)] != nil else { return [:] }
    switch content(desk).result {
    case .parts(let choices): return choices
    case .side(let side):
      let others = parts.parts.filter { !$0.isSure || !$0.areSame($0.onlySide ?? .client, side) }
      return Dictionary(others.map { ($0.id, .take(side)) }) { first, _ in first }
    case .other(let value): return parts.choices(making: value)
    case .open: return [:]
    }
  }

  /// What stays decided beside the change under the cursor, though no key was typed for it now: "the others stay as decided (change 3:
  /// server)".
  private func wordsOfStaying(
    _ shown: [FieldPart.ID: PartChoice], _ parts: FieldParts, _ desk: DeskState
  ) -> String {
    let chosen = choices(desk)
    let kept = parts.parts.enumerated().compactMap { place, part -> (place: Int, words: String)? in
      guard place != change, chosen[part.id] == nil else { return nil }
      return shown[part.id].map { (place + 1, $0.words) }
    }
    let told = kept.map(\.words).unique.map { words in
      let places = kept.filter { $0.words == words }.map { "\($0.place)" }
      return places.count == 1 ? "change \(places[0]): \(words)" : "changes \(places.listed): \(words)"
    }
    return told.isEmpty ? "" : ", the others stay as decided (\(told.joined(separator: "; ")))"
  }

  /// Whether both sides' words can be taken for the change under the cursor.
  func canTakeBoth(_ desk: DeskState) -> Bool {
    guard let parts = parts(desk), parts.form != .keys, !parts.parts.isEmpty else { return false }
    return parts.parts[max(0, min(change, parts.parts.count - 1))].change == .different
  }

  /// Why the field cannot be put together of parts; nil if it can.
  private func hindrance(_ desk: DeskState) -> String? {
    guard let record = desk.open[id] else { return "It is not read yet." }
    if let hindrance = hindranceAtOnce(record, desk) { return hindrance }
    return parts(desk) == nil ? Self.noParts : nil
  }

  private static let noParts =
    """
    Only texts of several words, JSON objects, and lists of one length are merged by their changes: take a side, or \
    edit.
    """

  /// The same, without taking a text apart for it.
  func hindranceAtOnce(_ record: DecidedConflict, _ desk: DeskState) -> String? {
    if record.conflict.details.waitingSince != nil {
      return desk.privacy.words(record.conflict.refusalOfWaiting)
    }
    if record.conflict.isWhole { return "This record is decided as a whole: \(record.waysByKey)." }
    if desk.privacy.hides { return "Values are hidden. P shows them; then they can be merged." }
    if ShownRecord(record, leaf: leaf).isTurned {
      return "The merge is of client and leaf 2: [ and ] in the record show that."
    }
    if record.conflict[field]?.change == .unchanged { return "Nothing differs here that could be merged." }
    if record.conflict[field]?.change == .same {
      return "Both sides have the same here: there is nothing to merge."
    }
    if record.conflict[field]?.mayHaveParts == false { return Self.noParts }
    return record.conflict.refusal(of: .parts(PartChoices()), for: .field(field))
      .flatMap { $0 == .partsToDecide(field: field) ? nil : desk.privacy.words($0) }
  }

  private func place(of part: FieldPart?, in parts: FieldParts) -> Int? {
    part.flatMap { part in parts.parts.firstIndex { $0.id == part.id } }
  }

  private mutating func tellState(on desk: inout DeskState) -> [DeskEffect] {
    guard let parts = parts(desk) else { return [] }
    if let choice = desk.open[id]?.resolution[.field(field)] {
      guard choice.unfinished == nil, choices(desk).isEmpty else { return [] }
      return desk.tell("It is decided as one value; what is decided here takes the place of that.")
    }
    return parts.undecided(in: [:]).isEmpty
      ? desk.tell(
        "No change overlaps another one: \(desk.key(.accept, on: .merge)) keeps both sides' changes.") : []
  }

  mutating func merge(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    guard let parts = parts(desk) else { return wait(command, on: &desk) }
    // The value may be another than it was.
    change = max(0, min(change, parts.parts.count - 1))
    let part = parts.parts[change]
    switch command {
    case .back: return leave(on: &desk)
    case .take(let side): return take(side, part, parts, on: &desk, others: choices(desk))
    case .record(.takeAll(let side)): return takeAll(side, on: &desk)
    case .record(.both): return takeBoth(.client, part, parts, on: &desk)
    case .record(.bothServerFirst): return takeBoth(.server, part, parts, on: &desk)
    case .record(.forget): return forget(part, parts, on: &desk)
    case .accept: return accept(parts, on: &desk)
    case .edit: return startTyping(part, parts, on: desk)
    case .editOutside: return editOutside(parts, on: &desk)
    case .nextUndecided: return goToUndecided(parts, step: 1, on: &desk)
    case .previousUndecided: return goToUndecided(parts, step: -1, on: &desk)
    case .move, .left, .right, .open, .quit, .record, .undo, .redo, .review, .mend, .drafts, .filter, .list,
      .search, .anywhere, .history, .unfold, .story, .nextTopic, .reload, .line:
      return read(command, on: &desk)
    }
  }

  /// While there is nothing to be put together: hidden, or with nothing in it that differs any more.
  private mutating func wait(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    switch command {
    case .back: return leave(on: &desk)
    case .take, .edit, .editOutside, .accept, .nextUndecided, .previousUndecided, .record(.both),
      .record(.bothServerFirst), .record(.takeAll), .record(.forget):
      return desk.tell(failed: hindrance(desk) ?? "Nothing differs here.")
    case .move, .left, .right, .open, .quit, .record, .undo, .redo, .review, .mend, .drafts, .filter, .list,
      .search, .anywhere, .history, .unfold, .story, .nextTopic, .reload, .line:
      return read(command, on: &desk)
    }
  }

  private mutating func leave(on desk: inout DeskState) -> [DeskEffect] {
    if let words = wordsOfLeaving(desk) { desk.status = .told(words) }
    // What is decided needs no second key to be left.
    guard isBelowMerge, !isDecided(desk) else { return desk.goBack() }
    endMerge()
    return []
  }

  /// What is not decided yet, where somebody may think that it is.
  private func wordsOfLeaving(_ desk: DeskState) -> String? {
    guard let parts = parts(desk), !isDecided(desk) else { return nil }
    let left = parts.undecided(in: choices(desk)).count
    if left == 0 {
      let keys = "\(desk.key(.record(.merge), on: .value)), and \(desk.key(.accept, on: .merge)) there,"
      return "Nothing is decided of \(desk.privacy.name(field)): \(keys) keeps both sides' changes."
    }
    if choices(desk).isEmpty { return nil }
    return "\(left) of the changes \(left == 1 ? "is" : "are") still to decide; what you decided is kept."
  }

  func isDecided(_ desk: DeskState) -> Bool {
    desk.open[id]?.resolution[.field(field)].map { $0.unfinished == nil } ?? false
  }

  /// - Parameters:
  ///   - others: what was chosen of all changes so far; nil where what was decided is lost with this.
  ///   - stay: what is told of those that nobody chose by a key.
  private mutating func take(
    _ side: Side, _ part: FieldPart, _ parts: FieldParts, on desk: inout DeskState,
    others: [FieldPart.ID: PartChoice]?, stay: String = ""
  ) -> [DeskEffect] {
    if let refusal = conflict(desk)?.refusal(of: .take(side), for: part, in: parts) {
      return desk.tell(failed: "\(refusal.words) \(waysToTake(desk))")
    }
    let (place, before) = (change, desk.open[id]?.resolution)
    let effects = choose((others ?? [:]).merging([part.id: .take(side)]) { $1 }, parts, on: &desk)
    if desk.status?.isFailure == true { return effects }
    let taken = "Change \(place + 1): \(side.rawValue) taken"
    let replaced = others == nil ? ", and what was typed is replaced" : ""
    let words = ["\(taken)\(replaced)\(stay).", wordsAfter(place, parts, desk)]
    let undo = desk.undoWords(before ?? Resolution(), id)
    return effects + desk.tell((words + [undo].compactMap(\.self)).joined(separator: " "))
  }

  /// How it goes on after a change was decided.
  private func wordsAfter(_ place: Int, _ parts: FieldParts, _ desk: DeskState) -> String {
    let all = choices(desk)
    let left = parts.undecided(in: all).count
    if left == 0 { return wordsAtTheEnd(countOfSure(parts, in: all), desk) }
    let next = change == place ? "" : "Next is change \(change + 1), "
    return next + "\(left) to decide."
  }

  /// The whole value is read again, as there is nothing left to put together.
  private mutating func takeAll(_ side: Side, on desk: inout DeskState) -> [DeskEffect]? {
    let effects = decide(.take(side), asWholeOn: &desk)
    if desk.status?.isFailure != true { endMerge() }
    return effects
  }

  /// What was decided is no value of its changes.
  mutating func endMerge() { (isMerging, isBelowMerge) = (false, false) }

  private mutating func takeBoth(
    _ first: Side, _ part: FieldPart, _ parts: FieldParts, on desk: inout DeskState
  ) -> [DeskEffect] {
    switch conflict(desk)?.refusal(of: .both(first: first), for: part, in: parts) {
    case .keyHasOneValue?:
      let edit = desk.key(.edit, on: .merge)
      return desk.tell(
        failed: "\(PartRefusal.keyHasOneValue.words) \(waysToTake(desk)) \(edit) types another.")
    case let refusal?: return desk.tell(refusal.words)
    case nil: return choose([part.id: .both(first: first)], parts, on: &desk)
    }
  }

  private func waysToTake(_ desk: DeskState) -> String {
    "\(desk.key(.take(.client), on: .merge)) and \(desk.key(.take(.server), on: .merge)) take a side."
  }

  private mutating func forget(_ part: FieldPart, _ parts: FieldParts, on desk: inout DeskState)
    -> [DeskEffect]
  {
    var all = choices(desk)
    // What is sure may have been accepted without a choice.
    let isAccepted = if case .parts? = desk.open[id]?.resolution[.field(field)] { all.isEmpty } else { false }
    guard all[part.id] != nil || isAccepted else { return desk.tell("Nothing was decided here.") }
    all[part.id] = nil
    return keep(all.isEmpty ? nil : PartChoices(all, of: parts), on: &desk)
  }

  /// Everything that is sure, and of the rest what is newer.
  private mutating func accept(_ parts: FieldParts, on desk: inout DeskState) -> [DeskEffect] {
    guard let side = newerSide(desk) else {
      let left = parts.undecided(in: choices(desk)).count
      return left == 0
        ? choose([:], parts, on: &desk)
        : desk.tell("Neither edit is known to be newer, so nothing is suggested: \(left) to decide.")
    }
    let undecided = parts.undecided(in: choices(desk))
    return choose(
      Dictionary(uniqueKeysWithValues: undecided.map { ($0.id, PartChoice.take(side)) }), parts, on: &desk)
  }

  private mutating func choose(
    _ new: [FieldPart.ID: PartChoice], _ parts: FieldParts, on desk: inout DeskState
  ) -> [DeskEffect] {
    let all = choices(desk).merging(new) { $1 }
    let effects = keep(PartChoices(all, of: parts), on: &desk)
    if desk.status?.isFailure == true { return effects }
    let left = parts.undecided(in: all)
    if left.isEmpty {
      let words = wordsAtTheEnd(countOfSure(parts, in: all), desk)
      return effects + desk.tell("\(words) \(desk.key(.undo)) takes the last decision back.")
    }
    if desk.advances { _ = goToUndecided(parts, step: 1, on: &desk) }
    return effects
  }

  /// What is sure is decided with the rest, and may stand where nobody has looked.
  private func wordsAtTheEnd(_ sure: Int, _ desk: DeskState) -> String {
    let changes = sure == 1 ? "1 sure change goes along" : "\(sure) sure changes go along"
    let also = sure == 0 ? "" : "; \(changes): see ] and ["
    return "All of \(desk.privacy.name(field)) is decided\(also). Esc goes back."
  }

  private func keep(_ choices: PartChoices?, on desk: inout DeskState) -> [DeskEffect] {
    guard let record = desk.open[id] else { return [] }
    return desk.decide(record, field, choices)
  }

  private mutating func goToUndecided(_ parts: FieldParts, step: Int, on desk: inout DeskState)
    -> [DeskEffect]
  {
    let open = Set(parts.undecided(in: choices(desk)).map(\.id))
    let places = Round(parts.parts.count).places(from: change + step, by: step)
    guard let next = places.first(where: { open.contains(parts.parts[$0].id) }) else {
      return desk.tell("Every change is decided, or sure.")
    }
    return next == change ? desk.tell("Only this change is left to decide.") : goTo(next, on: desk)
  }

  private mutating func goTo(_ place: Int, on desk: DeskState) -> [DeskEffect] {
    change = place
    showChange(on: desk)
    return []
  }
}

extension [String] {
  /// The first of them, and how many there are beside: a message has one line.
  fileprivate var listed: String {
    count <= 4 ? joined(separator: ", ") : prefix(3).joined(separator: ", ") + " and \(count - 3) more"
  }
}

/// What `y` takes away.
extension ValuePage {
  /// The field as far as it is put together; what is still to decide stands in brackets, as on the screen.
  func merged(_ desk: DeskState) -> (value: Value, name: String)? {
    guard let parts = parts(desk) else { return nil }
    let choices = choices(desk)
    if let value = parts.value(choices) { return (value, "the merged \(field.wholeName)") }
    let texts = parts.pieces.map { piece -> String in
      switch piece {
      case .kept(let text): return text
      case .part(let part):
        guard let choice = parts.choice(of: part, in: choices) else { return part.bothInBrackets }
        return part.text(choice) ?? "(none)"
      }
    }
    let open = parts.undecided(in: choices).count
    let name = "\(field.wholeName) as far as it is merged, with \(open) to decide in brackets"
    return (.text(texts.joined()), name)
  }
}

extension FieldPart {
  /// The client's and the server's.
  fileprivate var bothInBrackets: String { "[ \(client ?? "(none)") | \(server ?? "(none)") ]" }
}

/// Words that are typed for one change.
extension ValuePage {
  private mutating func startTyping(_ part: FieldPart, _ parts: FieldParts, on desk: DeskState)
    -> [DeskEffect]
  {
    let choice = choiceOrSuggestion(of: part, in: parts, desk) ?? .take(.client)
    (input, typing) = (InputLine(part.text(choice) ?? ""), part.id)
    return []
  }

  mutating func type(_ key: Key, on desk: inout DeskState) -> [DeskEffect]? {
    guard var line = input else { return typeSearch(key, on: &desk) }
    defer { showChange(on: desk) }
    switch line.take(key) {
    case .left: input = nil
    case .kept: return keepTyped(line, on: &desk)
    case .changed, .ignored: input = line
    }
    return []
  }

  mutating func paste(_ text: String, on desk: inout DeskState) -> [DeskEffect]? {
    guard input != nil else { return pasteSearch(text) }
    input?.insert(text)
    return []
  }

  private mutating func keepTyped(_ line: InputLine, on desk: inout DeskState) -> [DeskEffect] {
    // The value may be read again while somebody types, and have other changes then, or none.
    guard let parts = parts(desk), let part = parts.parts.first(where: { $0.id == typing }) else {
      return desk.tell(
        failed: "The value has changed meanwhile and no longer has this change. Esc leaves it.")
    }
    if let refusal = conflict(desk)?.refusal(of: .edit(line.text), for: part, in: parts) {
      return desk.tell(failed: "\(refusal.words) Esc leaves it.")
    }
    input = nil
    return choose([part.id: .edit(line.text)], parts, on: &desk)
  }

  /// The whole text as it is so far, in $EDITOR. What is still to decide has both sides there, between marks of which none may be left.
  private func editOutside(_ parts: FieldParts, on desk: inout DeskState) -> [DeskEffect] {
    guard let record = desk.open[id] else { return [] }
    let open = parts.undecided(in: choices(desk))
    guard open.isEmpty || parts.form != .keys else {
      return desk.tell(
        "\(open.count) to decide first: an open change cannot be marked between the keys of JSON.")
    }
    let marked = open.map { ($0.id, PartChoice.edit(ConflictMarks.text(of: $0))) }
    let value = parts.value(choices(desk).merging(marked) { $1 })
    return desk.startEditor(
      record, RecordPage(id: id, field: field, leaf: leaf), outside: true, with: value)
  }
}
