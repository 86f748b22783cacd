import Merging
import StoreInterface
import Terminal

extension DeskState {
  mutating func run(_ command: Command, in page: RecordPage) -> [DeskEffect]? {
    guard let record = open[page.id] else {
      return command == .back ? goBack() : tell(.told("One moment: it is being read.")) + openSelected()
    }
    switch command {
    case .back: return goBack()
    case .reload: return reload()
    case .nextRecord: return goToRecord(page, by: 1)
    case .previousRecord: return goToRecord(page, by: -1)
    case .undo: return undo()
    case .redo: return redo()
    case .review:
      return record.isRehearsal
        ? tell(.told("A rehearsal is not written. Esc goes on with the story.")) : review()
    case .history: return record.isRehearsal ? [] : startHistory(of: record)
    case .accept: return acceptWhole(record)
    case .open: return openValue(record, page)
    case .edit: return startEditor(record, page)
    case .editOutside: return startEditor(record, page, outside: true)
    case .take(let side): return decideField(record, page) { $0.take(side, for: $1, record, page) }
    case .takeCell: return decideField(record, page) { $0.take(page.side, for: $1, record, page) }
    case .alternatives: return startAlternatives(of: record)
    case .forget:
      if record.conflict.alternative(in: record.resolution) != nil { return decide(record, .record, nil) }
      return decideField(record, page) { $0.decide(record, $1, nil) }
    case .nextLeaf: return turn(record, page, by: 1)
    case .previousLeaf: return turn(record, page, by: -1)
    case .move(let movement): return move(movement, record, page)
    case .left: return changing(page) { $0.side = $0.side.before }
    case .right: return changing(page) { $0.side = $0.side.after }
    case .nextUndecided: return goToUndecided(record, page, step: 1)
    case .previousUndecided: return goToUndecided(record, page, step: -1)
    case .quit, .mend, .confirm, .note, .leaveOut, .more, .showSQL, .showJSON, .filter, .search,
      .toggleUnchanged, .toggleTime, .togglePrivate, .unfold, .play, .faster, .slower, .whatIf, .ruleSet,
      .nextStory, .previousStory, .tryIt, .help, .nextTopic, .redraw, .suspend, .keep, .setNull, .clear,
      .eraseBefore, .eraseAfter:
      return nil
    }
  }

  private mutating func put(_ page: RecordPage) -> [DeskEffect] { put(.record(page)) + openSelected() }

  func shownFields(_ record: DecidedConflict) -> [FieldConflict] {
    record.conflict.fields.filter { shows($0, record) }
  }

  private func shows(_ field: FieldConflict, _ record: DecidedConflict) -> Bool {
    showsUnchanged || field.change != .unchanged && field.field.isWritable
      || record.resolution[.field(field.name)] != nil
  }

  /// The place of the cursor among the fields shown. One that is hidden has it on the next that is not, until it is shown
  /// again.
  func selected(_ record: DecidedConflict, _ page: RecordPage) -> Int {
    let fields = record.conflict.fields
    guard let place = fields.firstIndex(where: { $0.name == page.field }) else { return 0 }
    let before = fields[..<place].count { shows($0, record) }
    return max(0, min(before, shownFields(record).count - 1))
  }

  func selectedField(_ record: DecidedConflict, _ page: RecordPage) -> FieldConflict? {
    let fields = shownFields(record)
    return fields.isEmpty ? nil : fields[selected(record, page)]
  }

  private mutating func changing(_ page: RecordPage, _ change: (inout RecordPage) -> Void) -> [DeskEffect] {
    var page = page
    change(&page)
    return put(page)
  }

  private mutating func move(_ movement: Movement, _ record: DecidedConflict, _ page: RecordPage)
    -> [DeskEffect]
  {
    var page = page
    go(to: selected(record, page) + movement.lines(page: 5), record, &page)
    return put(page)
  }

  private func go(to place: Int, _ record: DecidedConflict, _ page: inout RecordPage) {
    let fields = shownFields(record)
    if !fields.isEmpty { page.field = fields[max(0, min(fields.count - 1, place))].name }
  }

  /// The next undecided field; past the last one, the next undecided record.
  private mutating func goToUndecided(_ record: DecidedConflict, _ page: RecordPage, step: Int)
    -> [DeskEffect]
  {
    let fields = shownFields(record)
    let undecided = Set(record.conflict.undecided(in: record.resolution))
    let order = (1...max(1, fields.count)).map {
      (selected(record, page) + step * $0 + fields.count * 2) % max(1, fields.count)
    }
    guard
      let next = order.first(where: {
        fields.indices.contains($0) && undecided.contains(.field(fields[$0].name))
      })
    else {
      let left =
        undecided.isEmpty
        ? "Nothing is undecided here. n goes to the next row." : "The record is yours: c or s."
      return tell(.told(left))
    }
    var page = page
    page.field = fields[next].name
    return put(page)
  }

  private mutating func goToRecord(_ page: RecordPage, by step: Int) -> [DeskEffect] {
    var position = (list.position(of: page.id) ?? list.cursor) + step
    while case .finding? = list[position] { position += step }
    guard case .conflict(let summary)? = list[position] else {
      return tell(.told(step > 0 ? "This is the last row." : "This is the first row."))
    }
    list.moveCursor(to: position)
    return put(RecordPage(id: summary.id))
  }

  private mutating func decideField(
    _ record: DecidedConflict, _ page: RecordPage, _ decide: (inout DeskState, Subject) -> [DeskEffect]
  ) -> [DeskEffect] {
    if record.conflict.isWhole { return decide(&self, .record) }
    guard let field = selectedField(record, page) else { return tell(.told("There is nothing to decide.")) }
    return decide(&self, .field(field.name))
  }

  private mutating func openValue(_ record: DecidedConflict, _ page: RecordPage) -> [DeskEffect] {
    guard let field = selectedField(record, page) else { return [] }
    pages.append(.value(ValuePage(id: page.id, field: field.name, leaf: page.leaf)))
    return []
  }

  mutating func click(_ point: Point, in page: RecordPage) -> [DeskEffect] {
    let part = recordPart
    guard let record = open[page.id], let layout = RecordLayout(part.state, page, record),
      point.column >= part.start, let field = layout.field(at: point.row)
    else { return [] }
    var page = page
    go(to: field, record, &page)
    page.side = layout.side(at: point.column - part.start) ?? page.side
    return put(page)
  }
}

extension DecidedConflict {
  /// The conflict of the walkthrough: decided for show, never journalled or written.
  var isRehearsal: Bool { conflict.id == WalkthroughPage.rehearsal }
}

extension Side {
  var before: Side { self == .server ? .client : .ancestor }
  var after: Side { self == .ancestor ? .client : .server }
}
