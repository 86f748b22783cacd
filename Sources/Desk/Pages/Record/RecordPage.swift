import Merging
import StoreInterface
import Terminal

/// One record: what all sides have, what is decided, and what is suggested.
package struct RecordPage: DeskPage, Equatable {
  package var id: String
  /// The name of the field under the cursor, which may be hidden now; nil for the first. See ``selected(in:on:)``.
  package var field: String? { didSet { if field != oldValue { cell = nil } } }
  /// The cell of this field that somebody went to; nil for the one that counts. See ``side(in:on:)``.
  package var cell: Side?
  /// The leaf in the server's column; nil for the one that the store gave.
  package var leaf: Leaf.ID?
  /// The fields with what the list looks for; nil where it looks for nothing, or the record is not read yet.
  private(set) var found: Set<String>?

  init(id: String, field: String? = nil, leaf: Leaf.ID? = nil) {
    (self.id, self.field, self.leaf) = (id, field, leaf)
  }

  var page: Page? { .record(self) }
  var topic: Topic { .record }
  var record: String? { id }

  func isReading(on desk: DeskState) -> Bool { desk.open[id] == nil }

  func hint(of binding: Binding, width: Int, on desk: DeskState) -> String? {
    if let record = desk.open[id] {
      if !canBeDone(binding.command, record, desk) { return nil }
      if binding.command == .review, leavesReviewOut(width: width, record, desk) { return nil }
    }
    if binding.command == .history { return desk.hintOfHistory(isRoomy: width >= 132) }
    // A narrow record has these letters in front of its values.
    let isKnown = binding.group == "Decide" || [.back, .undo].contains(binding.command)
    return width < 58 && isKnown ? binding.hint.map { _ in "" } : binding.hint
  }
}

extension RecordPage {
  /// What would be refused here is not offered.
  func canBeDone(_ command: Command, _ record: DecidedConflict, _ desk: DeskState) -> Bool {
    if command == .review || command == .history { return !record.isRehearsal }
    if command == .nextUndecided { return leadsToAnotherField(record, desk) }
    if command == .edit || command == .editOutside {
      guard record.conflict.details.waitingSince == nil, let field = selectedField(in: record, on: desk)
      else { return false }
      return desk.hindrance(toEditing: field.field, outside: command == .editOutside) == nil
    }
    if command == .record(.merge) {
      return ValuePage(id: id, field: selectedField(in: record, on: desk)?.name ?? "", leaf: leaf)
        .hindranceAtOnce(record, desk) == nil
    }
    guard case .take(let side) = command, let subject = subject(record, desk),
      !ShownRecord(record, leaf: leaf).isTurned
    else { return true }
    return record.conflict.refusal(of: .take(side), for: subject) == nil && !isAlike(record, desk)
  }

  /// In columns: a footer of fewer has no room for `A` beside what is needed of a text that can be merged, one of more has it for `w` as
  /// well.
  private static let widthsForOneOfBoth = 76..<85

  /// Whether its room is that of a suggestion, as nothing is ready that it would show.
  private func leavesReviewOut(width: Int, _ record: DecidedConflict, _ desk: DeskState) -> Bool {
    Self.widthsForOneOfBoth.contains(width) && record.hasSuggestions && desk.list.counts[.ready] ?? 0 == 0
      && Binding.Audience.parts.isHere(desk) && canBeDone(.record(.merge), record, desk)
  }

  /// Whether all sides have the same in the field, of which nothing was decided: to take one would be a decision about nothing.
  private func isAlike(_ record: DecidedConflict, _ desk: DeskState) -> Bool {
    let conflict = record.conflict
    guard !conflict.isWhole, conflict.liveLeaves.count <= 2, let field = selectedField(in: record, on: desk)
    else { return false }
    let subject = Subject.field(field.name)
    let isOpen = !isDecided(subject, record) && !record.dropped.contains(subject)
    return field.change == .unchanged && field.field.isWritable && isOpen
  }
}

/// The fields that are shown, and which of them is under the cursor.
extension RecordPage {
  func fields(of record: DecidedConflict, on desk: DeskState) -> [FieldConflict] {
    record.conflict.fields.filter { shows($0, record, desk) }
  }

  private func shows(_ field: FieldConflict, _ record: DecidedConflict, _ desk: DeskState) -> Bool {
    desk.showsUnchanged || field.change != .unchanged && field.field.isWritable
      || record.resolution[.field(field.name)] != nil || record.dropped.contains(.field(field.name))
  }

  /// The place of the cursor among the fields shown. One that is hidden has it on the next that is not, until it is shown
  /// again.
  func selected(in record: DecidedConflict, on desk: DeskState) -> Int {
    let fields = record.conflict.fields
    guard let place = fields.firstIndex(where: { $0.name == field }) else { return 0 }
    let before = fields[..<place].count { shows($0, record, desk) }
    return max(0, min(before, self.fields(of: record, on: desk).count - 1))
  }

  func selectedField(in record: DecidedConflict, on desk: DeskState) -> FieldConflict? {
    let fields = fields(of: record, on: desk)
    return fields.isEmpty ? nil : fields[selected(in: record, on: desk)]
  }

  /// The cell under the cursor: where nobody went to another one, it is the one that the draft has its value from, so that Space
  /// takes what is marked.
  func side(in record: DecidedConflict, on desk: DeskState) -> Side {
    if let cell { return cell }
    guard !record.conflict.isWhole, let field = selectedField(in: record, on: desk) else {
      return record.resolution[.record]?.side ?? .client
    }
    switch field.draft(record.resolution[.field(field.name)]).source {
    case .ancestor?: return .ancestor
    case .server?: return .server
    case .client?, .both?, .edited?, .merged?, nil: return .client
    }
  }

  private mutating func go(to place: Int, _ record: DecidedConflict, _ desk: DeskState) {
    let fields = fields(of: record, on: desk)
    if !fields.isEmpty { field = fields[max(0, min(fields.count - 1, place))].name }
  }

  /// A cursor on a field that is gone goes to the nearest that is left: below, then above.
  mutating func keepCursor(from known: DecidedConflict, in conflict: RecordConflict, on desk: DeskState) {
    let names = known.conflict.fields.map(\.name)
    let left = Set(conflict.fields.map(\.name))
    guard let place = selectedField(in: known, on: desk).flatMap({ names.firstIndex(of: $0.name) }) else {
      return
    }
    field = (names[place...] + names[..<place].reversed()).first(where: left.contains)
  }
}

extension RecordPage {
  mutating func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    if command == .search { return desk.goToFilter() }
    guard let record = desk.open[id] else {
      return command == .back ? desk.goBack() : desk.tell(.recordIsRead)
    }
    if record.isRehearsal, command.leadsToAnotherRecord {
      return desk.tell("This is the story's own record: Esc goes on with the story.")
    }
    switch command {
    case .back: return desk.goBack()
    case .reload: return desk.reload()
    case .record(.nextRecord): return goToRecord(by: 1, on: &desk)
    case .record(.previousRecord): return goToRecord(by: -1, on: &desk)
    case .undo: return desk.undo()
    case .redo: return desk.redo()
    case .review:
      return record.isRehearsal
        ? desk.tell("A rehearsal is not written. Esc goes on with the story.") : desk.review()
    case .history: return record.isRehearsal ? [] : desk.startHistory(of: record)
    case .drafts(.more): return tellBeside(on: &desk)
    case .record(.nextToDecide): return goToRecordToDecide(step: 1, on: &desk)
    case .record(.previousToDecide): return goToRecordToDecide(step: -1, on: &desk)
    case .accept: return deciding(on: &desk) { $0.acceptWhole(record) }
    case .open:
      if let field = selectedField(in: record, on: desk) {
        var page = ValuePage(id: id, field: field.name, leaf: leaf)
        page.showChange(on: desk)
        if found?.contains(field.name) == true { page.goToWords(on: desk) }
        desk.pages.append(.value(page))
      }
    case .edit: return desk.startEditor(record, self)
    case .editOutside: return desk.startEditor(record, self, outside: true)
    case .take(let side): return takeAndTell(side, of: record, on: &desk)
    case .record(.takeCell): return takeAndTell(side(in: record, on: desk), of: record, on: &desk)
    case .record(.alternatives): return desk.startAlternatives(of: record)
    case .record(.forget): return forget(record, on: &desk)
    case .record(.nextLeaf): return turn(record, by: 1, on: &desk)
    case .record(.previousLeaf): return turn(record, by: -1, on: &desk)
    case .record(.merge): return startMerge(record, on: &desk)
    case .record(.nextChange), .record(.previousChange), .record(.columns), .record(.both),
      .record(.bothServerFirst), .record(.takeAll):
      return nil
    case .move(let movement):
      go(to: selected(in: record, on: desk) + movement.lines(page: 5), record, desk)
    case .left where side(in: record, on: desk) == .ancestor: return desk.goBack()
    case .left: cell = side(in: record, on: desk).before
    case .right: cell = side(in: record, on: desk).after
    case .nextUndecided: return goToUndecided(record, step: 1, on: &desk)
    case .previousUndecided: return goToUndecided(record, step: -1, on: &desk)
    case .quit, .mend, .drafts, .filter, .list, .search, .anywhere, .unfold, .story, .nextTopic, .line:
      return nil
    }
    return []
  }

  private func startMerge(_ record: DecidedConflict, on desk: inout DeskState) -> [DeskEffect] {
    guard let field = selectedField(in: record, on: desk) else { return [] }
    var page = ValuePage(id: id, field: field.name, leaf: leaf)
    let effects = page.startMerge(on: &desk)
    page.isBelowMerge = false
    if page.isMerging { desk.pages.append(.value(page)) }
    return effects
  }

  private mutating func goToUndecided(_ record: DecidedConflict, step: Int, on desk: inout DeskState)
    -> [DeskEffect]
  {
    guard let next = nextToDecide(record, step: step, on: desk) else {
      if record.undecided.isEmpty, !record.isRehearsal, leadsOn(step: step, desk) {
        return goToRecordToDecide(step: step, on: &desk)
      }
      return desk.tell(
        record.undecided.isEmpty
          ? desk.wordsAtTheEnd(of: record) : "The record is decided as a whole: \(record.waysByKey).")
    }
    if next.name == selectedField(in: record, on: desk)?.name {
      return desk.tell(
        record.undecided.count == 1
          ? "Only this is left to decide." : "Only this is for a person to decide. A accepts the rest.")
    }
    field = next.name
    return []
  }

  /// Decides, and goes on to what is to decide next; where nothing is, it is told how to go on.
  private mutating func deciding(
    on desk: inout DeskState, _ decide: (inout DeskState) -> [DeskEffect]
  ) -> [DeskEffect] {
    let effects = decide(&desk)
    goOn(on: &desk)
    return effects
  }

  mutating func goOn(on desk: inout DeskState) {
    guard desk.status?.isFailure != true, let record = desk.open[id] else { return }
    if record.undecided.isEmpty {
      if desk.status == nil { desk.status = .told(desk.wordsAtTheEnd(of: record)) }
    } else if desk.advances, let next = nextToDecide(record, step: 1, on: desk) {
      field = next.name
    }
  }

  /// Whether another record has something to decide.
  private func leadsOn(step: Int, _ desk: DeskState) -> Bool {
    desk.list.nextToDecide(from: desk.list.position(of: id) ?? desk.list.cursor, step: step) != nil
  }

  private mutating func goToRecordToDecide(step: Int, on desk: inout DeskState) -> [DeskEffect] {
    let here = desk.list.position(of: id) ?? desk.list.cursor
    guard let place = desk.list.nextToDecide(from: here, step: step) else {
      return desk.tell(
        "No other row of the list has anything to decide. \(desk.key(.review)) reviews and writes.")
    }
    let words = ListPage.wordsOfWrap(from: here, to: place, step: step)
    let effects = goToRecord(at: place, on: &desk)
    return effects + (words.map { desk.tell($0) } ?? [])
  }

  private mutating func goToRecord(by step: Int, on desk: inout DeskState) -> [DeskEffect] {
    var position = (desk.list.position(of: id) ?? desk.list.cursor) + step
    while case .finding? = desk.list[position] { position += step }
    guard case .conflict? = desk.list[position] else {
      return desk.tell(step > 0 ? "This is the last row." : "This is the first row.")
    }
    return goToRecord(at: position, on: &desk)
  }

  /// A click on the list beside the record opens what is clicked.
  private mutating func goToRow(at row: Int, on desk: inout DeskState) -> [DeskEffect] {
    guard let position = desk.positionBesideRecord(at: row), id != WalkthroughPage.rehearsal else {
      return []
    }
    guard case .conflict? = desk.list[position] else {
      return desk.tell("This is no conflict: Esc goes to the list, and Enter there tells of it.")
    }
    return goToRecord(at: position, on: &desk)
  }

  private mutating func goToRecord(at position: Int, on desk: inout DeskState) -> [DeskEffect] {
    guard case .conflict(let summary)? = desk.list[position] else { return [] }
    desk.list.moveCursor(to: position)
    self = desk.recordPage(summary.id)
    return []
  }

  /// What is decided here: the field under the cursor, or the record as a whole.
  private func subject(_ record: DecidedConflict, _ desk: DeskState) -> Subject? {
    record.conflict.isWhole ? .record : selectedField(in: record, on: desk).map { .field($0.name) }
  }

  /// Takes what the column of `side` shows.
  private mutating func take(_ side: Side, of record: DecidedConflict, on desk: inout DeskState)
    -> [DeskEffect]
  {
    guard let subject = subject(record, desk) else { return desk.tell("There is nothing to decide.") }
    if isAlike(record, desk) {
      return desk.tell(failed: wordsOfAlike(subject, record, desk))
    }
    let shown = ShownRecord(record, leaf: leaf)
    guard side == .server, shown.isTurned, let leaf = shown.columns.details.serverTag else {
      return deciding(on: &desk) { $0.decide(record, subject, .take(side)) }
    }
    if let choice = record.conflict.choice(of: leaf, for: subject) {
      return deciding(on: &desk) { $0.decide(record, subject, choice) }
    }
    let revision = shown.shortRevision(.server) ?? leaf
    return desk.tell(failed: "Nothing to take: the body of \(revision) is not here. ] shows the next leaf.")
  }

  private func wordsOfAlike(_ subject: Subject, _ record: DecidedConflict, _ desk: DeskState) -> String {
    let words = "All sides have the same in \(desk.privacy.words(subject)): nothing to take."
    return canBeDone(.edit, record, desk)
      ? "\(words) \(desk.key(.edit, on: .record)) types another value." : words
  }

  /// It is told what was taken, as the cursor may be somewhere else then.
  private mutating func takeAndTell(_ side: Side, of record: DecidedConflict, on desk: inout DeskState)
    -> [DeskEffect]
  {
    let subject = subject(record, desk)
    let name = subject.map(desk.privacy.words)
    let here = selectedField(in: record, on: desk)?.name
    // A record that is taken as a whole may have a field that is put together by half.
    let before =
      subject.flatMap { record.resolution[$0] } ?? here.flatMap { record.resolution[.field($0)] }
    let effects = take(side, of: record, on: &desk)
    guard desk.status?.isFailure != true, let name else { return effects }
    let replaced = before?.isByHand == true ? " in place of what you made of it" : ""
    let shown = ShownRecord(record, leaf: leaf)
    let taken = side == .server && shown.isTurned ? "Leaf \(shown.leafNumber)" : "The \(side.rawValue)"
    let undo = desk.undoWords(record.resolution, record.conflict.id)
    let words = [
      undo.map { "\(taken) is taken for \(name)\(replaced): \($0)" }
        ?? "\(taken) was taken for \(name) already."
    ]
    let next = desk.top(RecordPage.self) == nil || field == nil || field == here ? nil : field
    let rest = desk.status?.text ?? next.map { "Next is \(desk.privacy.name($0))." }
    return effects + desk.tell((words + [rest].compactMap(\.self)).joined(separator: " "))
  }

  /// What waits is taken back first: its draft would still be sent.
  private func forget(_ record: DecidedConflict, on desk: inout DeskState) -> [DeskEffect] {
    if let refusal = desk.refusalOfWaiting(record) { return refusal }
    if record.conflict.alternative(in: record.resolution) != nil { return desk.forget(record, .record) }
    guard let subject = subject(record, desk) else {
      return record.dropped.isEmpty
        ? desk.tell("There is nothing to decide.") : desk.forgetDropped(of: record)
    }
    if record.dropped != [subject], forgetsDropped(of: record, on: desk) {
      return desk.forgetDropped(of: record)
    }
    return isDecided(subject, record)
      ? desk.forget(record, subject)
      : desk.tell(desk.wordsOfUndecided(subject, record))
  }

  private func isDecided(_ subject: Subject, _ record: DecidedConflict) -> Bool {
    record.resolution[subject] != nil || (record.outdated + record.kept).contains { $0.subject == subject }
  }

  /// Whether `x` takes back all that holds no longer and is nothing to decide: where it is under the cursor, or nothing else is decided
  /// there, or it is no field that the cursor could go to.
  func forgetsDropped(of record: DecidedConflict, on desk: DeskState) -> Bool {
    guard !record.dropped.isEmpty else { return false }
    guard let subject = subject(record, desk), record.dropped != [subject] else { return true }
    let places = fields(of: record, on: desk).map { Subject.field($0.name) }
    return !isDecided(subject, record) || Set(places).isDisjoint(with: record.dropped)
  }

  /// `[` and `]`: another leaf in the server's column.
  private mutating func turn(_ record: DecidedConflict, by step: Int, on desk: inout DeskState)
    -> [DeskEffect]
  {
    let others = record.conflict.liveLeaves.dropFirst().map(\.id)
    guard others.count > 1 else {
      let words = others.isEmpty ? "A record of this store has one history." : "There is no third live leaf."
      return desk.tell("\(words) The server's column shows all there is.")
    }
    let number = ShownRecord(record, leaf: leaf).leafNumber
    leaf = others[Round(others.count)[number - 2 + step]]
    return []
  }

  /// Of the list beside it.
  func firstLine(_ desk: DeskState) -> Int? { ListLayout(desk).first }

  mutating func click(_ point: Point, opens: Bool, on desk: inout DeskState) -> [DeskEffect] {
    let (part, start) = desk.recordPart
    // The separator between the two is nobody's.
    if point.column < start - 1 { return goToRow(at: point.row, on: &desk) }
    guard let record = desk.open[id], let layout = RecordLayout(part, self, record), point.column >= start
    else { return [] }
    let screen = RecordScreen(part, self, record)
    if let command = screen.command(at: Point(column: point.column - start, row: point.row), layout) {
      return opens ? [] : desk.run(command)
    }
    guard let field = layout.field(at: point.row) else {
      let line = screen.detailLine(at: point.row, layout)
      return line.map { click($0, opens: opens, on: &desk) } ?? []
    }
    go(to: field, record, desk)
    cell = layout.side(at: point.column - start) ?? cell
    return opens
      ? run(layout.side(at: point.column - start) == nil ? .open : .record(.takeCell), on: &desk) ?? [] : []
  }

  /// An answer is given by one click, as what a footer says is done by one; a version is taken by two, as in the cells above.
  private mutating func click(_ line: RecordDetail.Line, opens: Bool, on desk: inout DeskState)
    -> [DeskEffect]
  {
    if let command = line.command { return opens ? [] : run(command, on: &desk) ?? [] }
    guard opens, let side = line.side else { return [] }
    return run(.take(side), on: &desk) ?? []
  }
}

extension DeskState {
  /// How to go on where all of a record is decided.
  fileprivate func wordsAtTheEnd(of record: DecidedConflict) -> String {
    if record.isRehearsal { return "All is decided. Esc goes on with the story." }
    if let dropped = droppedWords(of: record) { return dropped }
    let here = list.position(of: record.conflict.id) ?? list.cursor
    let next = list.nextToDecide(from: here) == nil ? "" : "> goes to the next record, "
    return "All is decided here: \(next)\(reviewWords(beside: record))"
  }
}

extension Command {
  fileprivate var leadsToAnotherRecord: Bool {
    switch self {
    case .record(.nextRecord), .record(.previousRecord), .record(.nextToDecide), .record(.previousToDecide):
      true
    default: false
    }
  }
}

/// What the list looks for.
extension RecordPage {
  /// Once the record is read, the cursor goes to the field that has most of what the list looks for, else to what is to decide first,
  /// unless somebody went elsewhere.
  mutating func beginWhereItMatters(on desk: DeskState) {
    lookForWords(on: desk)
    guard field == nil, let record = desk.open[id] else { return }
    field = firstToDecide(record, of: fields(of: record, on: desk))?.name
  }

  /// Once the record is read, the fields that have it are known.
  private mutating func lookForWords(on desk: DeskState) {
    guard found == nil, let record = desk.open[id], !desk.list.query.isEmpty, !desk.privacy.hides else {
      return
    }
    let counts = fields(of: record, on: desk).map { ($0.name, desk.list.query.count(in: $0)) }
    found = Set(counts.filter { $0.1 > 0 }.map(\.0))
    if field == nil {
      field = counts.first { count in count.1 > 0 && counts.allSatisfy { $0.1 <= count.1 } }?.0
    }
  }
}

extension DeskState {
  /// A record with the cursor on what its store refused, on what is looked for, or on what is to decide first.
  func recordPage(_ id: ConflictSummary.ID) -> RecordPage {
    var page = RecordPage(id: id, field: refusal(of: id)?.field)
    page.beginWhereItMatters(on: self)
    return page
  }
}

extension DecidedConflict {
  /// The conflict of the walkthrough: decided for show, never journalled or written.
  var isRehearsal: Bool { conflict.id == WalkthroughPage.rehearsal }
}

extension Side {
  fileprivate var before: Side { self == .server ? .client : .ancestor }
  fileprivate var after: Side { self == .ancestor ? .client : .server }
}

extension Choice {
  /// Whether a person typed it, or put it together.
  fileprivate var isByHand: Bool {
    switch self {
    case .edit, .parts: true
    case .take, .merged, .alternative: false
    }
  }
}
