import Merging
import StoreInterface

/// What a record tells of the clocks that its times are of.
///
/// CloudKit puts its own time on a record as it saves it; the fields in it carry the time of the device that set them, and the
/// inbox that of the device that received it. Nothing is saved before it is edited, and nothing is received before it is saved:
///
///     a field is later than its record        that device's clock was ahead, by as much at least
///     received before the record was saved    this device's clock was behind, by as much at least
///
/// How long an edit waited to be sent, and a record to be fetched, nobody knows. So this is the least that the clocks were
/// apart; most clocks that are a little wrong do not show.
struct ClockEvidence: Equatable {
  enum Kind: Equatable {
    /// By a device, and never by the server.
    case edited, received
  }

  let kind: Kind
  /// By the device's clock, and by the server's; in nanoseconds since 1970.
  let told, saved: Int64

  /// Dates of CloudKit are of whole milliseconds.
  private static let resolution: Int64 = 1_000_000

  /// nil where the times are in the order in which things happen.
  fileprivate init?(_ kind: Kind, told: Int64, saved: Int64) {
    (self.kind, self.told, self.saved) = (kind, told, saved)
    let isWrong = kind == .edited ? told > saved : told < saved
    if !isWrong || apart < ClockEvidence.resolution { return nil }
  }

  /// The strongest that these records are of.
  ///
  /// - Parameters:
  ///   - archives: as the server answered with them.
  ///   - receivedAt: when the first of them was received, by this device's clock; nil if another clock tells.
  init?(_ archives: [ArchivedVersion?], receivedAt: Int64?) {
    let edited = archives.compactMap { $0?.clockOfEdits }
    var received: [ClockEvidence] = []
    if let saved = archives.first??.stamp.time, let receivedAt, receivedAt > 0 {
      received = [ClockEvidence(.received, told: receivedAt, saved: saved)].compactMap(\.self)
    }
    guard let most = (edited + received).max(by: { $0.apart < $1.apart }) else { return nil }
    self = most
  }

  /// How far, in nanoseconds.
  var apart: Int64 { told.distance(inTimeTo: saved) }

  /// What a person should know.
  var words: String {
    let (told, saved) = (ClockEvidence.words(told), ClockEvidence.words(saved))
    let least = "by \(Reason.duration(apart)) at least"
    return switch kind {
    case .edited:
      "a device's clock was ahead of the server's \(least): an edit of \(told) was saved at \(saved)"
    case .received:
      "this device's clock was behind the server's \(least): what was saved at \(saved) came in at \(told)"
    }
  }

  private static func words(_ time: Int64) -> String {
    let calendar = CalendarTime(nanoseconds: time)
    return "\(calendar.date) \(calendar.clock)Z"
  }
}

extension ArchivedVersion {
  fileprivate var clockOfEdits: ClockEvidence? {
    guard let saved = stamp.time else { return nil }
    return newestEdit.flatMap { ClockEvidence(.edited, told: $0, saved: saved) }
  }
}

extension RecordVersion {
  /// Whether something of it was set after `time`, which is later than now: a clock was wrong.
  func isAhead(of time: Int64?) -> Bool {
    guard let time, let newestTime else { return false }
    return newestTime > time
  }
}

extension ThreeWay<RecordVersion> {
  /// What a person should know of clocks that were wrong.
  func notesOfTimesAhead(of time: Int64?) -> [String] {
    let sides = (client.isAhead(of: time) ? ["client"] : []) + (server.isAhead(of: time) ? ["server"] : [])
    return sides.map {
      "a time of the \($0) lies in the future: a device's clock was wrong, and it does not prove that edit to be the newer"
    }
  }
}
