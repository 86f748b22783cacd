import Merging
import StoreInterface
import Synchronization
import Telling
import Terminal

/// The whole of one value on all sides, with its result, and the changes in it. What is decided is the field; in a merge, the
/// change under the cursor.
package struct ValuePage: ScrolledPage, Equatable {
  package var id: String
  package var field: String
  package var scroll = 0
  /// See ``RecordPage/leaf``.
  package var leaf: Leaf.ID?
  /// The place of the change under the cursor among all.
  package var change = 0 { didSet { if change != oldValue { stretch = nil } } }
  /// The part of a long change that is shown; nil for that in which its sides first differ. See ``LongChange``.
  var stretch: Int?
  package var isMerging = false
  /// Whether Esc goes from the merge to the whole value, and not to the record.
  var isBelowMerge = false
  /// Whether the sides stand under each other where they would have room beside each other.
  var isStacked = false
  /// The words that are typed for a change.
  package var input: InputLine?
  /// The change that it is about.
  var typing: FieldPart.ID?
  /// What is looked for in its rows.
  var search = LineSearch()
  private let memory = PartsMemory()
  let bytesMemory = BytesMemory()

  package init(id: String, field: String, leaf: Leaf.ID? = nil) {
    (self.id, self.field, self.leaf) = (id, field, leaf)
  }

  var page: Page? { .value(self) }
  var topic: Topic { isMerging ? .merge : .value }
  var record: String? { id }

  func isTyping(on desk: DeskState) -> Bool { input != nil || search.typing != nil }

  func hint(of binding: Binding, width: Int, on desk: DeskState) -> String? {
    if binding.command == .back, isMerging { return binding.hint.map { isDecided(desk) ? $0 : "back" } }
    if [.record(.nextChange), .record(.previousChange)].contains(binding.command) {
      return hintOfChanges(binding, on: desk)
    }
    if let record = desk.open[id], !canBeDone(binding, record, desk) { return nil }
    // A narrow merge has its choices by these letters under the text.
    let isKnown = binding.group == "Decide" || binding.command == .undo
    if isMerging, width < 58, isKnown { return binding.hint.map { _ in "" } }
    // Where the room is small the key for the whole value beside it says the same.
    if case .take = binding.command, !isMerging, width >= 100, hasSeveralChanges(desk) {
      return binding.hint.map { "\($0) here" }
    }
    return binding.hint
  }

  /// Of the keys that go from change to change, or through a long one. What is there is taken apart once for each, as with megabytes that
  /// would be felt.
  private func hintOfChanges(_ binding: Binding, on desk: DeskState) -> String? {
    let record = desk.open[id]
    if isMerging, let record, !canBeDone(binding, record, desk) { return nil }
    if !isMerging, record != nil, desk.privacy.hides { return nil }
    let content = content(desk)
    if content.long != nil { return binding.hint.map { _ in "part" } }
    // A single one is gone back to from elsewhere alone.
    let isAnother = isMerging || record == nil || content.changes > (scroll > 0 ? 0 : 1)
    return isAnother ? binding.hint : nil
  }
}

extension ValuePage {
  /// What would be refused here is not offered.
  private func canBeDone(_ binding: Binding, _ record: DecidedConflict, _ desk: DeskState) -> Bool {
    isMerging
      ? canBeMerged(binding, record, desk)
      : RecordPage(id: id, field: field, leaf: leaf).canBeDone(binding.command, record, desk)
  }

  /// The same in a merge, of which nothing may be left: while its values are hidden no change can be told.
  private func canBeMerged(_ binding: Binding, _ record: DecidedConflict, _ desk: DeskState) -> Bool {
    let isOfChanges =
      binding.group == "Decide"
      || [.nextUndecided, .previousUndecided, .record(.nextChange), .record(.previousChange)]
        .contains(binding.command)
    guard isOfChanges else { return true }
    if binding.command == .nextUndecided, !leadsToAnotherChange(desk) { return false }
    return hindranceAtOnce(record, desk) == nil && (binding.command != .accept || canAccept(desk))
  }

  /// Whether another change than the one under the cursor is to decide.
  private func leadsToAnotherChange(_ desk: DeskState) -> Bool {
    guard let parts = parts(desk) else { return false }
    let here = parts.parts.indices.contains(change) ? parts.parts[change].id : nil
    return parts.undecided(in: choices(desk)).contains { $0.id != here }
  }

  /// Without times no side is newer, so that nothing is suggested of what both changed. Where nothing is left it decides what is sure,
  /// once.
  private func canAccept(_ desk: DeskState) -> Bool {
    let isLeft = parts(desk)?.undecided(in: choices(desk)).isEmpty == false
    return isLeft ? newerSide(desk) != nil : !isDecided(desk)
  }

  /// Not by the screen, which looks through all of the text for its rows.
  func content(_ desk: DeskState) -> ValueContent {
    ValueContent(desk, self, shown(desk), conflict(desk), parts(desk))
  }

  func shown(_ desk: DeskState) -> ShownRecord? { desk.open[id].map { ShownRecord($0, leaf: leaf) } }

  /// The field as the store gave it.
  func conflict(_ desk: DeskState) -> FieldConflict? { desk.open[id]?.conflict[field] }

  /// nil for what has no parts, or is hidden.
  func parts(_ desk: DeskState) -> FieldParts? {
    guard !desk.privacy.hides, let shown = shown(desk), let field = conflict(desk),
      let client = shown.version(field, .client)?.value, let server = shown.version(field, .server)?.value
    else { return nil }
    let versions = ThreeWay(
      ancestor: shown.version(field, .ancestor)?.value, client: client, server: server)
    return versions.mayHaveParts ? memory.parts(of: versions) : nil
  }

  /// What a person has chosen of the parts.
  func choices(_ desk: DeskState) -> [FieldPart.ID: PartChoice] {
    guard case .parts(let parts)? = desk.open[id]?.resolution[.field(field)] else { return [:] }
    return parts.choices
  }

  /// How many parts are in because nobody else changed them, and nobody has chosen anything for them.
  func countOfSure(_ parts: FieldParts, in choices: [FieldPart.ID: PartChoice]) -> Int {
    parts.parts.count { $0.isSure && choices[$0.id] == nil }
  }

  /// The side with the newer edit; nil where no time tells.
  func newerSide(_ desk: DeskState) -> Side? {
    conflict(desk)?.newerSide(margin: desk.open[id]?.conflict.margin ?? 0)
  }

  /// What is chosen for a part, or suggested.
  func choiceOrSuggestion(of part: FieldPart, in parts: FieldParts, _ desk: DeskState) -> PartChoice? {
    parts.choice(of: part, in: choices(desk)) ?? newerSide(desk).map { .take($0) }
  }
}

/// The parts that were made last: a text of megabytes is taken apart once, and not for each frame.
final class PartsMemory: Sendable, Equatable {
  private typealias Known = (versions: ThreeWay<Value>, parts: FieldParts?)
  private let known = Mutex<Known?>(nil)

  func parts(of versions: ThreeWay<Value>) -> FieldParts? {
    known.withLock { known in
      if let known, known.versions == versions { return known.parts }
      let parts = FieldParts(
        ancestor: versions.ancestor, client: versions.client, server: versions.server)
      known = (versions, parts)
      return parts
    }
  }

  /// It says nothing that the page does not.
  static func == (left: PartsMemory, right: PartsMemory) -> Bool { true }
}

/// Keys.
extension ValuePage {
  mutating func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    switch command {
    case .record(.nextChange): return goOn(by: 1, on: &desk)
    case .record(.previousChange): return goOn(by: -1, on: &desk)
    case .record(.columns): return turnColumns(on: &desk)
    case .undo: return undo(on: &desk)
    case .redo: return desk.redo()
    case .search: search.start(on: desk)
    case .list(.nextMatch): return goToFound(by: 1, on: &desk)
    case .list(.previousMatch): return goToFound(by: -1, on: &desk)
    case .move, .left, .right, .open, .back, .quit, .nextUndecided, .previousUndecided, .record, .take, .edit,
      .editOutside, .accept, .review, .mend, .drafts, .filter, .list, .anywhere, .history, .unfold,
      .story, .nextTopic, .reload, .line:
      return isMerging ? merge(command, on: &desk) : decide(command, on: &desk)
    }
    return []
  }

  /// From a merge nobody is taken to another record: there what was decided last of all is taken back by a second key.
  private func undo(on desk: inout DeskState) -> [DeskEffect] {
    if isMerging, let last = desk.history.lastAct, !last.isOf([.field(field)], of: id) {
      return desk.tell(
        "Nothing of \(desk.privacy.name(field)) was decided last. Esc goes back, \(desk.key(.undo)) there takes back what was."
      )
    }
    return desk.undo()
  }

  /// The keys of the record are about its field under the cursor.
  private mutating func decide(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    switch command {
    case .open: return readContent(on: &desk)
    case .record(.merge): return startMerge(on: &desk)
    case .take(let side) where hasSeveralChanges(desk): return takeChange(side, on: &desk)
    case .record(.takeAll(let side)): return decide(.take(side), asWholeOn: &desk)
    case .take, .edit, .editOutside, .record(.forget), .review:
      return decide(command, asWholeOn: &desk)
    case .record(.nextToDecide), .record(.previousToDecide): return goOn(command, on: &desk)
    case .move, .left, .right, .back, .quit, .nextUndecided, .previousUndecided, .record, .accept, .undo,
      .redo,
      .mend, .drafts, .filter, .list, .search, .anywhere, .history, .unfold, .story, .nextTopic,
      .reload, .line:
      return read(command, on: &desk)
    }
  }

  /// As the record decides its field.
  func decide(_ command: Command, asWholeOn desk: inout DeskState) -> [DeskEffect]? {
    var page = RecordPage(id: id, field: field, leaf: leaf)
    return page.run(command, on: &desk)
  }

  /// To the change that has most of what the list looks for, and in it to the words.
  mutating func goToWords(on desk: DeskState) {
    let counts = (parts(desk)?.parts ?? []).map { part in
      desk.list.query.count(
        in: [part.ancestor, part.client, part.server].compactMap { $0.map(SearchText.folded) })
    }
    if let most = counts.max(), let place = counts.firstIndex(of: most) {
      change = place
      showChange(on: desk)
    }
    markWords(of: desk.list.query, on: desk)
  }

  /// The record goes to another one; what is not left by that is still read.
  private func goOn(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    let left = desk.goBack()
    return left + (desk.runOnPage(command) ?? [])
  }

  private mutating func turnColumns(on desk: inout DeskState) -> [DeskEffect] {
    guard desk.size.columns >= ValueScreen.sideBySide else {
      return desk.tell("They stand beside each other from \(ValueScreen.sideBySide) columns on.")
    }
    isStacked.toggle()
    showChange(on: desk)
    return []
  }

  /// Through the parts of a long change, and then to another one.
  private mutating func goOn(by step: Int, on desk: inout DeskState) -> [DeskEffect] {
    guard let place = content(desk).stretch(by: step) else { return go(to: change + step, on: &desk) }
    (stretch, scroll) = (place, 0)
    showChange(on: desk)
    return []
  }

  private mutating func go(to place: Int, on desk: inout DeskState) -> [DeskEffect] {
    let count = content(desk).changes
    guard count > 0 else { return desk.tell("Nothing differs here.") }
    // What is hidden stands there as one change, however many it has.
    if desk.privacy.hides { return desk.tell("Values are hidden. P shows them, and where they differ.") }
    guard (0..<count).contains(place) else {
      change = max(0, min(change, count - 1))
      showChange(on: desk)
      return desk.tell(place < 0 ? "This is the first change." : "This is the last change.")
    }
    change = place
    showChange(on: desk)
    return []
  }

  /// Scrolls to the change under the cursor, if it is not on the screen with what is around it.
  mutating func showChange(on desk: DeskState) {
    let screen = ValueScreen(desk, self)
    guard let row = screen.firstRow(of: change) else { return }
    if row < scroll + 1 || row >= scroll + screen.height - 4 { scroll = row - screen.height / 3 }
    scroll = max(0, min(scroll, screen.lastScroll))
  }

  /// Whatever size the screen has, the change that keys are about is on it.
  mutating func keepScrolledToSomething(on desk: DeskState) {
    scroll = min(scroll, lastScroll(desk))
    if isMerging { showChange(on: desk) }
  }

  /// A click goes to a change, a double click takes the side that it falls on. A choice under the value is taken by one click; the
  /// second of two falls on another change by then, and does nothing.
  mutating func click(_ point: Point, opens: Bool, on desk: inout DeskState) -> [DeskEffect] {
    let screen = ValueScreen(desk, self)
    guard input == nil else { return [] }
    if let command = screen.command(at: point) { return opens ? [] : run(command, on: &desk) ?? [] }
    guard let place = screen.change(at: point.row) else { return [] }
    change = place
    guard opens, let side = screen.side(at: point) else { return [] }
    return run(.take(side), on: &desk) ?? []
  }

  func lastScroll(_ desk: DeskState) -> Int { ValueScreen(desk, self).lastScroll }

  func draw(_ desk: DeskState) -> Grid { ValueScreen(desk, self).draw() }
}

/// Of an attachment a record holds what it is alone; its bytes are read when somebody asks for them.
extension ValuePage {
  /// By side, without those that have none.
  func attachments(_ desk: DeskState) -> [Side: Value] {
    guard let record = desk.open[id], let field = record.conflict[field],
      desk.store.can.contains(.tellContent)
    else { return [:] }
    let shown = ShownRecord(record, leaf: leaf)
    return Side.allCases.reduce(into: [:]) { values, side in
      if let value = shown.version(field, side)?.value, value.isAttachment { values[side] = value }
    }
  }

  private func readContent(on desk: inout DeskState) -> [DeskEffect] {
    let values = attachments(desk)
    if values.isEmpty { return desk.tell(wordsOfAll(desk)) }
    return [.readContent(AttachmentQuestion(id: id, field: field, values: values))]
      + desk.tell("Reading the bytes…")
  }

  private func wordsOfAll(_ desk: DeskState) -> String {
    guard content(desk).long != nil else { return "This is the whole value." }
    let keys = [Command.record(.nextChange), .record(.previousChange)].map { desk.key($0) }
    return "\(keys[0]) and \(keys[1]) show the other parts of it."
  }

  func take(
    _ contents: [Side: AttachmentContent], for question: AttachmentQuestion, on desk: inout DeskState
  ) -> [DeskEffect] {
    // Somebody may have gone on to another field meanwhile.
    guard desk.top(ValuePage.self) == self, (id, field) == (question.id, question.field) else { return [] }
    let paragraphs = Side.allCases.compactMap { side in
      contents[side].map { "\(side.letter) \(side.rawValue.capitalizedFirst)\n" + $0.paragraph }
    }
    desk.pages.append(
      .text(TextPage(title: "The bytes of an attachment", paragraphs: paragraphs, holdsValues: true)))
    return desk.tell(nil)
  }
}

extension AttachmentContent {
  fileprivate var paragraph: String {
    switch self {
    case .bytes(let bytes) where bytes.isEmpty: "It is empty."
    case .bytes(let bytes): BytesText.paragraph(bytes)
    case .none(let why): why
    }
  }
}
