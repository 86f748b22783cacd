import Desk
import ExactJSON
import Merging
import StoreInterface
import Telling

/// The lines of `parley doctor` for one finding.
enum FindingText {
  /// - Parameters:
  ///   - finding: as a report tells it.
  ///   - isNamed: whether it was asked for by its id.
  ///   - privacy: of its values.
  ///   - cutSign: see ``LineWriter/cutSign``.
  static func lines(
    _ finding: Finding, isNamed: Bool, _ privacy: Privacy, width: Int?, isASCII: Bool, cutSign: String
  ) -> [String] {
    let key = width == nil ? finding.record : ListText.end(ofKey: finding.record, cutSign)
    let place = key.isEmpty ? finding.table : "\(finding.table)/\(key)"
    let parts: [(String, String?)] = [
      ("because", finding.cause), ("mended by", finding.remedy),
      ("mend does", mending(finding, isNamed: isNamed)),
      ("or server", finding.takesServer.map { "\($0) --take server" }),
      ("about", finding.related.isEmpty ? nil : finding.related.prefix(5).joined(separator: ", ")),
      ("changed", finding.time.map { TimeText.seconds($0) }), ("id", finding.id),
    ]
    let details = parts.flatMap { label, text in text.map { FindingText.detail(label, $0, width) } ?? [] }
    return HangingLine.lines(of: "\(finding.what): \(finding.title)  (\(place))", width: width)
      + detail("shown by", finding.evidence, width)
      + values(of: finding, privacy, width: width, isASCII: isASCII) + details
  }

  /// Among others it is told that nobody mends it with them.
  private static func mending(_ finding: Finding, isNamed: Bool) -> String? {
    finding.canBeMended.map {
      finding.takesSide && !isNamed ? "\($0.ended) Done only if this finding is named." : $0
    }
  }

  private static let margin = 13

  private static func detail(_ label: String, _ text: String, _ width: Int?) -> [String] {
    HangingLine.lines(("  " + label).padding(to: margin), text, width: width)
  }

  /// "differs    notes, server: two → here: three", each field in a line; of what would be ended "would go   notes: two".
  private static func values(
    of finding: Finding, _ privacy: Privacy, width: Int?, isASCII: Bool
  ) -> [String] {
    finding.differences.enumerated().flatMap { place, field in
      let label = place == 0 ? field.headingOfFinding.lowercased() : ""
      let head = ("  " + label).padding(to: margin) + privacy.wholeName(field.label)
      if field.after == nil {
        return HangingLine.lines(
          head + ": ", privacy.told(field).old, width: width, most: HangingLine.mostOfValue)
      }
      return line(head, field, finding.parties, privacy, isASCII).lines(width: width)
    }
  }

  private static func line(
    _ head: String, _ field: LastWrite.FieldChange, _ parties: Finding.Parties, _ privacy: Privacy,
    _ isASCII: Bool
  ) -> ChangeLine {
    let texts = privacy.told(field)
    // By hashes nobody is told how the values differ.
    let values: (old: Value?, new: Value?) = privacy.hides ? (nil, nil) : (field.before, field.after)
    return ChangeLine(
      head: "\(head), \(parties.before): ", values: values, texts: texts,
      told: UnseenDifference.telling(texts, of: values.old, values.new, isASCII: isASCII),
      arrow: "→ \(parties.after):", isASCII: isASCII)
  }

  /// How many there are, and how many of them Parley can mend.
  struct Count {
    /// Whether they were named, so that also those are mended in which a side loses something.
    let areNamed: Bool
    private(set) var all = 0
    /// Changes on their way, of which nothing is wrong.
    private(set) var waiting = 0
    private(set) var mendable = 0
    private(set) var onlyByName = 0

    mutating func add(_ finding: Finding) {
      all += 1
      if finding.isWaiting { waiting += 1 }
      guard finding.canBeMended != nil else { return }
      if finding.takesSide, !areNamed { onlyByName += 1 } else { mendable += 1 }
    }

    /// Whether something is stuck, and not only on its way.
    var isAnyStuck: Bool { all > waiting }

    /// "11 findings, 2 of them on their way; Parley can mend 4 of them: --mend."
    var words: String {
      if all == 0 { return "No findings." }
      guard isAnyStuck else {
        return "Nothing is stuck: \(all == 1 ? "1 change is on its way" : "\(all) changes are on their way")."
      }
      let onTheirWay = waiting == 0 ? "" : ", \(waiting) of them on \(waiting == 1 ? "its" : "their") way"
      let found = (all == 1 ? "1 finding" : "\(all) findings") + onTheirWay
      switch (mendable, onlyByName) {
      case (0, 0): return found + "; none that Parley can mend."
      case (0, _): return found + "; \(byName("Parley can mend"))"
      case (all, _): return found + "; Parley can mend \(all == 1 ? "it" : "all of them"): --mend."
      case (_, 0): return found + "; Parley can mend \(mendable) of them: --mend."
      default: return found + "; Parley can mend \(mendable) of them: --mend; and \(byName(""))"
      }
    }

    private func byName(_ verb: String) -> String {
      let which = all == 1 ? "it" : "\(onlyByName)\(verb.isEmpty ? " more" : " of them")"
      return [verb, which].filter { !$0.isEmpty }.joined(separator: " ")
        + " if named, as something would be given up: ID --mend."
    }
  }
}

/// The lines that tell what waits for upload.
enum UploadQueueText {
  /// - Parameters:
  ///   - now: nanoseconds since 1970.
  ///   - cutSign: see ``LineWriter/cutSign``.
  static func lines(_ queue: UploadQueue, now: Int64, width: Int?, cutSign: String) -> [String] {
    let head = queue.count == 0 ? "Nothing waits for upload." : "Waiting for upload: \(changes(queue.count))."
    let more = queue.count - queue.waiting.count
    let rest =
      more > 0 && !queue.waiting.isEmpty ? ["  and \(more) more; --queue \(queue.count) shows all"] : []
    let waiting = queue.waiting.map { waiting in
      // As the list names it in a terminal.
      let key = width == nil ? waiting.record : ListText.end(ofKey: waiting.record, cutSign)
      return line(waiting, key, now)
    }
    let told = (queue.parts.map(part) + waiting).flatMap { HangingLine.lines(of: "  " + $0, width: width) }
    return [head] + told + rest
  }

  private static func changes(_ count: Int) -> String { count == 1 ? "1 change" : "\(count) changes" }

  private static func part(_ part: UploadQueue.Part) -> String {
    if let problem = part.problem {
      return "\(part.name): \(part.bytes) bytes that cannot be read: \(problem)"
    }
    let facts: [String?] = [
      "\(part.saves) to save", "\(part.deletions) to delete",
      part.inFlight > 0 ? "\(part.inFlight) of a batch that was being sent" : nil,
      part.zoneChanges > 0 ? "\(changes(part.zoneChanges)) of zones" : nil,
      part.unreadable > 0 ? "\(part.unreadable) unreadable" : nil,
      part.mustFetch == true ? "news of the server not fetched yet" : nil,
      part.bytes > 0 ? "\(part.bytes) bytes" : nil,
    ]
    return "\(part.name): " + facts.compactMap(\.self).joined(separator: ", ")
  }

  private static func line(_ waiting: UploadQueue.Waiting, _ key: String, _ now: Int64) -> String {
    let verb = waiting.isDeletion ? "delete" : "save  "
    let since = waiting.since.map { "  changed \(TimeText.seconds($0))\(duration(from: $0, to: now))" } ?? ""
    return "\(verb)  \(waiting.table)/\(key)\(since)"
  }

  /// " (3h 12m)"; nothing for a time that lies ahead.
  private static func duration(from start: Int64, to now: Int64) -> String {
    let (nanoseconds, overflow) = now.subtractingReportingOverflow(start)
    return overflow || nanoseconds < 0 ? "" : " (\(Reason.duration(nanoseconds)))"
  }
}

/// Which of many findings are printed in full: the first few of a kind. Damage is seldom alone, and hundreds of paragraphs that
/// say the same hide the one that does not.
struct FindingFold {
  /// How many of a kind are printed in full.
  static let shown = 3

  private struct Kind: Hashable {
    let what: String
    let cause: String
  }

  private var order: [Kind] = []
  private var counts: [Kind: Int] = [:]

  /// Whether this one is printed in full; it is counted all the same.
  mutating func shows(_ finding: Finding) -> Bool {
    let kind = Kind(what: finding.what, cause: finding.cause)
    if counts[kind] == nil { order.append(kind) }
    counts[kind, default: 0] += 1
    return counts[kind, default: 0] <= FindingFold.shown
  }

  /// "534 more: a revision stored twice", for each kind of which some were not printed.
  var lines: [String] {
    let more = order.compactMap { kind in
      let count = counts[kind, default: 0] - FindingFold.shown
      return count > 0 ? "\(count) more: \(kind.what)" : nil
    }
    return more.isEmpty ? [] : more + ["  --all shows each of them, --json has them all", ""]
  }
}

extension JSON {
  /// One line of `parley doctor --json`. `mend` says what `--mend` would do; null if it can do nothing.
  ///
  /// - Parameters:
  ///   - finding: as a report tells it.
  ///   - privacy: of its values.
  init(_ finding: Finding, _ privacy: Privacy) {
    self.init(members: [
      "finding": .string(finding.id), "what": .string(finding.what), "table": .string(finding.table),
      "record": .string(finding.record), "title": .string(finding.title),
      "evidence": .string(finding.evidence), "differences": JSON(finding.differences, privacy),
      "ends": .bool(finding.differences.contains { $0.after == nil }),
      "cause": .string(finding.cause), "remedy": .string(finding.remedy), "mend": JSON(finding.canBeMended),
      "mendServer": JSON(finding.takesServer),
      "related": .array(finding.related.map { .string($0) }), "time": JSON(finding.time),
    ])
  }

  /// The last line of `parley doctor --json`.
  init(_ queue: UploadQueue) {
    self.init(members: [
      "queue": .array(queue.parts.map { JSON($0) }), "count": JSON(queue.count),
      "waiting": .array(queue.waiting.map { JSON($0) }),
    ])
  }

  private init(_ part: UploadQueue.Part) {
    self.init(members: [
      "part": .string(part.name), "bytes": JSON(part.bytes), "saves": JSON(part.saves),
      "deletions": JSON(part.deletions), "inFlight": JSON(part.inFlight), "unreadable": JSON(part.unreadable),
      "zoneChanges": JSON(part.zoneChanges), "mustFetch": part.mustFetch.map { .bool($0) } ?? .null,
      "problem": JSON(part.problem),
    ])
  }

  private init(_ waiting: UploadQueue.Waiting) {
    self.init(members: [
      "table": .string(waiting.table), "record": .string(waiting.record),
      "action": .string(waiting.isDeletion ? "delete" : "save"), "part": .string(waiting.part),
      "since": JSON(waiting.since),
    ])
  }
}
