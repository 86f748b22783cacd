import Desk
import Merging
import StoreInterface
import Telling
import Terminal

/// The lines of `parley doctor` for one finding.
enum FindingText {
  static func lines(_ finding: Finding, width: Int?) -> [String] {
    let place = finding.record.isEmpty ? finding.table : "\(finding.table)/\(finding.record)"
    let parts: [(String, String?)] = [
      ("shown by", finding.evidence), ("because", finding.cause), ("mended by", finding.remedy),
      ("parley can", finding.canBeMended),
      ("about", finding.related.isEmpty ? nil : finding.related.prefix(5).joined(separator: ", ")),
      ("since", finding.time.map { TimeText.seconds($0) }), ("id", finding.id),
    ]
    let details = parts.flatMap { label, text in text.map { FindingText.detail(label, $0, width) } ?? [] }
    return [cut("\(finding.what): \(finding.title)  (\(place))", to: width)] + details
  }

  private static let margin = 13

  /// What is long goes on below itself, as the end of a sentence may be what matters.
  private static func detail(_ label: String, _ text: String, _ width: Int?) -> [String] {
    let lines = [Run(text)].wrapped(width.map { max(20, $0 - margin) } ?? .max)
    return lines.enumerated().map { index, line in
      let head = "  " + (index == 0 ? label : "")
      return cut(head.padding(to: margin) + line.map(\.text).joined(), to: width)
    }
  }

  /// How many there are, and how many of them Parley can mend.
  struct Count {
    /// Whether they were named, so that also those are mended in which a side loses something.
    let areNamed: Bool
    private(set) var all = 0
    private(set) var mendable = 0
    private(set) var onlyByName = 0

    init(areNamed: Bool) { self.areNamed = areNamed }

    mutating func add(_ finding: Finding) {
      all += 1
      guard finding.canBeMended != nil else { return }
      if finding.takesSide, !areNamed { onlyByName += 1 } else { mendable += 1 }
    }

    /// "11 findings; Parley can mend 4 of them: --mend."
    var words: String {
      let found = all == 0 ? "No findings." : all == 1 ? "1 finding" : "\(all) findings"
      if all == 0 { return found }
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
        + " if named, as a side would lose an edit: ID --mend."
    }
  }
}

/// The lines that tell what waits for upload.
enum UploadQueueText {
  /// - Parameter now: nanoseconds since 1970.
  static func lines(_ queue: UploadQueue, now: Int64, width: Int?) -> [String] {
    let head = queue.count == 0 ? "Nothing waits for upload." : "Waiting for upload: \(changes(queue.count))."
    let more = queue.count - queue.waiting.count
    let rest =
      more > 0 && !queue.waiting.isEmpty ? ["  and \(more) more; --queue \(queue.count) shows all"] : []
    return [head] + queue.parts.map { cut("  " + part($0), to: width) }
      + queue.waiting.map { cut("  " + waiting($0, now), to: width) } + rest
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
      part.mustFetch == true ? "news of the server not fetched yet" : nil, "\(part.bytes) bytes",
    ]
    return "\(part.name): " + facts.compactMap(\.self).joined(separator: ", ")
  }

  private static func waiting(_ waiting: UploadQueue.Waiting, _ now: Int64) -> String {
    let verb = waiting.isDeletion ? "delete" : "save  "
    let since = waiting.since.map { "  since \(TimeText.seconds($0))\(duration(from: $0, to: now))" } ?? ""
    return "\(verb)  \(waiting.table)/\(waiting.record)\(since)"
  }

  /// " (3h 12m)"; nothing for a time that lies ahead.
  private static func duration(from start: Int64, to now: Int64) -> String {
    let (nanoseconds, overflow) = now.subtractingReportingOverflow(start)
    return overflow || nanoseconds < 0 ? "" : " (\(Reason.duration(nanoseconds)))"
  }
}
