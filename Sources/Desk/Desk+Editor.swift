import ExactJSON
import Merging
import StoreInterface
import Telling
import Terminal

extension DeskState {
  /// - Parameter outside: in $EDITOR at once.
  mutating func startEditor(_ record: DecidedConflict, _ page: RecordPage, outside: Bool = false)
    -> [DeskEffect]
  {
    guard !record.conflict.isWhole else {
      return tell(.told("This record is decided as a whole: c keeps the client's, s the server's."))
    }
    guard !privacy.hides else {
      return tell(.failed("Values are hidden. P shows them; then they can be edited."))
    }
    guard let field = page.selectedField(in: record, on: self) else { return [] }
    guard field.field.isWritable else { return tell(.failed(privacy.words(.notWritable(field.name)))) }
    guard field.field.form != .attachment else {
      return tell(.failed(privacy.words(.attachment(field: field.name))))
    }
    let value = field.draft(record.resolution[.field(field.name)]).value
    let text = EditorPage.text(value)
    pages.append(
      .editor(
        EditorPage(
          id: page.id, field: field.field, input: InputLine(text), isNull: value == .null, copied: nil,
          typed: text, leaf: page.leaf)))
    if outside { return editOutside() }
    guard text.utf8.count > EditorPage.longest else { return judgeTyped() }
    return tell(.told("\(bytesInWords(text.utf8.count)) are long for one line, so this opens $EDITOR."))
      + editOutside()
  }

  mutating func takeEditor(_ key: Key, _ page: EditorPage) -> [DeskEffect] {
    if let command = Keymap.command(for: key, on: .editor) { return run(command, in: page) ?? [] }
    var page = page
    page.type { $0.take(key) }
    return put(page)
  }

  mutating func run(_ command: Command, in page: EditorPage) -> [DeskEffect]? {
    var page = page
    switch command {
    case .back: return leave(page)
    case .keep: return keep(page)
    case .editOutside: return editOutside()
    case .setNull: page.setNull()
    case .move(.up): page.copy(next: false, from: open[page.id])
    case .move(.down): page.copy(next: true, from: open[page.id])
    case .clear, .left, .right, .move(.first), .move(.last), .eraseBefore, .eraseAfter:
      page.type { $0.run(command) }
    case .move, .open, .quit, .nextUndecided, .previousUndecided, .nextRecord, .previousRecord, .takeCell,
      .take, .edit, .accept, .forget, .alternatives, .undo, .redo, .review, .mend, .confirm, .note, .leaveOut,
      .more, .showSQL, .showJSON, .filter, .search, .toggleUnchanged, .toggleTime, .togglePrivate, .history,
      .unfold, .nextLeaf, .previousLeaf, .play, .faster, .slower, .whatIf, .ruleSet, .nextStory,
      .previousStory, .tryIt, .help, .nextTopic, .reload, .redraw, .suspend:
      return nil
    }
    return put(page)
  }

  private mutating func leave(_ page: EditorPage) -> [DeskEffect] {
    guard page.isSettled else { return goBack() }
    open[page.id] = nil
    pages.removeAll { $0.record == page.id }
    return []
  }

  /// Another text is another value, for the store to judge.
  mutating func put(_ page: EditorPage) -> [DeskEffect] {
    var page = page
    page.isKeeping = false
    pages[pages.count - 1] = .editor(page)
    return judgeTyped()
  }

  /// Keeps what was typed as a decision, if the column can hold it.
  private mutating func keep(_ page: EditorPage) -> [DeskEffect] {
    guard !page.isSettled, let record = open[page.id], let conflict = record.conflict[page.field.name] else {
      return tell(
        .failed("\(shownTitle(of: page.id)) is no longer in conflict, so this cannot be kept. Esc goes back.")
      )
    }
    if let path = page.path { return [.readFile(path)] }
    switch page.value(like: conflict) {
    case .success(let value): return keepJudged(value, record, page)
    case .failure(let refusal): return tell(.failed(privacy.words(refusal)))
    }
  }

  mutating func keep(_ value: Value, _ record: DecidedConflict, _ page: EditorPage) -> [DeskEffect] {
    let effects = decide(record, .field(page.field.name), .edit(value))
    return status?.isFailure == true ? effects : effects + goBack()
  }

  mutating func readFile(_ path: String, _ bytes: [UInt8]) -> [DeskEffect] {
    guard case .editor(let page)? = pages.last, page.path == path, let record = open[page.id] else {
      return []
    }
    return keep(.blob(Blob(bytes: bytes)), record, page)
  }

  mutating func editOutside() -> [DeskEffect] {
    guard case .editor(let page)? = pages.last, let record = open[page.id],
      let conflict = ShownRecord(record, leaf: page.leaf).columns[page.field.name]
    else { return [] }
    guard page.field.kind != .blob else { return tell(.failed("A blob cannot be edited as text.")) }
    return [.editOutside(OutsideText.scratch(page.input.text, conflict))]
  }

  mutating func editedOutside(_ text: String?) -> [DeskEffect] {
    guard case .editor(var page)? = pages.last else { return [] }
    guard let text else { return tell(.told("Nothing was saved in the editor.")) }
    page.isNull = false
    page.input = InputLine(OutsideText.strip(text))
    return put(page)
  }
}

extension EditorPage {
  /// In bytes; a longer value is edited outside from the start. Typing in it works, at some milliseconds a key.
  static let longest = 1_000_000

  /// How a value stands in the input line.
  static func text(_ value: Value) -> String {
    switch value {
    case .null, .blob: ""
    case .opaque: value.jsonText ?? ""
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): text
    }
  }

  /// The file whose bytes become the blob.
  var path: String? {
    guard field.kind == .blob, input.text.hasPrefix("@") else { return nil }
    return String(input.text.dropFirst())
  }

  mutating func insert(_ text: String) {
    isNull = false
    copied = nil
    input.insert(text)
  }

  mutating func setNull() {
    isNull = true
    input = InputLine("")
  }

  mutating func type(_ change: (inout InputLine) -> InputLine.Answer) {
    guard change(&input) == .changed else { return }
    isNull = false
    copied = nil
  }

  /// Up and Down walk through what the three sides have, as a shell walks through what was typed before.
  mutating func copy(next: Bool, from record: DecidedConflict?) {
    guard let record, let conflict = ShownRecord(record, leaf: leaf).columns[field.name] else { return }
    if copied == nil, !isNull { typed = input.text }
    let sides: [Side?] = [nil] + Side.allCases.filter { conflict.version($0) != nil }
    let place = sides.firstIndex(of: copied) ?? 0
    copied = sides[(place + (next ? 1 : sides.count - 1)) % sides.count]
    let value = copied.flatMap { conflict.version($0)?.value }
    input = InputLine(value.map(EditorPage.text) ?? typed)
    isNull = value == .null
  }

  /// The value as it would be stored, or in words why it cannot be.
  func value(like conflict: FieldConflict) -> Result<Value, ChoiceRefusal> {
    let value: Value? = isNull ? .null : parsed(like: conflict)
    guard let value else {
      return .failure(
        field.form == .json
          ? .notJSON(field: field.name) : .wrongType(field: field.name, expected: field.kind))
    }
    return field.refusal(of: value).map { .failure($0) } ?? .success(value)
  }

  private func parsed(like conflict: FieldConflict) -> Value? {
    switch field.kind {
    case _ where field.form == .json: json(like: conflict)
    case .integer: Int64(input.text).map { .integer($0) }
    case .real: Double(input.text).flatMap { $0.isFinite ? .real($0) : nil }
    case .text: .text(input.text)
    case .blob: nil
    // A column without a type keeps the class it has, if the text allows it.
    case .any: sameClass(as: conflict.client?.value) ?? .text(input.text)
    }
  }

  /// As on the command line. Nothing can be said in front here, so what could be several types, or is none of the key's, is read
  /// like the client's value; and the editor shows as what.
  private func json(like conflict: FieldConflict) -> Value? {
    if let value = try? conflict.typed(input.text) { return value }
    if conflict.isJSON { return Value(typed: input.text) }
    return sameClass(as: conflict.client?.value) ?? .text(input.text)
  }

  private func sameClass(as value: Value?) -> Value? {
    switch value {
    case .integer?: Int64(input.text).map { .integer($0) }
    case .real?: Double(input.text).map { .real($0) }
    default: nil
    }
  }
}

extension FieldConflict {
  /// Whether a list, an object or the like is edited: then what is typed has to be JSON too.
  fileprivate var isJSON: Bool {
    if case .opaque(Value.jsonKind, _)? = (client ?? server)?.value { true } else { false }
  }
}

/// The scratch file for $EDITOR: the text, and below a line that is cut off again, the three versions to look at.
enum OutsideText {
  private static let cut = "# ---- Parley: this line and everything below it is dropped ----"

  static func scratch(_ text: String, _ conflict: FieldConflict) -> String {
    let versions = Side.allCases.map { side in
      "# \(side.letter) \(side.rawValue)\n" + Privacy.open.line(conflict.version(side)?.value)
    }
    return "\(text)\n\(cut)\n" + versions.joined(separator: "\n") + "\n"
  }

  /// An editor ends the last line; that newline was never part of the value. Where the cut line was deleted too, all of
  /// the file is the value. By bytes, as a value that ends in a carriage return makes one character with our newline.
  static func strip(_ text: String) -> String {
    let bytes = Array(text.utf8)
    if text.hasPrefix(cut) { return "" }
    if let end = bytes.firstRange(of: Array("\n\(cut)".utf8))?.lowerBound {
      return String(decoding: bytes[..<end], as: UTF8.self)
    }
    return String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
  }
}

/// The store judges what is typed, in the background and one value after the other: a key never waits for it.
extension DeskState {
  /// Asks about the value in the editor, unless that was asked already or cannot be stored at all.
  mutating func judgeTyped() -> [DeskEffect] {
    guard case .editor(let page)? = pages.last, page.isShort || page.isKeeping else { return [] }
    return ask(about: page)
  }

  /// What the store said is about rows that may be others by now.
  mutating func judgeAgain() -> [DeskEffect] {
    guard case .editor(var page)? = pages.last else { return [] }
    page.judgement = nil
    pages[pages.count - 1] = .editor(page)
    return judgeTyped()
  }

  private mutating func ask(about page: EditorPage) -> [DeskEffect] {
    guard !page.isAsking, !page.isSettled, let record = open[page.id], !record.isRehearsal, page.path == nil,
      let value = page.value(in: record), page.verdict(on: value) == nil
    else { return [] }
    var page = page
    page.isAsking = true
    pages[pages.count - 1] = .editor(page)
    let name = page.field.name
    let draft = record.conflict.draft(typing: value, for: name, in: record.resolution)
    return [.judge(Planned(seen: record.conflict, draft: draft), field: name)]
  }

  mutating func takeJudgement(_ judgement: Judgement) -> [DeskEffect] {
    guard case .editor(var page)? = pages.last, page.id == judgement.id, page.field.name == judgement.field
    else { return [] }
    page.isAsking = false
    page.judgement = judgement
    pages[pages.count - 1] = .editor(page)
    guard let record = open[page.id], let value = page.value(in: record), page.isKeeping,
      page.verdict(on: value) != nil
    else { return judgeTyped() }
    page.isKeeping = false
    pages[pages.count - 1] = .editor(page)
    return keepJudged(value, record, page)
  }

  /// Keeps a value that the store takes; one that it was not asked about yet waits for the answer.
  mutating func keepJudged(_ value: Value, _ record: DecidedConflict, _ page: EditorPage) -> [DeskEffect] {
    if record.isRehearsal { return keep(value, record, page) }
    switch page.verdict(on: value) {
    case .fits?, .odd?, .notKnown?: return keep(value, record, page)
    case .refused(let reason)?: return tell(.failed("The store refuses this value: \(reason)."))
    case nil:
      var page = page
      page.isKeeping = true
      pages[pages.count - 1] = .editor(page)
      return ask(about: page)
    }
  }
}

extension EditorPage {
  /// Short enough to be judged with every key.
  var isShort: Bool { input.size <= 64_000 }

  /// What the store said to this very value.
  func verdict(on value: Value) -> ValueVerdict? { judgement?.value == value ? judgement?.verdict : nil }

  /// The value as it would be stored, if it can be.
  func value(in record: DecidedConflict) -> Value? {
    guard let conflict = record.conflict[field.name] else { return nil }
    return try? value(like: conflict).get()
  }
}
