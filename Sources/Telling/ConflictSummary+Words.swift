import Merging
import StoreInterface

extension RecordConflict {
  /// What happened since a decision that holds no longer. With another index or other ancestors a file is another conflict, and a
  /// server's document with other ancestors, though nothing of it has changed, and nobody can tell which of them it was.
  package var whatChanged: String { readWith.whatChanged ?? "it changed" }

  /// "its draft waits for the app since 2026-11-20T13:00:02Z"; nil where none waits.
  package var waitingWords: String? {
    guard let since = details.waitingSince else { return nil }
    let why: ConflictSummary.Why = details.file == nil ? .waiting : .inOutbox
    return "\(Privacy.open.why(why)) since \(TimeText.seconds(since))"
  }
}

extension ConflictSummary.ReadWith {
  /// nil where it can only be the record.
  fileprivate var whatChanged: String? {
    switch self {
    case .nothing: nil
    case .ancestors: "it, or the ancestors given with it, changed"
    case .indexAndAncestors: "it, or the index or ancestors given with it, changed"
    }
  }
}

extension ConflictSummary {
  /// "changed since it was decided"
  package var movedWords: String { (readWith.whatChanged ?? "changed") + " since it was decided" }

  /// The same in a cell. It may be only that it was decided with another index or other ancestors.
  package var movedInShort: String { readWith == .nothing ? "changed since" : "not as decided" }
}

extension ConflictSummary {
  /// The same of a record of which the other side has none.
  package static func words(onlyOn side: Side) -> String { side == .server ? "! not here" : "! not there" }

  /// Where it stands, behind the sign that stands for it everywhere: "! 2 to decide", "^ clock", "✓ ready".
  package var stateWords: String {
    if waitingSince != nil { return "⇡ waiting" }
    if refusal != nil { return "✗ refused" }
    if holdsNoLonger { return "! look again" }
    if isReady { return "✓ ready" }
    return switch (kind, certainty) {
    case (.deletedOnClient, _), (.deletedOnServer, _): "! deletion"
    case (.onlyOnServer, _): ConflictSummary.words(onlyOn: .server)
    case (.onlyOnClient, _): ConflictSummary.words(onlyOn: .client)
    case (.noAncestor, .yours): "! no ancestor"
    // Of the undecided: never more than there were.
    case (_, .yours): "! \(max(1, min(counts.yours, undecided))) to decide"
    case (_, .byClock): "^ clock"
    case (_, .sure): isByPolicy ? "~ policy" : "~ sure"
    }
  }
}

extension ConflictSummary {
  /// Of a record that is decided in part; nil for any other.
  fileprivate var countOfDecided: Int? {
    let decided = counts.all - undecided
    return decided > 0 && undecided > 0 && waitingSince == nil ? decided : nil
  }
}

extension Privacy {
  /// "rating: CHECK constraint failed". A reason may quote values.
  package func words(_ refusal: DraftRefusal) -> String {
    (refusal.field.map { "\(name($0)): " } ?? "") + shown(refusal.reason)
  }

  /// Why it stands where it does: what its store refused counts more than what was decided.
  package func why(_ summary: ConflictSummary) -> String {
    if let refusal = summary.refusal { return words(refusal) }
    return why(summary.why) + (summary.countOfDecided.map { "; \($0) decided" } ?? "")
  }

  /// "title: server newer by 5m 02s", "3 fields, newer wins".
  package func why(_ why: ConflictSummary.Why) -> String {
    switch why {
    case .waiting: "its draft waits for the app"
    case .inOutbox: "it waits in the outbox"
    case .tagOnly: "tag only"
    case .decided: "decided"
    case .record(let reason): reason.description
    case .field(let name, let reason): "\(self.name(name)): \(reason)"
    case .fields(let reasons, let certainty, let byPolicy):
      "\(reasons.count) fields, " + inCommon(reasons, certainty, byPolicy)
    }
  }

  private func inCommon(_ reasons: [Reason], _ certainty: Certainty?, _ byPolicy: Int) -> String {
    let words = Set(reasons.map(\.short))
    if let only = words.first, words.count == 1 { return only }
    return switch certainty {
    case .sure?: byPolicy > 0 ? "\(byPolicy) by policy" : "no clash"
    case .byClock?: "newer wins"
    case .yours?, nil: "for you to decide"
    }
  }
}

extension Reason {
  /// The same for several fields at once, so without a length of time.
  fileprivate var short: String {
    switch self {
    case .newer(let side, _): "\(side.rawValue) newer"
    case .withinMargin: "newer by less than the margin"
    case .onlyChanged, .agree: "no clash"
    default: description
    }
  }
}

extension Reason {
  /// In full, for a place that does not have the times beside it.
  ///
  /// - Parameter time: how a time is told; in UTC, if nothing else is said.
  package func words(_ time: (Int64) -> String = TimeText.full) -> String {
    guard case .withinMargin(_, let client, let server, _) = self else { return description }
    return "\(self) (client \(time(client)), server \(time(server)))"
  }
}
