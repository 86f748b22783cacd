import Merging
import StoreInterface
import Telling
import Terminal

/// A record as its screen shows it: with one of its leaves in the server's column. Whatever is decided, counted or suggested is
/// about the conflict as the store gave it, whichever leaf is shown.
struct ShownRecord {
  let record: DecidedConflict
  /// What the columns show.
  let columns: RecordConflict
  private let live: [Leaf]

  /// - Parameter leaf: nil for the one that the store gave.
  init(_ record: DecidedConflict, leaf: Leaf.ID? = nil) {
    self.record = record.spelledOut
    columns = leaf.flatMap { record.conflict.showing(leaf: $0) } ?? record.conflict
    live = record.conflict.liveLeaves
  }

  var conflict: RecordConflict { record.conflict }

  /// Whether its history is a tree.
  var hasTree: Bool { !conflict.details.leaves.isEmpty }
  var leafCount: Int { live.count }

  /// The number of the leaf in the server's column: the winner is 1.
  var leafNumber: Int { live.firstIndex { $0.id == columns.details.serverTag }.map { $0 + 1 } ?? 2 }

  /// "2 of 5", or as short as it gets: "31/756".
  var leafPlace: String { leafCount < 100 ? "\(leafNumber) of \(leafCount)" : "\(leafNumber)/\(leafCount)" }

  /// The numbers of the live leaves that have a field otherwise than the ancestor, and whether they all have it alike.
  func changes(of field: FieldConflict) -> (leaves: [Int], agree: Bool) {
    let values = live.map { $0.version.fields?[field.name]?.value }
    let leaves = values.indices.filter { values[$0] != nil && values[$0] != field.ancestor?.value }
    return (leaves.map { $0 + 1 }, leaves.allSatisfy { values[$0] == values[leaves[0]] })
  }

  /// Whether the server's column shows another leaf than the store gave.
  var isTurned: Bool { columns.details.serverTag != conflict.details.serverTag }

  func version(_ field: FieldConflict, _ side: Side) -> FieldVersion<Value>? {
    side == .server && isTurned ? columns[field.name]?.server : field.version(side)
  }

  /// The field with what stands in the columns: by that it is told what a text there could be taken for.
  func inColumns(_ field: FieldConflict) -> FieldConflict { isTurned ? columns[field.name] ?? field : field }

  /// The revision that a column shows; nil without a tree, or without a common ancestor.
  func revision(_ side: Side) -> String? {
    guard hasTree else { return nil }
    return switch side {
    case .ancestor: conflict.details.ancestorTag
    case .client: live.first?.id
    case .server: columns.details.serverTag
    }
  }

  /// The same as it is told where room is short: no two columns look alike.
  func shortRevision(_ side: Side) -> String? {
    let name = RevisionName(toTellApart: Side.allCases.compactMap(revision))
    return revision(side).map(name.short)
  }

  /// Which leaf the server's column shows.
  var leafWords: String {
    "The server's column shows \(shortRevision(.server) ?? ""), \(leafNumber) of \(leafCount)."
  }

  /// The number of the leaf whose whole record is taken.
  private var takenLeaf: Int? {
    guard case .alternative(let id)? = record.resolution[.record] else { return nil }
    return live.firstIndex { $0.id == id }.map { $0 + 1 }
  }

  /// The same in words; nil unless one is.
  var takenLeafWords: String? { takenLeaf.map { $0 == 1 ? "client" : "leaf \($0)" } }

  private func isOfShownLeaf(_ value: Value, _ field: String) -> Bool {
    leafCount > 2 && columns[field]?.server?.value == value
  }

  /// Of which leaves a value was taken, or would be: the shown one where that has it, else all that do. nil if none beside the winner does.
  func wordsOfLeaves(having value: Value, in field: String) -> String? {
    isOfShownLeaf(value, field) ? "leaf \(leafNumber)" : conflict.wordsOfLeaves(having: value, in: field)
  }

  /// The same as short as it gets: "S3", and of several "S3+".
  func lettersOfLeaves(having value: Value, in field: String) -> String? {
    if isOfShownLeaf(value, field) { return "S\(leafNumber)" }
    let numbers = conflict.numbersOfLeaves(having: value, in: field)
    return numbers.first.map { "S\($0)" + (numbers.count > 1 ? "+" : "") }
  }
}

/// Phrases that several pages share.
extension ShownRecord {
  /// The sign of a field: its certainty, or that it is decided.
  func sign(_ field: FieldConflict) -> Run {
    if record.resolution[.field(field.name)] != nil { return Run("✓", .ready) }
    guard !record.conflict.isWhole, !record.isGoneOrOwn, field.field.isWritable,
      let certainty = field.suggestion.certainty
    else { return Run(" ") }
    return Run(certainty.sign, certainty.ink)
  }

  /// Sign and reason: "^ server newer by 5m 02s", "✓ client taken".
  func stateWords(_ field: FieldConflict) -> Run {
    // What becomes of it is told of the record.
    if record.isGoneOrOwn { return Run("") }
    if let choice = record.resolution[.field(field.name)] { return Run("✓ \(words(choice, field))", .ready) }
    guard let certainty = field.suggestion.certainty else { return Run("") }
    return Run("\(certainty.sign) \(reason(field))", certainty.ink)
  }

  func words(_ choice: Choice, _ field: FieldConflict) -> String {
    if let leaf = takenLeafWords { return "\(leaf) taken" }
    return switch choice {
    case .merged(let value):
      record.answerOfNoSide ?? wordsOfLeaves(having: value, in: field.name).map { "\($0) taken" }
        ?? choice.words
    case .take, .edit, .alternative, .parts: conflict.words(choice, of: field)
    }
  }

  /// Why this is suggested. What is said of the server is about the leaf that the store gave, whichever is shown.
  func reason(_ field: FieldConflict) -> String {
    switch field.suggestion.reason {
    case .folded where field.ancestor != nil: foldedReason(field)
    case .onlyChanged(.server) where isTurned: "only leaf 2 changed"
    case .agree where isTurned: "client and leaf 2 agree"
    // Its column is narrow.
    case .agree: "both agree"
    default: "\(field.suggestion.reason)"
    }
  }

  /// Which of many leaves changed a field, by their numbers.
  private func foldedReason(_ field: FieldConflict) -> String {
    let (leaves, agree) = changes(of: field)
    switch leaves.count {
    case 0: return "\(field.suggestion.reason)"
    case 1: return leaves == [1] ? "only client changed" : "only leaf \(leaves[0]) changed"
    case 2: return "leaves \(leaves[0]), \(leaves[1]) \(agree ? "agree" : "changed")"
    default: return "\(field.suggestion.reason)"
    }
  }

  /// The letters of the result column: C, S, A, C=S, E, M; S3 for the third leaf where another is shown, S3+ for it and others; `?`
  /// where a person has to choose.
  func letters(_ field: FieldConflict) -> String {
    let choice = record.resolution[.field(field.name)]
    if choice == nil, field.suggestion.certainty == .yours { return "?" }
    let draft = field.draft(choice)
    let server = isTurned && !isChosen(.server, field) ? "S2" : "S"
    return switch draft.source {
    case .client?: "C"
    case .server?: server
    case .ancestor?: "A"
    case .both?: "C=\(server)"
    case .edited?: "E"
    // Its answer is named below; no letter stands for it.
    case .merged?: record.answerOfNoSide == nil ? leafLetters(draft.value, field) : ""
    case nil: ""
    }
  }

  private func leafLetters(_ value: Value, _ field: FieldConflict) -> String {
    isOfShownLeaf(value, field.name) ? "S" : lettersOfLeaves(having: value, in: field.name) ?? "M"
  }

  /// Whether the value of `side` is what the draft would hold.
  func isChosen(_ side: Side, _ field: FieldConflict) -> Bool {
    let choice = record.resolution[.field(field.name)]
    if choice == nil, field.suggestion.certainty == .yours { return false }
    let draft = field.draft(choice)
    return switch (draft.source, side) {
    case (.client?, .client), (.both?, .client), (.ancestor?, .ancestor): true
    case (.server?, .server), (.both?, .server):
      !isTurned || draft.value == version(field, side)?.value
    case (.merged?, .server): isOfShownLeaf(draft.value, field.name)
    case (.client?, _), (.server?, _), (.both?, _), (.ancestor?, _), (.edited?, _), (.merged?, _), (nil, _):
      false
    }
  }

  /// What a version is where it is not present.
  func absence(_ side: Side, _ time: TimeText) -> String? {
    let version = columns.version(side)
    if hasTree, side == .ancestor, version == .absent { return "no common ancestor" }
    return version.absence(time.short)
  }

  /// What the columns have in a field, to be shown where it differs; nil where it does not. Without an ancestor the client's
  /// is what the server's is compared with.
  func changedTexts(_ field: FieldConflict, _ privacy: Privacy) -> ChangedTexts? {
    ChangedTexts(
      Side.allCases.compactMap { version(field, $0)?.value }.map {
        privacy.line($0, of: inColumns(field), in: conflict)
      })
  }

  /// The text that differs, from the ancestor's to a side's, in git's word notation where ``DeskState/bracketsWords`` asks for it. Without an ancestor, and for
  /// anything but text, the value itself.
  ///
  /// - Parameter limit: in bytes; of longer texts the part is told that differs, or the beginning.
  func difference(
    _ field: FieldConflict, _ side: Side, _ desk: DeskState, atMost limit: Int,
    removedAtMost longest: Int = .max
  ) -> [Run] {
    let privacy = desk.privacy
    let value = version(field, side)?.value
    let ink = Ink.side(side)
    if let quoted = privacy.quoted(value, of: inColumns(field), in: conflict) {
      return beginning(quoted, ink, limit)
    }
    guard side != .ancestor, let (old, new) = privacy.texts(field.ancestor?.value, value) else {
      return beginning(privacy.line(value), ink, limit)
    }
    return difference(old, new, ink, WordMarks(brackets: desk.bracketsWords), limit, longest)
  }

  /// The same for a place of so many lines: it begins shortly before what differs. Where not all of it fits, half of the place is
  /// for what there is now, and not for what that took the place of.
  func difference(
    _ field: FieldConflict, _ side: Side, _ desk: DeskState, lines: Int, width: Int
  ) -> [Run] {
    let runs = difference(field, side, desk, lines: lines, width: width, removedAtMost: .max)
    if runs.wrapped(width, most: lines + 1).count <= lines { return runs }
    let longest = max(16, lines * width / 2 - 8)
    return difference(field, side, desk, lines: lines, width: width, removedAtMost: longest)
  }

  private func difference(
    _ field: FieldConflict, _ side: Side, _ desk: DeskState, lines: Int, width: Int,
    removedAtMost longest: Int
  ) -> [Run] {
    let (value, ink) = (version(field, side)?.value, Ink.side(side))
    let line = desk.privacy.line(value)
    let limit = 4_000
    guard field.change != .unchanged, desk.privacy.quoted(value, of: inColumns(field), in: conflict) == nil,
      let start = start(of: line, field, side, desk.privacy, lines: lines, width: width), start > 0
    else { return difference(field, side, desk, atMost: limit, removedAtMost: longest) }
    let omitted = Run("… ", .dim)
    guard side != .ancestor, let (old, new) = desk.privacy.texts(field.ancestor?.value, value) else {
      return [omitted] + beginning(String(line.part(start, line.utf8.count)), ink, limit)
    }
    let (before, after) = (old.part(start, old.utf8.count), new.part(start, new.utf8.count))
    let marks = WordMarks(brackets: desk.bracketsWords)
    return [omitted] + difference(String(before), String(after), ink, marks, limit, longest)
  }

  /// Where a side's text begins to tell something: where it differs from the ancestor; where client and server read the same so, where they
  /// differ from each other.
  private func start(
    of line: String, _ field: FieldConflict, _ side: Side, _ privacy: Privacy, lines: Int, width: Int
  ) -> Int? {
    let start = changedTexts(field, privacy)?.start(of: line, lines: lines, width: width)
    guard let start, field.change == .different, side != .ancestor, line.utf8.count <= CellText.longest,
      let other = version(field, side == .client ? .server : .client)?.value
    else { return start }
    let text = privacy.line(other, of: inColumns(field), in: conflict)
    guard text != line, commonStart(line, text) >= start + lines * width else { return start }
    return ChangedTexts([text, line])?.start(of: line, lines: lines, width: width) ?? start
  }

  private func difference(
    _ old: String, _ new: String, _ ink: Ink, _ marks: WordMarks, _ limit: Int, _ longest: Int
  ) -> [Run] {
    guard max(old.utf8.count, new.utf8.count) > limit else {
      return marks.runs(from: old, to: new, ink, removedAtMost: longest)
    }
    let excerpt = Excerpt(from: old, to: new, atMost: limit)
    return same(excerpt.sameBefore)
      + marks.runs(from: String(excerpt.old), to: String(excerpt.new), ink, removedAtMost: longest)
      + same(excerpt.sameAfter) + more(excerpt.more)
  }

  private func beginning(_ text: String, _ ink: Ink, _ limit: Int) -> [Run] {
    let excerpt = Excerpt(of: text, atMost: limit)
    return [Run(String(excerpt.new), ink)] + more(excerpt.more)
  }

  private func same(_ bytes: Int) -> [Run] {
    bytes > 0 ? [Run(" (\(bytesInWords(bytes)) the same) ", .dim)] : []
  }

  private func more(_ bytes: Int) -> [Run] {
    bytes > 0 ? [Run(" (\(bytesInWords(bytes)) more: on the record E opens all)", .dim)] : []
  }
}

extension DecidedConflict {
  /// What is left: "2 to decide  1 by clock  3 sure", without what there is none of.
  var countWords: String {
    let counts = ConflictSummary.Counts(conflict, of: undecided)
    let parts = [
      (counts.yours, "to decide"), (counts.byClock, "by clock"), (counts.byPolicy, "by policy"),
      (counts.sure - counts.byPolicy, "sure"),
    ]
    if conflict.details.waitingSince != nil { return "⇡ waiting" }
    if undecided.isEmpty { return isMoved ? "! look again" : refusal == nil ? "✓ ready" : "✗ refused" }
    // As the list has it.
    if case .deletedAgainstEdit? = conflict.wholeReason { return "! deletion" }
    if case .onlyOn(let side)? = conflict.wholeReason { return ConflictSummary.words(onlyOn: side) }
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: "   ")
  }
}

extension DeskState {
  /// Whether its write was refused and nothing was decided about it since: it is a person's again, though nothing is left to decide.
  func isRefused(_ id: String) -> Bool { refusal(of: id) != nil }

  /// What its store said.
  func refusal(of id: String) -> DraftRefusal? { unwritten[id]?.refusal }

  /// "The store refuses the draft: notes: CHECK constraint failed", as it was written, or looked at; nil where it does not.
  func refusalWords(_ id: String) -> String? {
    refusal(of: id).map { "The store refuses the draft: \(privacy.words($0))" }
  }

  /// What a session before this one, or another program, has left in the journal: from here on it stands with what this one was refused.
  mutating func keepRefusal(of summary: ConflictSummary) -> ConflictSummary {
    var summary = summary
    summary.refusal = keepRefusal(summary.refusal, of: summary.id)
    return summary
  }

  /// - Returns: nothing any more.
  mutating func keepRefusal(_ refusal: DraftRefusal?, of id: String) -> DraftRefusal? {
    if let refusal { unwritten[id] = refusal.outcome }
    return nil
  }

  /// Of a record in which everything is decided.
  func settled(_ record: DecidedConflict) -> Run {
    if isRefused(record.conflict.id) { return Run("✗ refused", .failed) }
    return Run(record.countWords, record.conflict.details.waitingSince == nil ? .ready : .dim)
  }
}

extension DecidedConflict {
  /// For showing: an alternative that takes a version is what it makes of every field, and what is put together by half is
  /// not decided.
  var spelledOut: DecidedConflict {
    var record = self
    record.resolution = conflict.spelledOut(resolution).finished
    return record
  }

  /// The keys that decide a record as a whole: "c, s or e".
  var waysByKey: String { waysByKey(hasOther: true) }

  /// - Parameter hasOther: whether o is at hand, which lists the other ways.
  func waysByKey(hasOther: Bool) -> String {
    let sides = [Side.client, .server].filter { conflict.refusal(of: .take($0), for: .record) == nil }
    let isNamed = hasOther && conflict.alternatives.contains { Side(rawValue: $0.id) == nil }
    let keys =
      sides.map { $0.letter.lowercased() } + (isNamed ? ["o"] : [])
      + (conflict.details.ownValue == nil ? [] : ["e"])
    return [keys.dropLast().joined(separator: ", "), keys.last ?? ""].filter { !$0.isEmpty }.joined(
      separator: " or ")
  }

  /// What was decided about all of it, by the name that its store gives that; nil where it is decided field by field.
  func alternativeWords(_ privacy: Privacy) -> String? {
    conflict.alternative(in: resolution).map { "✓ the whole record: \(privacy.words($0))" }
  }
}

extension ShownRecord {
  /// The edits of one field that are given up when it gets what `draft` holds.
  func edits(lostBy draft: FieldDraft) -> [LostEdit] {
    conflict.edits(lostBy: draft, of: record.resolution[.field(draft.name)])
  }
}

extension DecidedConflict {
  /// The edits that are given up by what was decided so far.
  var lostEdits: [LostEdit] {
    let shown = ShownRecord(self)
    let decided = conflict.fields.compactMap { field in
      resolution[.field(field.name)].map { field.draft($0) }
    }
    return decided.flatMap(shown.edits)
  }

  /// What a suggestion decides away: it is told, as nobody looked at all of it. nil for nothing.
  package func givenUpWords(deciding after: Resolution, _ privacy: Privacy) -> String? {
    let taken = after.difference(from: resolution)
    let lost = DecidedConflict(conflict, after).lostEdits.filter { taken.contains(.field($0.field)) }
    return lost.isEmpty ? nil : "Given up: \(lost.words(privacy))."
  }
}

extension RecordConflict {
  /// What is given up when a record is taken whole from `side`: "the server's deletion". nil for nothing.
  func lost(takingWholeFrom side: Side, _ privacy: Privacy) -> String? {
    if let losses = losses(takingFileFrom: side) { return losses.isEmpty ? nil : privacy.words(losses) }
    let other: Side = side == .client ? .server : .client
    switch version(other) {
    case .deleted: return version(side).isPresent ? "the \(other.rawValue)'s deletion" : nil
    case .absent: return nil
    case .unknown: return "what the \(other.rawValue) has, which is not known"
    case .present:
      let names = fields.filter { $0.change != .unchanged && $0.field.isWritable }.map(\.name)
      let edit = names.isEmpty ? "record" : "edit of \(privacy.words(names))"
      return "the \(other.rawValue)'s \(edit)"
    }
  }

  /// What becomes of a file is more than what its text will be: its store tells what each answer gives up. nil of everything else.
  private func losses(takingFileFrom side: Side) -> [Alternative.Loss]? {
    guard details.file != nil, let answer = alternative(side.rawValue) else { return nil }
    return Losses(self).of(answer)
  }
}

extension [LostEdit] {
  /// "1 edit that only the client made (due); 3 of what both changed (title, notes, list)".
  func words(_ privacy: Privacy) -> String {
    let (alone, contested) = (filter(\.isUncontested), filter { !$0.isUncontested })
    let sides = Set(alone.map(\.side))
    let areOfLeaves = contains { $0.leaf != nil }
    let side = sides.count == 1 ? "the \(sides.first?.rawValue ?? "")" : "one side"
    let (who, all) = areOfLeaves ? ("one leaf", "several leaves") : (side, "both")
    return [
      alone.words("\(alone.count == 1 ? "edit" : "edits") that only \(who) made", privacy),
      contested.words("\(contested.count == 1 ? "edit" : "edits") of what \(all) changed", privacy),
    ].compactMap(\.self).joined(separator: "; ")
  }

  private func words(_ what: String, _ privacy: Privacy) -> String? {
    isEmpty ? nil : "\(countOfAll) \(what) (\(privacy.words(map(\.field).unique)))"
  }
}
