import Merging
import StoreInterface
import Testing

/// A policy with what the laws need to know of it.
struct NamedPolicy: Sendable, CustomTestStringConvertible {
  let name: String
  let tie: TieRule
  let policy: MergePolicy<Value>

  var testDescription: String { "\(name), ties to the \(tie)" }

  func suggestion(_ versions: ThreeWay<FieldVersion<Value>>) -> Suggestion<Value> {
    policy.suggestion(for: versions)
  }

  /// The others compute a value that no side need have had.
  var choosesASide: Bool { !["counter", "set", "text", "longer"].contains(name) }

  /// Policies that need neither clock nor ancestor were chosen to decide without asking, and do.
  var decidesWithoutAncestor: Bool {
    ["client", "server", "set", "maximum", "minimum", "longer"].contains(name)
  }

  /// The policy that does to swapped sides what this one does.
  var swapped: NamedPolicy {
    let opposites = ["client": "server", "server": "client"]
    let (name, tie) = (opposites[name] ?? name, tie == .client ? TieRule.server : .client)
    return policies.first { $0.name == name && $0.tie == tie } ?? self
  }
}

let policies: [NamedPolicy] = TieRule.allCases.flatMap { tie in
  MergeRule.allCases.map { NamedPolicy(name: $0.rawValue, tie: tie, policy: $0.policy(tie: tie)) }
    + [NamedPolicy(name: "longer", tie: tie, policy: longer(tie: tie))]
}

/// A policy in code: the text with more characters; no answer if both have as many, or for anything else than text.
private func longer(tie: TieRule) -> MergePolicy<Value> {
  .custom("longer", tie: tie) { _, client, server in
    guard case .text(let left) = client, case .text(let right) = server else { return .null }
    return left.count == right.count ? .text("both") : left.count > right.count ? client : server
  }
}

/// All small inputs: numbers, sets, and texts, so that each policy meets values that fit it and values that do not.
let all: [ThreeWay<FieldVersion<Value>>] = [
  [.integer(1), .integer(2), .integer(5)],
  [.text(#"["a"]"#), .text(#"["b"]"#), .text(#"["a","b"]"#)],
  [.text("red car"), .text("blue car"), .text("red bus")],
  [.null, .text(""), .text("car")],
  [.real(0), .real(-0.0), .real(.nan)],
  [.integer(1), .real(1), .text("1")],
  [.opaque(kind: "CKReference", bytes: [1]), .opaque(kind: "CKAsset", bytes: [1]), .blob(Blob(bytes: [1]))],
].flatMap(allVersions)

private func allVersions(of values: [Value]) -> [ThreeWay<FieldVersion<Value>>] {
  let times: [(Int64?, Int64?)] = [
    (10, 20), (20, 10), (10, 10), (nil, 10), (10, nil), (nil, nil),
  ]
  return (values.map(Optional.some) + [nil]).flatMap { ancestor in
    values.flatMap { client in
      values.flatMap { server in
        times.map { fieldVersions(ancestor, client, server, clientTime: $0, serverTime: $1) }
      }
    }
  }
}
