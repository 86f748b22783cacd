extension Reason: CustomStringConvertible {
  /// One phrase without a full stop, in the words of the desk: "server newer by 5m 02s".
  public var description: String {
    switch self {
    case .unchanged: "unchanged"
    case .onlyChanged(let side): "only \(side.rawValue) changed"
    case .agree: "client and server agree"
    case .newer(let side, let by): "\(side.rawValue) newer by \(Reason.duration(by))"
    case .withinMargin(let side, let client, let server, let margin):
      "\(side.rawValue) newer by \(Reason.duration(client.distance(inTimeTo: server))), margin \(Reason.duration(margin))"
    case .sameTime(nil, _): "both changed"
    case .sameTime(_?, _): "same time"
    case .onlyTimeKnown(let side): "only the \(side.rawValue)'s time is known"
    case .noAncestor(let newer?): "no ancestor, \(newer.rawValue) newer"
    case .noAncestor(nil): "no ancestor"
    case .noAncestorTimeOf(let side): "no ancestor, only the \(side.rawValue)'s time is known"
    case .policy("keys"): "merged key by key"
    case .policy("text"): "merged word by word"
    case .policy(let name): "policy \(name)"
    case .policyNotApplicable(let name): "policy \(name) does not fit"
    case .overlap(places: 1): "1 overlap"
    case .overlap(let places): "\(places) overlaps"
    case .notAtHand(let side): "the \(side.rawValue)'s bytes are not here"
    case .timeAhead(let side): "the \(side.rawValue)'s time lies in the future"
    case .wrongType(let expected): "the value is no \(Reason.words(expected))"
    case .required: "would be NULL, and must have a value"
    case .pointsNowhere: "points to nothing here"
    case .notKnown(let side): "\(side.rawValue) not known"
    case .leafNotKnown: "a leaf cannot be read"
    case .deletedAgainstEdit(.client): "deleted on the client, edited on the server"
    case .deletedAgainstEdit: "deleted on the server, edited on the client"
    case .goneSince: "deleted since, nobody knows where"
    case .onlyOn(.client): "on the client alone, the server has no record of it"
    case .onlyOn: "on the server alone, the client has no record of it"
    case .folded(1, let edits): "1 leaf \(edits.rawValue)"
    case .folded(let leaves, let edits): "\(leaves) leaves \(edits.rawValue)"
    }
  }

  private static func words(_ kind: Field.Kind) -> String {
    switch kind {
    case .integer: "whole number"
    case .real: "number"
    case .blob: "bytes"
    case .text, .numeric, .any: kind.rawValue
    }
  }

  /// A length of time in its two largest units: "5m 02s", "3d 04h", "12ms", "100ns".
  public static func duration(_ nanoseconds: Int64) -> String {
    let magnitude = nanoseconds.magnitude
    let seconds = magnitude / 1_000_000_000
    switch seconds {
    case 0: return subsecond(magnitude)
    case ..<60: return "\(seconds)s"
    case ..<3600: return "\(seconds / 60)m \(twoDigits(seconds % 60))s"
    case ..<86400: return "\(seconds / 3600)h \(twoDigits(seconds % 3600 / 60))m"
    default: return "\(seconds / 86400)d \(twoDigits(seconds % 86400 / 3600))h"
    }
  }

  private static func subsecond(_ nanoseconds: UInt64) -> String {
    switch nanoseconds {
    case ..<1_000: "\(nanoseconds)ns"
    case ..<1_000_000: "\(nanoseconds / 1_000)us"
    default: "\(nanoseconds / 1_000_000)ms"
    }
  }

  private static func twoDigits(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
