import Merging
import StoreInterface
import Telling
import Terminal

/// What a bulk act says of itself.
struct BulkWords {
  let desk: DeskState
  let page: BulkPage
  let bulk: Bulk

  /// nil where there is no bulk act.
  init?(_ desk: DeskState, _ page: BulkPage) {
    guard let bulk = desk.bulk else { return nil }
    (self.desk, self.page, self.bulk) = (desk, page, bulk)
  }

  var title: String {
    switch (page.scope, bulk.work?.job) {
    case (.marked(let hidden), _):
      "Apply rules to \(records("marked "))" + (hidden == 0 ? "" : ", \(hidden) not shown in the list")
    case (.filter(let filter, let words), _): "Apply rules to \(records(""))\(named(filter, words))"
    case (.family, _): "Apply rules to \(records("")) of a family"
    case (.earlier, .takeBack): "Take back what was decided of \(worked)"
    case (.earlier, _): "Decide \(worked) again"
    }
  }

  private func records(_ kind: String) -> String {
    "\(count) \(kind)\(desk.store.words.record)\(count == 1 ? "" : "s")"
  }

  /// How many of them become drafts, or are none any more, is known when it is done.
  private var worked: String { Self.records(bulk.work?.job.count ?? 0, desk) }

  /// Of what is gone by now nothing is said below either.
  private var count: Int { bulk.isRead ? bulk.records.count : bulk.ids.count }

  private func named(_ filter: ListFilter, _ words: String) -> String {
    let name = filter == .all ? "" : " of \(filter.title(findings: desk.store.findingWord(2)))"
    return words.isEmpty ? name : "\(name) with \(desk.privacy.shown(words))"
  }

  var progress: String {
    if bulk.work != nil { return "" }
    if let part { return part }
    if !bulk.isRead { return "reading \(bulk.answered) of \(bulk.ids.count)" }
    return desk.size.columns < 60 ? "" : "nothing is written yet"
  }

  /// That it is about fewer than there are: what is marked, or shown, is what the list has read. nil once that has all.
  private var part: String? {
    guard isOfList, let progress = desk.list.progress else { return nil }
    let share = progress.total.flatMap { $0 > 0 ? " \(min(99, progress.seen * 100 / $0))%" : nil } ?? ""
    return desk.size.columns < 60 ? "list at\(share)" : "of what is read so far: the list is at\(share)"
  }

  private var isOfList: Bool {
    switch page.scope {
    case .marked, .filter: true
    case .family, .earlier: false
    }
  }

  /// What is different afterwards, what is given up, and what is left out: all of it is seen before anything is made.
  ///
  /// - Parameter isShort: whether the reasons have no room.
  func foot(width: Int, isShort: Bool) -> [[Run]] {
    if let work = bulk.work { return [[Run(working(work), .text.bold)]] }
    let lines = [outcome(isShort: isShort || width < 58), lost].compactMap(\.self)
    let told = lines.flatMap { $0.wrapped(width, most: 2) }
    return isShort ? told : told + left(width, room: 5 - told.count)
  }

  private func working(_ work: BulkWork) -> String {
    let verb =
      switch work.job {
      case .decide: "Making drafts"
      case .takeBack: "Taking back"
      case .takeAgain: "Making drafts again"
      }
    let end = page.isStopping ? "Stopping." : "Esc stops; what is done stays."
    return "\(verb): \(work.answered) of \(work.job.count). \(end)"
  }

  private func outcome(isShort: Bool) -> [Run] {
    let preview = bulk.preview
    let drafts = Run("Makes \(Self.drafts(preview.taken.count)).", .text.bold)
    let left = max(0, desk.list.openCount - preview.taken.count)
    let rows = desk.store.changes(preview.changedRows, desk.store.words.record)
    let bound = bulk.isChecked || preview.changedRows == 0 ? "" : "at most "
    if isShort { return [drafts, Run(" \(bound.capitalizedFirst)\(rows), \(leftOut) left out.")] }
    let these = decided == 0 ? "When written" : "When these are written"
    let conflicts = left == 1 ? "1 conflict stays" : "\(left) conflicts stay"
    return [drafts, Run("  \(these): \(bound)\(rows), \(conflicts) open.")]
  }

  /// Those that are drafts already are none that the rules leave to a person.
  private var decided: Int { bulk.preview.reasons[.decided] ?? 0 }
  private var leftOut: Int { bulk.preview.left.count - decided }

  /// Why one is left out; empty for one that is not, or no more.
  func reason(of row: BulkRow) -> String { refusal(of: row) ?? row.reason?.words ?? "" }

  /// Why the store would not take what the rules make of a record, or nobody what is suggested for it.
  private func refusal(of row: BulkRow) -> String? {
    if row.reason == .notTakeable {
      let refusal = bulk.shown[row.record.id]?.refusedSuggestion
      return refusal.map { "\(BulkReason.notTakeable.words): \(desk.privacy.words($0))" }
    }
    guard row.reason == .byStore, case .refused(let field, let reason)? = bulk.check.refused[row.record.id]
    else { return nil }
    return "refused: " + (field.map { "\(desk.privacy.name($0)): " } ?? "") + desk.privacy.shown(reason)
  }

  private var lost: [Run]? {
    let preview = bulk.preview
    if preview.lost == 0 { return nil }
    let edits = preview.lost == 1 ? "1 change" : "\(preview.lost) changes"
    let alone = preview.lostAlone == 0 ? "" : ", \(preview.lostAlone) that one side alone made"
    return [Run("Gives up \(edits)\(alone).", .needs.bold)]
  }

  /// How many are left out, by reason, the most frequent first. Where not all have room, the rest is told in one number, so that
  /// they add up.
  private func left(_ width: Int, room: Int) -> [[Run]] {
    if bulk.preview.left.isEmpty { return [] }
    let others = bulk.preview.reasons.filter { $0.key != .decided }
    let reasons = others.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let tellings = (0...reasons.count).reversed().lazy.map { told in
      let rest = reasons.dropFirst(told).reduce(0) { $0 + $1.value }
      return lines(
        reasons.prefix(told).map { "\($0.value) \($0.key.words)" } + (rest == 0 ? [] : ["\(rest) otherwise"]),
        width)
    }
    return tellings.first { $0.count <= room } ?? []
  }

  /// A number and its word are not parted.
  private func lines(_ reasons: [String], _ width: Int) -> [[Run]] {
    let drafts = decided == 0 ? [] : ["Drafts already: \(decided).  "]
    let told = drafts + (reasons.isEmpty ? [] : ["Left out \(leftOut):"] + reasons.map { "  " + $0 })
    return told.reduce(into: [[Run("")]]) { lines, words in
      if lines[lines.count - 1].width + words.count > width { lines.append([Run(" ")]) }
      lines[lines.count - 1].append(Run(words, lines[0].count == 1 ? .text : .dim))
    }
  }

  static func drafts(_ count: Int) -> String { count == 1 ? "1 draft" : "\(count) drafts" }
}

extension DecidedConflict {
  /// Why the first suggestion cannot be taken that cannot be.
  fileprivate var refusedSuggestion: ChoiceRefusal? {
    conflict.undecided(in: resolution).lazy.compactMap { subject in
      guard case .field(let name) = subject, let field = conflict[name] else { return nil }
      if field.suggestion.reason == .required { return .required(field: name) }
      guard let choice = field.suggestedChoice(least: .byClock) else { return nil }
      return conflict.refusal(of: choice, for: subject)
    }.first
  }
}

/// What is told when it is over.
extension BulkWords {
  static func told(_ work: BulkWork, _ desk: DeskState) -> String {
    let (done, all) = (work.changes.count, work.job.count)
    let isStopped = work.answered < all
    let isWhole = work.drafts == done
    let of =
      isStopped
      ? "\(done) of \(isWhole ? drafts(all) : records(all, desk))"
      : isWhole ? drafts(done) : inPart(work, desk)
    return (isStopped ? "Stopped: " : "") + sentence(work, of) + moved(work)
      + (done == 0 ? "" : way(work.job, of: done, desk))
  }

  /// Who decides many elsewhere may leave something of each.
  private static func inPart(_ work: BulkWork, _ desk: DeskState) -> String {
    let rest = records(work.changes.count - work.drafts, desk) + " decided in part"
    return work.drafts == 0 ? rest : "\(drafts(work.drafts)) and \(rest)"
  }

  private static func records(_ count: Int, _ desk: DeskState) -> String {
    "\(count) \(desk.store.words.record)\(count == 1 ? "" : "s")"
  }

  private static func sentence(_ work: BulkWork, _ drafts: String) -> String {
    switch work.job {
    case .decide: "\(drafts) made."
    case .takeBack: "\(drafts) taken back\(work.whose)."
    case .takeAgain: "\(drafts) made again."
    }
  }

  private static func moved(_ work: BulkWork) -> String {
    switch work.moved {
    case 0: ""
    case 1: " 1 was left out: it changed meanwhile."
    default: " \(work.moved) were left out: they changed meanwhile."
    }
  }

  private static func way(_ job: BulkJob, of done: Int, _ desk: DeskState) -> String {
    switch job {
    case .decide, .takeAgain: " \(desk.key(.review)) reviews and writes, \(desk.key(.undo)) takes back."
    case .takeBack: " \(desk.key(.redo)) makes \(done == 1 ? "it" : "them") again."
    }
  }
}
