import Merging

extension Suggestion<Value> {
  var swapped: Suggestion {
    Suggestion(value, source: source?.swapped, certainty: certainty, reason: reason.swapped)
  }
}

/// A suggestion whose value is compared as a set if it is one: the client's order is kept, and so follows the side.
struct SwappedSuggestion: Equatable {
  let value: Value
  let elements: [String]?
  let source: Source?
  let certainty: Certainty?
  let reason: Reason

  init(_ suggestion: Suggestion<Value>) {
    (source, certainty, reason) = (suggestion.source, suggestion.certainty, suggestion.reason)
    guard source == .merged, case .text(let text) = suggestion.value, text.hasPrefix("[") else {
      (value, elements) = (suggestion.value, nil)
      return
    }
    (value, elements) = (.null, text.dropFirst().dropLast().split(separator: ",").map(String.init).sorted())
  }
}

extension Source {
  var swapped: Source {
    switch self {
    case .client: .server
    case .server: .client
    case .both, .ancestor, .edited, .merged: self
    }
  }
}

extension Side {
  var swapped: Side {
    switch self {
    case .ancestor: .ancestor
    case .client: .server
    case .server: .client
    }
  }
}

extension Reason {
  var swapped: Reason {
    switch self {
    case .onlyChanged(let side): .onlyChanged(side.swapped)
    case .newer(let side, let difference): .newer(side.swapped, by: difference)
    case .withinMargin(let side, let client, let server, let margin):
      .withinMargin(side.swapped, client: server, server: client, margin: margin)
    case .sameTime(let time, let side): .sameTime(time, tieRule: side.swapped)
    case .onlyTimeKnown(let side): .onlyTimeKnown(side.swapped)
    case .noAncestor(let side): .noAncestor(newer: side?.swapped)
    case .noAncestorTimeOf(let side): .noAncestorTimeOf(side.swapped)
    case .policy("client"): .policy("server")
    case .policy("server"): .policy("client")
    case .notAtHand(let side): .notAtHand(side.swapped)
    case .notKnown(let side): .notKnown(side.swapped)
    case .timeAhead(let side): .timeAhead(side.swapped)
    case .deletedAgainstEdit(let side): .deletedAgainstEdit(deleted: side.swapped)
    case .onlyOn(let side): .onlyOn(side.swapped)
    case .unchanged, .agree, .required, .pointsNowhere, .policy, .policyNotApplicable, .overlap, .folded,
      .wrongType, .leafNotKnown, .goneSince:
      self
    }
  }
}
