import ExactJSON
import Merging
import StoreInterface
import Telling
import Terminal

/// One field being edited. Keys are text here.
package struct EditorPage: DeskPage, Equatable {
  package var id: String
  package var field: Field
  package var input: InputLine
  /// All ways to read the line so far. It knows the place of its own, so that what is taken back in it is read as it was.
  var readings: [LineReading]
  /// What was typed before the versions that Up and Down walk through.
  package var typed: String
  /// How that is read.
  var readingBefore: LineReading
  /// What it began with.
  private let begun: LineReading
  /// What the store said last, of a value that may have changed since.
  var judgement: Judgement?
  /// Whether it was asked and has not answered.
  var isAsking = false
  /// What was to be seen of the field when the value was to be kept, which it is as soon as the store has said that it fits; nil: it is not
  /// to be.
  private var keptSeeing: Fingerprint?
  var isKeeping: Bool { keptSeeing != nil }
  /// Whether its record is no longer in conflict: until it is so again nothing can be kept, only read.
  private(set) var isSettled = false
  /// Whether $EDITOR was opened at once, so that nobody asked for the line here as long as nothing was changed there.
  var isOutside = false
  /// Whether what is in it was saved by $EDITOR.
  private var isFromOutside = false
  /// Whether the last key was an arrow that copied a version, so that the next one copies on.
  private var isWalking = false
  /// What drops what is typed, if it is asked for once more: that was told.
  private var toldOf: Command?
  /// See ``RecordPage/leaf``.
  package var leaf: Leaf.ID?

  init(_ field: FieldConflict, in record: DecidedConflict, leaf: Leaf.ID?, _ value: Value? = nil) {
    let value = value ?? field.beginning(record.spelledOut.resolution[.field(field.name)])
    (id, self.field, self.leaf) = (record.conflict.id, field.field, leaf)
    begun = LineReading(value)
    (typed, readingBefore, readings) = (begun.last.text, begun, [begun])
    input = InputLine(typed)
  }

  var page: Page? { .editor(self) }
  var topic: Topic { .editor }
  var record: String? { id }

  /// The arrows copy in a text of one row alone.
  func hint(of binding: Binding, width: Int, on desk: DeskState) -> String? {
    switch binding.command {
    case .move(.up), .move(.down): hasRows(on: desk) ? nil : binding.hint
    case .move(.pageUp), .move(.pageDown): hasRows(on: desk) ? binding.hint : nil
    default: binding.hint
    }
  }
}

extension FieldConflict {
  /// What an editor begins with: the draft, or in the place of bytes that are not here, which cannot be kept, those of a side that are.
  fileprivate func beginning(_ choice: Choice?) -> Value {
    let drafted = draft(choice).value
    let sides = [client, server, ancestor].compactMap { $0?.value }
    return drafted.isAtHand ? drafted : sides.first { $0.isAtHand && $0 != .null } ?? drafted
  }
}

extension DeskState {
  /// - Parameters:
  ///   - outside: in $EDITOR at once.
  ///   - value: what is edited; nil for what the draft has.
  mutating func startEditor(
    _ record: DecidedConflict, _ page: RecordPage, outside: Bool = false, with value: Value? = nil
  ) -> [DeskEffect] {
    if let refusal = refusalOfWaiting(record) { return refusal }
    guard !record.conflict.isWhole || record.conflict.details.ownValue != nil else {
      return tell("This record is decided as a whole: \(record.waysByKey).")
    }
    guard let field = page.selectedField(in: record, on: self) else { return [] }
    if let words = hindrance(toEditing: field.field, outside: outside) { return tell(failed: words) }
    var editor = EditorPage(field, in: record, leaf: page.leaf, value)
    let effects = editor.start(outside: outside, on: &self)
    pages.append(.editor(editor))
    return effects
  }

  /// Why no editor opens on a field of a record that can be decided; nil where one does.
  func hindrance(toEditing field: Field, outside: Bool) -> String? {
    if privacy.hides { return "Values are hidden. P shows them; then they can be edited." }
    if !field.isWritable { return privacy.words(.notWritable(field.name)) }
    if field.form == .attachment { return privacy.words(.attachment(field: field.name)) }
    return outside && field.kind == .blob ? EditorPage.bytesAreNoText : nil
  }
}

extension EditorPage {
  /// In bytes; a longer value is edited outside from the start. Typing in it works, at some milliseconds a key.
  private static let longest = 1_000_000

  fileprivate mutating func start(outside: Bool, on desk: inout DeskState) -> [DeskEffect] {
    isOutside = outside || typed.utf8.count > Self.longest
    guard isOutside else { return judgeTyped(on: desk) }
    if outside { return editOutside(on: &desk) }
    return desk.tell("\(bytesInWords(typed.utf8.count)) are too much for this box, so this opens $EDITOR.")
      + editOutside(on: &desk)
  }

  mutating func type(_ key: Key, on desk: inout DeskState) -> [DeskEffect]? {
    if let command = Keymap.command(for: key, on: .editor) { return run(command, on: &desk) ?? [] }
    (toldOf, isWalking) = (nil, false)
    type { $0.take(key) }
    return judgeOther(on: desk)
  }

  mutating func paste(_ text: String, on desk: inout DeskState) -> [DeskEffect]? {
    (toldOf, isWalking) = (nil, false)
    type { line in
      line.insert(text)
      return .changed
    }
    return judgeOther(on: desk)
  }

  mutating func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    let (wasTold, walked) = (toldOf == command, isWalking)
    (toldOf, isWalking) = (nil, false)
    switch command {
    case .back: return leave(wasTold, on: &desk)
    case .quit: return quit(wasTold, on: &desk)
    case .line(.keep): return keep(on: &desk)
    case .editOutside: return editOutside(on: &desk)
    case .line(.setNull):
      hold(.null)
    case .line(.otherKind):
      guard turn(on: desk) else { return desk.tell("It can be read in only one way.") }
    case .line(.breakLine):
      guard takesLines else { return desk.tell("\(desk.privacy.name(field.name)) takes no line breaks.") }
      type { line in
        line.insert("\n")
        return .changed
      }
    case .move(.up), .move(.down):
      if !walked, hasRows(on: desk) { return goTo(row: command == .move(.up) ? -1 : 1, on: desk) }
      isWalking = true
      return copy(next: command == .move(.down), on: &desk)
    case .move(.pageUp): return copy(next: false, on: &desk)
    case .move(.pageDown): return copy(next: true, on: &desk)
    // What was looked for elsewhere is no value.
    case .line(.older), .line(.newer): return nil
    case .line, .left, .right, .move(.first), .move(.last):
      type(erases: command.erases) { $0.run(command) }
    case .move, .open, .nextUndecided, .previousUndecided, .record, .take, .edit, .accept, .undo,
      .redo, .review, .mend, .drafts, .filter, .list, .search, .anywhere, .history, .unfold, .story,
      .nextTopic,
      .reload:
      return nil
    }
    return judgeOther(on: desk)
  }

  static func words(stillOpen count: Int) -> String {
    let places = count == 1 ? "1 place holds" : "\(count) places hold"
    return "\(places) both sides still, <<<<<<< to >>>>>>>: Ctrl-X edits on."
  }

  private mutating func leave(_ wasTold: Bool, on desk: inout DeskState) -> [DeskEffect] {
    if !wasTold, isTyped { return ask(.back, "Esc once more drops it", on: &desk) }
    guard isSettled else { return desk.goBack() }
    desk.open[id] = nil
    desk.pages.removeAll { $0.record.isName(id) }
    return []
  }

  private mutating func quit(_ wasTold: Bool, on desk: inout DeskState) -> [DeskEffect] {
    if !wasTold, isTyped { return ask(.quit, "F10 once more quits without it", on: &desk) }
    return desk.quit()
  }

  /// Whether something is nowhere else, and can be kept: a version that was copied stays where it is.
  var isTyped: Bool {
    if isSettled { return false }
    let isNew = copied == nil ? isOther(input.text, reading) : isOther(typed, readingBefore)
    return isNew || isFromOutside
  }

  /// Whether it is another value than what it began with. What reads like that may be of another kind, where there are several.
  private func isOther(_ text: String, _ reading: LineReading) -> Bool {
    if reading.isHeld { return reading.last.value != begun.last.value }
    return takesKinds || !begun.last.isText || !text.hasSameBytes(as: begun.last.text)
  }

  /// What was typed goes by a second key alone; whoever presses the first behind Enter wants it not to be kept.
  private mutating func ask(_ command: Command, _ words: String, on desk: inout DeskState) -> [DeskEffect] {
    (toldOf, keptSeeing) = (command, nil)
    let what = isFromOutside ? "What $EDITOR saved" : "What is typed here"
    return desk.tell("\(what) is not kept yet: Enter takes it, \(words)." + desk.forgetTyped())
  }

  /// Keeps what was typed as a decision, if the column can hold it.
  private mutating func keep(on desk: inout DeskState) -> [DeskEffect] {
    guard !isSettled, let record = desk.open[id], let conflict = record.conflict[field.name] else {
      return desk.tell(failed: desk.refusalOfSettled(id))
    }
    if let path { return [.readFile(path)] }
    let open = ConflictMarks.count(in: input.text, of: conflict)
    if open > 0 { return desk.tell(failed: Self.words(stillOpen: open)) }
    switch value(like: conflict, in: record.conflict) {
    case .success(let value): return keepJudged(value, record, on: &desk)
    case .failure(let refusal): return desk.tell(failed: desk.privacy.words(refusal))
    }
  }

  private func keep(_ value: Value, _ record: DecidedConflict, on desk: inout DeskState) -> [DeskEffect] {
    let subject = record.conflict.subject(ofValueFor: field.name)
    let name = desk.privacy.name(field.name)
    let value = record.conflict[field.name].flatMap(sideValue(like:)) ?? value
    guard !record.hasDecided(value, for: field.name) else {
      return desk.goBack() + desk.tell("\(name): nothing was changed.")
    }
    let choice = copiedChoice(subject, in: record) ?? record.conflict.choice(of: value, for: subject)
    let effects = desk.decide(record, subject, choice)
    if desk.status?.isFailure == true { return effects }
    let left = desk.goBack()
    desk.on(ValuePage.self) { page, _ in page.endMerge() }
    // A review edits values, too.
    let undo = desk.topic == .record ? " \(desk.key(.undo)) takes it back." : ""
    tell("\(name): \(words(choice, in: record)).\(undo)", on: &desk)
    return effects + left
  }

  private func words(_ choice: Choice, in record: DecidedConflict) -> String {
    let shown = ShownRecord(record, leaf: leaf)
    return switch choice {
    case .take(let side): "this is what \(side.letter) has, so it is taken"
    case .merged where copied == .server && shown.isTurned:
      "this is what leaf \(shown.leafNumber) has, so it is taken"
    case .merged, .edit, .alternative, .parts: "edited"
    }
  }

  /// What takes a version that was copied from its side, or its leaf, though another one may have the same; nil where none stands in the
  /// line, where it is another one in the store by now, and where it cannot be taken.
  private func copiedChoice(_ subject: Subject, in record: DecidedConflict) -> Choice? {
    let (conflict, shown) = (record.conflict, ShownRecord(record, leaf: leaf))
    guard case .field = subject, let copied, let held,
      shown.columns[field.name]?.version(copied)?.value == held
    else { return nil }
    var choice: Choice? = .take(copied)
    if copied == .server, shown.isTurned {
      choice = shown.columns.details.serverTag.flatMap { conflict.choice(of: $0, for: subject) }
    }
    return choice.flatMap { conflict.refusal(of: $0, for: subject) == nil ? $0 : nil }
  }

  /// What was done stands before how to go on.
  private func tell(_ done: String, on desk: inout DeskState) {
    let said = desk.status?.text.beforeMore ?? ""
    desk.status = nil
    if desk.topic == .record { desk.on(RecordPage.self) { $0.goOn(on: &$1) } }
    let rest = desk.status.map { " \($0.text)" } ?? ""
    desk.status = .told(said + done + rest)
  }

  func take(_ bytes: [UInt8], ofFile path: String, on desk: inout DeskState) -> [DeskEffect] {
    guard self.path == path, let record = desk.open[id] else { return [] }
    if isSettled { return desk.tell(failed: desk.refusalOfSettled(id)) }
    return keep(.blob(Blob(bytes: bytes)), record, on: &desk)
  }

  private func editOutside(on desk: inout DeskState) -> [DeskEffect] {
    guard let record = desk.open[id],
      let conflict = ShownRecord(record, leaf: leaf).columns[field.name]
    else { return [] }
    guard field.kind != .blob else { return desk.tell(failed: Self.bytesAreNoText) }
    return [.editOutside(OutsideText.scratch(input.text, conflict))]
  }

  mutating func takeOutside(_ text: String?, on desk: inout DeskState) -> [DeskEffect] {
    guard let text else { return leaveUnchanged(on: &desk) + desk.tell("Nothing was changed in the editor.") }
    let former = reading
    input = InputLine(OutsideText.strip(text))
    reading = LineReading(last: former.last, isHeld: false, readsText: former.readsText)
    (isOutside, isFromOutside) = (false, true)
    let open = desk.open[id]?.conflict[field.name].map { ConflictMarks.count(in: input.text, of: $0) } ?? 0
    return judgeOther(on: desk) + (open > 0 ? desk.tell(failed: Self.words(stillOpen: open)) : [])
  }

  mutating func takeOutside(failure words: String, on desk: inout DeskState) -> [DeskEffect] {
    leaveUnchanged(on: &desk) + desk.tell(failed: words)
  }

  private mutating func leaveUnchanged(on desk: inout DeskState) -> [DeskEffect] {
    isOutside ? leave(true, on: &desk) : []
  }

  fileprivate static let bytesAreNoText =
    "Bytes are not edited as text: e takes @path, the file that has them."
}

/// The store judges what is typed, in the background and one value after the other: a key never waits for it.
extension EditorPage {
  /// Another text is another value.
  mutating func judgeOther(on desk: DeskState) -> [DeskEffect] {
    keptSeeing = nil
    return judgeTyped(on: desk)
  }

  /// Asks about the value in the editor, unless that was asked already or cannot be stored at all.
  private mutating func judgeTyped(on desk: DeskState) -> [DeskEffect] {
    isShort || keptSeeing != nil ? ask(on: desk) : []
  }

  /// Its record is no longer in conflict, and nothing waits for the store's answer.
  mutating func settle() { (isSettled, keptSeeing) = (true, nil) }

  /// Its record is in conflict again.
  mutating func goOn(on desk: DeskState) -> [DeskEffect] {
    isSettled = false
    return judgeAgain(on: desk)
  }

  /// What the store said is about rows that may be others by now.
  mutating func judgeAgain(on desk: DeskState) -> [DeskEffect] {
    judgement = nil
    return judgeTyped(on: desk)
  }

  private mutating func ask(on desk: DeskState) -> [DeskEffect] {
    guard !isAsking, !isSettled, let record = desk.open[id], !record.isRehearsal, path == nil,
      let value = value(in: record), verdict(on: value) == nil
    else { return [] }
    isAsking = true
    let draft = record.conflict.draft(typing: value, for: field.name, in: record.resolution)
    return [.judge(Planned(seen: record.conflict, draft: draft), field: field.name)]
  }

  mutating func take(_ judgement: Judgement, on desk: inout DeskState) -> [DeskEffect] {
    guard id.hasSameBytes(as: judgement.id), field.name == judgement.field else { return [] }
    isAsking = false
    self.judgement = judgement
    if isSettled { return [] }
    guard let record = desk.open[id], let value = value(in: record), let seen = keptSeeing,
      verdict(on: value) != nil
    else { return judgeTyped(on: desk) }
    keptSeeing = nil
    guard seen == fingerprint(in: record) else {
      let name = desk.privacy.name(field.name)
      return desk.tell(
        failed: "\(name) has changed in the store meanwhile, so this is not kept yet: Enter takes it.")
    }
    return keepJudged(value, record, on: &desk)
  }

  /// Keeps a value that the store takes; one that it was not asked about yet waits for the answer.
  private mutating func keepJudged(_ value: Value, _ record: DecidedConflict, on desk: inout DeskState)
    -> [DeskEffect]
  {
    if record.isRehearsal { return keep(value, record, on: &desk) }
    switch verdict(on: value) {
    case .fits?, .odd?, .notKnown?: return keep(value, record, on: &desk)
    case .refused(let reason)?: return desk.tell(failed: "The store refuses this value: \(reason).")
    case nil:
      keptSeeing = fingerprint(in: record)
      return ask(on: desk)
    }
  }

  private func fingerprint(in record: DecidedConflict) -> Fingerprint {
    record.conflict.fingerprint(of: record.conflict.subject(ofValueFor: field.name))
  }

  /// Short enough to be judged with every key.
  var isShort: Bool { input.size <= 64_000 }

  /// What the store said to this very value.
  func verdict(on value: Value) -> ValueVerdict? { judgement?.value == value ? judgement?.verdict : nil }

  /// The value as it would be stored, if it can be.
  private func value(in record: DecidedConflict) -> Value? {
    record.conflict[field.name].flatMap { try? value(like: $0, in: record.conflict).get() }
  }
}

extension Command {
  /// Whether it takes something out of a line, and puts nothing in.
  fileprivate var erases: Bool {
    [
      .line(.clear), .line(.eraseBefore), .line(.eraseAfter), .line(.eraseWord), .line(.eraseWordBack),
      .line(.eraseToEnd), .line(.eraseWordOn),
    ].contains(self)
  }
}

extension DecidedConflict {
  /// Whether this value is decided for a field already.
  fileprivate func hasDecided(_ value: Value, for name: String) -> Bool {
    guard resolution[conflict.subject(ofValueFor: name)] != nil, let field = conflict[name] else {
      return false
    }
    return field.draft(spelledOut.resolution[.field(name)]).value == value
  }
}

extension RecordConflict {
  /// What a version has is taken from it, with the time that it has there; anything else is a value of the person's own.
  fileprivate func choice(of value: Value, for subject: Subject) -> Choice {
    guard case .field(let name) = subject, let field = self[name] else { return .edit(value) }
    let sides = [Side.client, .server, .ancestor].filter {
      field.version($0)?.value == value && refusal(of: .take($0), for: subject) == nil
    }
    if let side = sides.first { return .take(side) }
    let suggested = accepting(.yours, in: Resolution())[subject]
    return suggested.flatMap { field.draft($0).value == value ? $0 : nil } ?? .edit(value)
  }
}
