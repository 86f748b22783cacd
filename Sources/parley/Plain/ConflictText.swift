import Desk
import Merging
import StoreInterface
import Telling

/// The lines of `parley show` for one conflict: what it is, then a table of A C S R for each changed field.
struct ConflictText {
  private let decided: DecidedConflict
  private let width: Int?
  private let losses: Losses
  /// How the ids of leaves are told: found once, as it takes all of them.
  private let leafName: RevisionName
  /// What is decided, field by field.
  private let choices: Resolution
  private let privacy: Privacy
  /// Whether that is all that is shown.
  private let isASCII: Bool
  private var conflict: RecordConflict { decided.conflict }

  init(_ decided: DecidedConflict, width: Int?, _ privacy: Privacy = .open, isASCII: Bool = false) {
    (self.decided, self.width, self.privacy, self.isASCII) = (decided, width, privacy, isASCII)
    losses = Losses(decided.conflict)
    leafName = RevisionName(toTellApart: decided.conflict.details.leaves.map(\.id))
    choices = decided.conflict.spelledOut(decided.resolution.finished)
  }

  var lines: [String] {
    (heading + details.map { .words($0) } + recordDecision + changedFields + unchangedFields)
      .flatMap { $0.lines(width: width) }
  }

  private var heading: [ConflictLine] {
    [.text("\(name)  \(privacy.shown(conflict.title))"), .words("  \(kind); \(state)")]
  }

  private var name: String {
    privacy.recordName(conflict.id, of: conflict.table, key: conflict.primaryKey)
  }

  private var kind: String {
    if let reason = conflict.wholeReason { return reason.description }
    return conflict.versions.ancestor?.isPresent == true ? "edited on \(editors)" : "edited, no ancestor"
  }

  /// Both, unless every change is one side's.
  private var editors: String {
    let changes = Set(conflict.fields.filter(\.field.isWritable).map(\.change)).subtracting([.unchanged])
    return changes == [.onlyClient] ? "the client" : changes == [.onlyServer] ? "the server" : "both sides"
  }

  private var state: String {
    let undecided = decided.undecided
    // Nothing of it is undecided then, and nothing of it can be written.
    if conflict.details.waitingSince != nil { return "waiting" }
    if conflict.subjects.isEmpty { return "ready: there is nothing to decide" }
    if let refusal = decided.refusal {
      return decided.hindrance == nil
        ? "refused by the store when it was asked last: \(privacy.words(refusal))"
        : "refused: \(privacy.words(refusal))"
    }
    if undecided.isEmpty {
      return decided.isMoved ? "open: something that was decided no longer holds" : "ready: all is decided"
    }
    if case .record = undecided[0] { return "open: the record is undecided" }
    return "open: \(undecided.count) of \(conflict.subjects.count) fields undecided"
  }

  private var details: [String] {
    let details = conflict.details
    var lines: [String] = []
    lines += details.receivedAt.map { ["  received \(TimeText.full($0))"] } ?? []
    lines += Side.allCases.flatMap { versionLine($0) }
    lines += privacy.notes(of: conflict).map { "  note: \($0)" }
    lines += conflict.waitingWords.map { ["  \($0)"] } ?? []
    if decided.isMoved { lines.append("  \(decided.whatChangedSince) after it was decided") }
    lines += decided.outdated.map {
      "  no longer holds: what was decided about \(privacy.wholeName($0.subject)) at \(TimeText.seconds($0.decidedAt)); "
        + decided.whyOutdated($0.subject)
    }
    lines += details.notWritable.map { ["  cannot be written: \($0)"] } ?? []
    lines += details.ancestorNotChoosable.map { ["  the ancestor cannot be taken: \($0)"] } ?? []
    return lines
  }

  private func versionLine(_ side: Side) -> [String] {
    let (details, letter) = (conflict.details, side.letter)
    let facts: [String?] =
      switch side {
      case .ancestor: [details.ancestorTag.map { "\(tagWord) \(privacy.shown($0))" }]
      case .client: [winner.map { "\(tagWord) \(privacy.shown($0)), the winner" }]
      case .server:
        [
          details.serverTag.map { "\(tagWord) \(privacy.shown($0))" },
          details.serverDevice.map { "from \(privacy.shown($0))" },
        ]
      }
    let what = (isToldByTag(side) ? [] : [words(conflict.version(side))]) + facts.compactMap(\.self)
    return ["  \(letter) \(side.rawValue): \(what.joined(separator: ", "))"]
  }

  /// Of a history that is a tree.
  private var winner: Leaf.ID? { conflict.liveLeaves.first?.id }

  /// The tag of a file says itself that this version of it is a deletion.
  private func isToldByTag(_ side: Side) -> Bool {
    side == .server && conflict.details.file != nil && conflict.version(side).isDeleted && !privacy.hides
  }

  private func words(_ version: RecordVersion) -> String {
    if case .unknown(let reason) = version { return "not known: \(privacy.told(reason, of: conflict))" }
    return version.absence(TimeText.full) ?? "present"
  }

  private var tagWord: String { conflict.details.leaves.isEmpty ? "tag" : "revision" }

  private var recordDecision: [ConflictLine] {
    (wordsOfWhole.map { [.words("  R \($0)")] } ?? []) + alternatives
  }

  /// nil where the record is decided field by field.
  private var wordsOfWhole: String? {
    if let answer = decided.answer { return "decided: \(privacy.words(answer))\(loses(answer))" }
    guard conflict.isWhole, !conflict.subjects.isEmpty else { return nil }
    if let side = decided.resolution[.record]?.side { return "decided: \(Choice.take(side).words)" }
    guard let side = conflict.wholeSuggestion?.side else { return "undecided" }
    return "undecided; suggested: take the \(side.rawValue), so that no edit is lost"
  }
}

extension ConflictText {
  /// The other ways than field by field, or than one of two sides.
  private var alternatives: [ConflictLine] {
    if conflict.details.waitingSince != nil { return [] }
    let all = decided.otherAlternatives
    // A page of them is read by nobody; the deletion comes last, behind what makes records of all leaves.
    let last = all.dropLast().last?.newRecords.isEmpty == false ? 2 : 1
    let shown = all.count > 6 ? all.prefix(4) + all.suffix(last) : all[...]
    let further = moreLeaves(all.count - shown.count) + own
    return shown.flatMap { [.words(words($0))] + value($0) } + further.map { .words($0) }
  }

  private func words(_ alternative: Alternative) -> String {
    "  --set \(conflict.nameOfTheWhole)=\(privacy.name(alternative, in: conflict)): "
      + privacy.words(alternative) + loses(alternative)
  }

  private func moreLeaves(_ count: Int) -> [String] {
    switch count {
    case 0: []
    case 1: ["  and 1 more leaf: --json tells its id"]
    default: ["  and \(count) more leaves: --json tells their ids"]
    }
  }

  private func value(_ alternative: Alternative) -> [ConflictLine] {
    conflict.valueOfNoSide(in: alternative).map {
      [.value("       \(privacy.wholeName($0.name)): ", privacy.line($0.value))]
    } ?? []
  }

  private var own: [String] {
    // Whatever is given: no side has it.
    guard let own = conflict.details.ownValue, let alternative = conflict.alternative(typing: .null) else {
      return []
    }
    return ["  --set \(own.field)=text:…, or file:PATH: \(own.words)\(loses(alternative))"]
  }

  private func loses(_ alternative: Alternative) -> String {
    let lost = losses.of(alternative)
    return lost.isEmpty ? "" : "; loses \(privacy.words(lost))"
  }

  private var changedFields: [ConflictLine] {
    conflict.fields.filter { isTold($0) }.flatMap { lines(of: $0) }
  }

  /// An unchanged field can be decided too: a person may give it a value of their own. The key never can, and without
  /// an ancestor it counts as changed.
  private func isTold(_ field: FieldConflict) -> Bool {
    (field.change != .unchanged && !field.field.isPrimaryKey)
      || choices[.field(field.name)] != nil
  }

  private func lines(of field: FieldConflict) -> [ConflictLine] {
    let (rows, name) = (Side.allCases.map { row($0, of: field) }, privacy.wholeName(field.name))
    // What goes with the others is nobody's to decide.
    if field.field.isGenerated { return [.words(""), .words("  - \(name): generated")] + rows }
    let all = conflict.furtherValues(of: field)
    let further = shown(all)
    let told = rows + furtherRows(further, of: all, field) + draftRow(field)
    let head = "  \(sign(field)) \(name): \(field.suggestion.reason.words())"
    return [.words(""), .words(head)] + told + remarks(field, further)
  }

  /// Below what all sides have.
  private func remarks(_ field: FieldConflict, _ further: ArraySlice<FurtherValue>) -> [ConflictLine] {
    let merged = conflict.wordsOfMergedRow(field, privacy).map { ["    · \($0)"] } ?? []
    return (merged + unseenDifferences(field, Array(further))).map { .words($0) } + differences(field)
  }

  private func row(_ side: Side, of field: FieldConflict) -> ConflictLine {
    let version = field.version(side)
    let time = version?.time.map { TimeText.full($0) } ?? "-"
    let value = privacy.line(version?.value, kind: field.field.kind)
    return .value("    \(side.letter)  " + (hasTimes ? padded(time) + "  " : ""), value)
  }

  /// What further leaves changed, by the letters that the desk has for them.
  private func furtherRows(
    _ shown: ArraySlice<FurtherValue>, of all: [FurtherValue], _ field: FieldConflict
  ) -> [ConflictLine] {
    let left = all.dropFirst(shown.count).reduce(0) { $0 + $1.leaves.count }
    let more = "       \(all.count - shown.count) more values of \(left) leaves: --json tells them"
    return shown.map { further in
      let value = privacy.line(further.value, kind: field.field.kind)
      let ids = ids(of: further.leaves.map(\.id))
      return .value("    S\(further.leaves[0].number)  ", value, end: "  (\(ids))")
    } + (left > 0 ? [.words(more)] : [])
  }

  private func shown(_ all: [FurtherValue]) -> ArraySlice<FurtherValue> {
    let most = 6
    return all.count > most ? all.prefix(most - 1) : all[...]
  }

  /// As `--set` takes them.
  private func ids(of leaves: [Leaf.ID]) -> String {
    let shown = leaves.prefix(2).map { privacy.hides ? privacy.shown($0) : leafName.short($0) }
    let more = leaves.count - shown.count
    let rest = more == 0 ? "" : more == 1 ? ", and 1 more leaf" : ", and \(more) more leaves"
    return shown.joined(separator: ", ") + rest
  }

  /// As in the desk: how certain a suggestion is counts until the field is decided, and of what nobody changed there is none.
  private func sign(_ field: FieldConflict) -> String {
    if choices[.field(field.name)] != nil { return "✓" }
    return field.suggestion.certainty?.sign ?? (field.change == .unchanged ? " " : Certainty.yours.sign)
  }

  private func draftRow(_ field: FieldConflict) -> [ConflictLine] {
    let choice = choices[.field(field.name)]
    guard field.field.isWritable, !conflict.isWhole || choice != nil else { return [] }
    // What becomes of it is told of the record.
    if choice == nil, decided.answer != nil { return [] }
    if choice == nil, field.isOpenWithoutSuggestion { return [.words("    R  undecided")] }
    let draft = field.draft(choice)
    let kept = draft.source == .merged ? decided.answerOfNoSide : nil
    let source =
      kept ?? draft.source.map { conflict.words($0, of: draft.value, in: field.name) } ?? ""
    let origin = "\(choice == nil ? "suggested" : "decided"): \(source)"
    let value = privacy.line(draft.value, kind: field.field.kind)
    return [
      hasTimes
        ? .value("    R  \(padded(origin))  ", value) : .value("    R  ", value, end: "  (\(origin))")
    ]
  }

  /// Fields of documents have no times.
  private var hasTimes: Bool { conflict.details.leaves.isEmpty }

  /// As wide as a time to the nanosecond.
  private func padded(_ text: String) -> String {
    text + String(repeating: " ", count: max(0, 30 - text.count))
  }

  private var unchangedFields: [ConflictLine] {
    let fields = conflict.fields.filter { !isTold($0) }
    guard !fields.isEmpty else { return [] }
    return [.words(""), .words("  unchanged")]
      + fields.map {
        let value = privacy.line(($0.client ?? $0.server ?? $0.ancestor)?.value, kind: $0.field.kind)
        let isComputed = $0.field.isGenerated ? "  (generated: a write computes it anew)" : ""
        return .value("    \(privacy.wholeName($0.name)): ", value, end: isComputed)
      }
  }

  private func unseenDifferences(_ field: FieldConflict, _ further: [FurtherValue]) -> [String] {
    if privacy.hides { return [] }
    let unseen = UnseenVersions.all(kind: field.field.kind, isASCII: isASCII, further: further) {
      field.version($0)?.value
    }
    return unseen.map { "    · \($0.named)" }
  }

  /// What each side did to a text, word by word, in git's notation.
  private func differences(_ field: FieldConflict) -> [ConflictLine] {
    guard !privacy.hides, case .text(let ancestor)? = field.ancestor?.value, !ancestor.isEmpty else {
      return []
    }
    return [Side.client, .server].compactMap { side in
      guard let value = field.version(side)?.value, value != field.ancestor?.value,
        case .text(let text) = value
      else { return nil }
      return .text(
        "    A to \(side.letter): \(WordDiff.pieces(from: ancestor, to: text).map(\.description).joined())")
    }
  }
}
