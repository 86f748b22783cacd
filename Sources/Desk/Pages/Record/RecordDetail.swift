import Merging
import Simulation
import StoreInterface
import Telling
import Terminal

/// The lower part of the record screen: what differs in the field under the cursor, and why this is suggested.
struct RecordDetail {
  struct Line {
    var left: [Run] = []
    var right = ""
    /// What a click on it asks for.
    var command: Command?
    /// The version that it tells.
    var side: Side?
  }

  let desk: DeskState
  let shown: ShownRecord
  let field: FieldConflict?

  private var record: DecidedConflict { shown.record }

  func lines(width: Int, height: Int) -> [Line] {
    guard let field else { return notes(width) }
    // A rule that somebody gave is never left out.
    let rule = rule(of: field, width)
    let notes = notes(width) + (rule.isGiven ? rule.lines : [])
    let room = height - notes.count
    var lines = body(field, width, room)
    lines += (lines.count + notes.count < height ? [Line()] : []) + notes
    if !rule.isGiven, rule.lines.count <= height - lines.count { lines += rule.lines }
    return lines + decisions(width, height - lines.count)
  }

  /// On a low screen: the result, and before and below it as much of the rest as has room as a whole.
  ///
  /// - Returns: also whether the notes are among the lines.
  func shortLines(width: Int, rows: Int) -> (lines: [Line], hasNotes: Bool) {
    let notes = notes(width)
    guard let field else { return (notes, true) }
    let result = resultLines(field, width, rows)
    let (told, named) = (answers(width), answers(width, hasLosses: false))
    let bodies = [told, named].lazy.map { body(field, $0, isTight: true, width, rows - notes.count) + notes }
    let shorter = [told + notes, named + notes, notes].lazy.map { result + $0 }
    let fitting = bodies.first { $0.count <= rows } ?? shorter.first { $0.count <= rows }
    return (fitting ?? result, fitting != nil)
  }

  /// With the answers of a file: all of them with what each gives up, where that cuts no value, or as far as it goes; else by their
  /// names.
  private func body(_ field: FieldConflict, _ width: Int, _ room: Int) -> [Line] {
    let (told, named) = (answers(width), answers(width, hasLosses: false))
    if told.isEmpty { return body(field, [], isTight: false, width, room) }
    // As many lines as no screen has free, so that nothing is cut.
    let whole = [false, true].lazy.map { body(field, told, isTight: $0, width, room + 40) }
    if let whole = whole.first(where: { $0.count <= room }) { return whole }
    let bodies = [(told, false), (told, true), (named, false), (named, true), ([], false)].lazy.map {
      body(field, $0, isTight: $1, width, room)
    }
    return bodies.first { $0.count <= room } ?? body(field, [], isTight: true, width, room)
  }

  /// - Parameter isTight: whether its parts stand without a line between them.
  private func body(
    _ field: FieldConflict, _ answers: [Line], isTight: Bool, _ width: Int, _ room: Int
  ) -> [Line] {
    let gap = isTight ? [] : [Line()]
    let left = room - 1 - 2 * gap.count - answers.count
    // Two lines of each value tell more than what the answers are called.
    let least = answers.isEmpty ? 4 : isTight ? 5 : 7
    return [heading(field)] + gap + values(field, gap, width, max(least, left)) + answers
  }

  /// The sides and the result. The longest text gets what the others leave: each side at least one line.
  private func values(_ field: FieldConflict, _ gap: [Line], _ width: Int, _ room: Int) -> [Line] {
    let wanted = Side.allCases.map { versionLines(field, $0, width, room).count }
    let least = resultLines(field, width, 1).count
    // What is said in words is said in full; a value can do with one line.
    let more = resultLines(field, width, room).count - least
    let shares = shares(of: room - least + 1, among: wanted + [more + 1])
    let versions = zip(Side.allCases, shares).flatMap { versionLines(field, $0, width, $1) }
    return versions + gap + resultLines(field, width, max(1, least - 1 + shares[3]))
  }

  /// The decisions of this session about this record, as they fell; undo walks them back. Where not all have room, the newest.
  private func decisions(_ width: Int, _ room: Int) -> [Line] {
    let steps = desk.history.steps(of: record.conflict.id)
    guard room >= 5, !steps.isEmpty else { return [] }
    let heading = Line(
      left: [Run("Your decisions", .text.bold)],
      right: "\(desk.key(.undo)) undoes the last, \(desk.key(.redo)) redoes")
    var lines: [Line] = []
    for step in steps.reversed() {
      let told = told(step, width, room - 3)
      if lines.count + told.count > room - 3 { break }
      lines = told + lines
    }
    return [Line(), heading] + lines
  }

  /// All fields that it was about, under each other's start. Only what is more than there is room for is cut.
  private func told(_ step: History.Step, _ width: Int, _ room: Int) -> [Line] {
    let time = Run("  \(desk.time.long(step.time))   ", .dim)
    let gap = Run(String(repeating: " ", count: [time].width))
    let words = step.words(record.conflict, desk.privacy).sorted().joined(separator: ", ")
    return [Run(words)].wrapped(width - [time].width, cutAfter: room).enumerated().map { place, runs in
      Line(left: [place == 0 ? time : gap] + runs)
    }
  }

  private func heading(_ field: FieldConflict) -> Line {
    let type = [field.field.declaredType, field.field.isRequired ? "NOT NULL" : ""].filter { !$0.isEmpty }
    let reference = field.field.referencedTable.map { ["in \($0)"] } ?? []
    return Line(
      left: [
        Run(desk.privacy.name(field.name), .text.bold),
        Run("   " + (type + reference).joined(separator: " "), .dim),
      ],
      right: suggestionWords(field))
  }

  private func suggestionWords(_ field: FieldConflict) -> String {
    if record.conflict.isWhole || record.isGoneOrOwn {
      return record.undecided.isEmpty ? "decided as a whole" : "to decide as a whole"
    }
    let reason = shown.reason(field)
    guard let certainty = field.suggestion.certainty else { return reason }
    let letters = suggestedLetters(field)
    if record.resolution[.field(field.name)] != nil { return before(letters, certainty, reason) }
    guard let letters else { return "\(certainty.sign) to decide: \(reason)" }
    // Without times there is no tie, though the same setting suggests.
    if case .sameTime(_?, _) = field.suggestion.reason {
      return
        "\(certainty.sign) \(reason): a tie suggests \(letters), \(letters.prefix(1).lowercased()) takes it"
    }
    if case .withinMargin(_, let client, let server, let margin) = field.suggestion.reason {
      let (client, server) = (desk.time.long(client), desk.time.long(server))
      return "\(certainty.sign) C \(client), S \(server): within the margin of \(Reason.duration(margin))"
    }
    if certainty != .yours { return "\(certainty.sign) suggestion \(letters): \(reason)" }
    // Of what overlaps the rest is merged, and a person decides that.
    let also = field.suggestion.source == .merged ? "" : "; \(letters) is suggested"
    return "\(certainty.sign) to decide: \(reason)\(also)"
  }

  /// Of what is decided: a sign would say that it is still to do, and the letter of a suggestion that it is taken.
  private func before(_ letters: String?, _ certainty: Certainty, _ reason: String) -> String {
    guard let letters, certainty != .yours else { return "was to decide: \(reason)" }
    return "\(letters) was suggested: \(reason)"
  }

  /// nil where nothing is suggested that somebody could take.
  private func suggestedLetters(_ field: FieldConflict) -> String? {
    guard let source = field.suggestion.source, !field.isSuggestedElsewhere else { return nil }
    return switch source {
    case .both: shown.isTurned ? "C=S2" : "C=S"
    case .client: "C"
    case .server: shown.isTurned ? "S2" : "S"
    case .ancestor: "A"
    case .edited, .merged:
      shown.lettersOfLeaves(having: field.suggestion.value, in: field.name) ?? "M"
    }
  }

  private func versionLines(_ field: FieldConflict, _ side: Side, _ width: Int, _ room: Int) -> [Line] {
    let time = right(field, side, width)
    // A file has no time on any side.
    let least = record.conflict.details.file == nil ? 12 : 0
    let full = width
    let width = width - 7 - max(least, DisplayText.width(time))
    let lines = content(field, side, lines: room, width: width).wrapped(width).withoutEmptyEnd
    let isAll = isShownWhole(shown.version(field, side)?.value, field)
    return cut(
      lines, Run("  \(side.letter)  ", .side(side).bold), right: time, isAll: isAll, in: full, room
    ).map { Line(left: $0.left, right: $0.right, side: side) }
  }

  /// Whether the lines of a value are all that it has: of a long one a part is broken into lines.
  private func isShownWhole(_ value: Value?, _ field: FieldConflict) -> Bool {
    let line = desk.privacy.line(value, of: shown.inColumns(field), in: record.conflict)
    return line.utf8.count <= CellText.limit
  }

  /// As many of a value's lines as there is room for; the last one tells how many more there are.
  ///
  /// - Parameters:
  ///   - isAll: whether these are all lines that it has.
  ///   - width: with the letter before them, and what stands on the right.
  private func cut(
    _ lines: [[Run]], _ letter: Run, right: String, isAll: Bool, in width: Int, _ room: Int
  ) -> [Line] {
    let shown = lines.prefix(room).enumerated().map { index, line in
      Line(left: [index == 0 ? letter : Run("     ")] + line, right: index == 0 ? right : "")
    }
    guard lines.count > room, var last = shown.last else { return shown }
    let words = [more(lines.count - room, isAll: isAll, room, width), last.right]
    last.right = words.filter { !$0.isEmpty }.joined(separator: "   ")
    let left = width - 7 - DisplayText.width(last.right)
    last.left = last.left.prefix(1) + (lines[room - 1].wrapped(max(8, left), most: 1).first ?? [])
    return shown.dropLast() + [last]
  }

  private func more(_ count: Int, isAll: Bool, _ room: Int, _ width: Int) -> String {
    if room == 1 { return "› \(count)\(isAll ? "" : "+") more" }
    let lines = "› \(isAll ? "" : "at least ")\(count) more line\(count == 1 ? "" : "s")"
    return width < 78 ? lines : lines + ", Enter shows all"
  }

  private func content(_ field: FieldConflict, _ side: Side, lines: Int, width: Int) -> [Run] {
    if case .unknown(let reason) = shown.columns.version(side) {
      return [Run("not known: \(desk.privacy.told(reason, of: record.conflict))", .dim)]
    }
    if let absence = shown.absence(side, desk.time) { return [Run(absence, .dim)] }
    guard let version = shown.version(field, side) else { return [Run("no such field on this side", .dim)] }
    if let title = desk.privacy.title(of: version.value, in: field.name, of: record.conflict) {
      // What the key's record is called is what a person reads: a long key is what is cut.
      let (key, name) = (desk.privacy.line(version.value), Run(title, .side(side).bold))
      return key.count <= 6
        ? [Run(key + "  ", .side(side)), name] : [name, Run("  " + key, .side(side))]
    }
    return shown.difference(field, side, desk, lines: lines, width: width)
  }

  private func revision(_ side: Side) -> String? { desk.privacy.revision(side, of: shown) }

  /// The time of a version; of a history that is a tree, the revision, whole where there is room.
  private func right(_ field: FieldConflict, _ side: Side, _ width: Int) -> String {
    let value = shown.version(field, side)?.value
    let isUnchanged = side != .ancestor && field.ancestor != nil && value == field.ancestor?.value
    if isUnchanged { return "unchanged" }
    if shown.hasTree { return (width < 98 ? shown.shortRevision(side) : revision(side)) ?? "" }
    return desk.time.long(field.version(side)?.time)
  }

  /// - Parameter room: how many lines a value may take.
  func resultLines(_ field: FieldConflict, _ width: Int, _ room: Int) -> [Line] {
    guard !record.conflict.isWhole else { return wholeResult(width) }
    if record.isGoneOrOwn { return [] }
    let choice = record.resolution[.field(field.name)]
    guard field.field.isWritable else { return [] }
    if choice == nil, field.suggestion.certainty == .yours {
      return [Line(left: [Run("  R  ", .result.bold), Run(choices(field), .needs.bold)])]
    }
    let origin = origin(of: field, choice)
    let text = CellText(shown: shown, privacy: desk.privacy)
    let lines = text.allLines(
      field.draft(choice).value, field, width: max(10, width - 7 - DisplayText.width(origin)), seen: room)
    return cut(
      lines.map { [Run($0, .result)] }, Run("  R  ", .result.bold), right: origin,
      isAll: isShownWhole(field.draft(choice).value, field), in: width, room)
  }

  private func origin(of field: FieldConflict, _ choice: Choice?) -> String {
    if let choice { return "✓ \(shown.words(choice, field))" }
    if field.losesWhatAMergeKeeps {
      return "suggested; \(desk.key(.record(.merge), on: .record)) keeps both edits"
    }
    return field.change == .unchanged ? "unchanged" : "suggested, not yet decided"
  }

  /// What can be chosen here, by key; the sides whose bytes are not here are not offered.
  private func choices(_ field: FieldConflict) -> String {
    let sides = [Side.client, .server, .ancestor].filter {
      record.conflict.refusal(of: .take($0), for: .field(field.name)) == nil
    }
    let merge = field.mayHaveParts ? ", m to merge" : ""
    return "to decide: " + (sides.map { $0.letter.lowercased() } + ["or e to edit"]).joined(separator: " ")
      + merge
  }

  private func wholeResult(_ width: Int) -> [Line] {
    let label = Run("  R  ", .result.bold)
    if let answer = record.answer { return told(answer, label, width) }
    // That it waits is told among the notes.
    if record.conflict.details.waitingSince != nil { return [] }
    guard case .take(let side)? = record.resolution[.record] else {
      return [Line(left: [label, Run("to decide: \(record.waysByKey)", .needs.bold)])]
    }
    let isDeletion = !record.conflict.version(side).isPresent
    let words = isDeletion ? "the record is deleted" : "the \(side.rawValue)'s version is taken"
    return [Line(left: [label, Run(words, .result)], right: "✓ \(side.rawValue) taken")]
  }

  /// What a file that syncs whole can be answered, each by its key and its name.
  ///
  /// - Parameter hasLosses: with what it gives up; where there is no room for that o tells it.
  private func answers(_ width: Int, hasLosses: Bool = true) -> [Line] {
    let conflict = record.conflict
    guard conflict.details.file != nil, conflict.details.waitingSince == nil, !record.undecided.isEmpty else {
      return []
    }
    let losses = Losses(conflict)
    // Whatever is typed: no side has it.
    let own = conflict.alternative(typing: .null)
    return (conflict.alternatives + [own].compactMap(\.self)).flatMap { answer in
      let side = Side(rawValue: answer.id)
      let (key, command): (String, Command) =
        answer == own
        ? ("e", .edit) : side.map { ($0.letter.lowercased(), .take($0)) } ?? ("o", .record(.alternatives))
      let lost = hasLosses ? losses.of(answer) : []
      let given = lost.isEmpty ? "" : "; gives up \(desk.privacy.words(lost))"
      let lines = [Run(desk.privacy.words(answer) + given, .dim)].wrapped(width - 9)
      return lines.enumerated().map {
        Line(left: [Run($0 == 0 ? "     \(key)  " : "        ")] + $1, command: command)
      }
    } + (hasLosses ? [] : [lossesElsewhere])
  }

  private var lossesElsewhere: Line {
    Line(left: [Run("     o tells what each of them gives up", .dim)], command: .record(.alternatives))
  }

  /// An answer by its name, and what nobody will see any more.
  private func told(_ answer: Alternative, _ label: Run, _ width: Int) -> [Line] {
    let lost = Losses(record.conflict).of(answer)
    let given = lost.isEmpty ? [] : [[Run("     given up: \(desk.privacy.words(lost))", .dim)]]
    let words = [Run(desk.privacy.words(answer), .result)].wrapped(width - 7, most: 2)
    let lines = words.enumerated().map { [$0 == 0 ? label : Run("     ")] + $1 }
    return (lines + given).map { Line(left: $0) }
  }

  /// What SQLiteData has done with the field by itself; else what it would do today, where that is something else.
  private var today: String? {
    guard desk.store.can.contains(.foretell), let field else { return nil }
    if let merged = record.conflict.wordsOfMergedRow(field, desk.privacy) { return merged }
    let outcome =
      record.conflict.isWhole
      ? TodaysRules.recordOutcome(of: record.conflict) : TodaysRules.outcome(of: record.conflict)[field.name]
    return outcome.flatMap {
      $0.differs ? "Left alone, SQLiteData keeps \($0.kept.letter): \($0.reason)" : nil
    }
  }

  /// The rule that made the suggestion, and where it comes from.
  private func rule(of field: FieldConflict, _ width: Int) -> (lines: [Line], isGiven: Bool) {
    let conflict = record.conflict
    guard field.isByRule, !conflict.isWhole, !record.isGoneOrOwn else { return ([], false) }
    let force = conflict.rules.ruleInForce(table: conflict.table, field: field.name)
    let places = [desk.rules.words(of: force.entry), desk.rules.shortWords(of: force.entry)]
    let told = places.map { "rule \(force.words(table: desk.store.words.table)) (\($0))" }
    // Without its folder, where all of it would not be seen.
    let words = told.first { DisplayText.width($0) <= width - 2 } ?? told[1]
    let lines = [Run("· ", .dim), Run(words, .dim)].wrapped(width).map { Line(left: $0) }
    return (lines, desk.rules.places[force.entry] != nil)
  }

  private func notes(_ width: Int) -> [Line] {
    // It is nothing more to decide, so it has another sign.
    let left = today.map { [Run("· ", .dim), Run($0, .dim)].wrapped(width) } ?? []
    return (remarks.flatMap { [Run("! ", .needs), Run($0)].wrapped(width) } + left).map { Line(left: $0) }
  }
}

/// What is said of the record beside its field, in sentences.
extension RecordDetail {
  private var remarks: [String] {
    let conflict = record.conflict
    let told = desk.privacy.notes(of: conflict)
    let unwritable = conflict.details.notWritable.map { "Cannot be written: \($0)" }
    let refused = desk.refusalWords(conflict.id)
    let others = [unknownAncestor(besides: told), waiting, unwritable, refused, unfinishedMerge]
    return told + others.compactMap(\.self) + outdated + unseenDifferences
  }

  /// nil where another note says it; of a file the line of its ancestor does.
  private func unknownAncestor(besides notes: [String]) -> String? {
    guard case .unknown(let why)? = record.conflict.versions.ancestor, !shown.hasTree,
      record.conflict.details.file == nil || field == nil
    else { return nil }
    let reason = desk.privacy.told(why, of: record.conflict)
    return notes.contains(where: { $0.contains(reason) }) ? nil : "Ancestor not known: \(reason)"
  }

  private var waiting: String? {
    let details = record.conflict.details
    guard details.waitingSince != nil else { return nil }
    let place = details.file == nil ? "Its draft waits for the app" : "It waits in the outbox"
    return "\(place); in the list \(desk.key(.undo, on: .list)) takes the last write back."
  }

  private var unfinishedMerge: String? {
    let half = field.flatMap { desk.open[record.conflict.id]?.resolution[.field($0.name)]?.unfinished }
    guard let count = half?.choices.count else { return nil }
    let (key, verb) = (desk.key(.record(.merge), on: .record), count == 1 ? "is" : "are")
    return "\(count) of its changes \(verb) decided: \(key) goes on with the others."
  }

  private var outdated: [String] {
    record.outdated.map { desk.privacy.words($0.subject) }.sorted().map {
      "Your decision on \($0) no longer holds: what it was about has changed."
    }
  }

  private var unseenDifferences: [String] {
    guard !desk.privacy.hides, let field = field.flatMap({ shown.columns[$0.name] }) else { return [] }
    let unseen = UnseenVersions.all(isASCII: desk.isASCII) { field.version($0)?.value }
    return unseen.map { $0.named.capitalizedFirst + "." }
  }
}

extension History.Step {
  /// "title: client taken", a subject each.
  fileprivate func words(_ conflict: RecordConflict, _ privacy: Privacy) -> [String] {
    subjects.map { subject in
      let parts = new[subject].flatMap { if case .parts(let parts) = $0 { parts } else { nil } }
      let words = new[subject].map {
        privacy.words($0, about: subject, of: conflict) + (parts.map(privacy.beside) ?? "")
      }
      return "\(privacy.words(subject)): \(words ?? "open again")"
    }
  }
}

extension FieldConflict {
  /// Whether the bytes that would be suggested are on another device, so that nobody can take them.
  fileprivate var isSuggestedElsewhere: Bool {
    if case .notAtHand = suggestion.reason { true } else { false }
  }
}
