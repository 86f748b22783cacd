/// One switch of a bulk act: what it decides, and how. They stand from sure to bold, and each decides what those before it leave.
package enum BulkRule: Int, Sendable, Hashable, CaseIterable {
  case onlyChanged, agree, policy, apart, newer
  case tieToClient, tieToServer, restToClient, restToServer
  case keepEdit, delete
  /// Of a family alone, in which both sides may have deleted something.
  case wholeToClient, wholeToServer

  var words: String {
    switch self {
    case .onlyChanged: "take the only changed side"
    case .agree: "both agree: keep it"
    case .policy: "take what a policy made"
    case .apart: "both changed, apart: merge both"
    case .newer: "both changed: newer edit wins"
    case .tieToClient: "neither is newer: keep client"
    case .tieToServer: "neither is newer: keep server"
    case .restToClient: "everything else: client"
    case .restToServer: "everything else: server"
    case .keepEdit: "deletion against edit: keep the edit"
    case .delete: "deletion against edit: delete"
    case .wholeToClient: "decided as a whole: client"
    case .wholeToServer: "decided as a whole: server"
    }
  }

  /// The same for a screen of 40 columns, where two opposites must not be cut to the same words.
  var shortWords: String {
    switch self {
    case .onlyChanged: "only changed side"
    case .agree: "both agree"
    case .policy: "what a policy made"
    case .apart: "apart: merge both"
    case .newer: "newer edit wins"
    case .tieToClient: "neither newer: client"
    case .tieToServer: "neither newer: server"
    case .restToClient: "the rest: client"
    case .restToServer: "the rest: server"
    case .keepEdit: "deletion: keep edit"
    case .delete: "deletion: delete"
    case .wholeToClient: "wholes: client"
    case .wholeToServer: "wholes: server"
    }
  }

  /// How sure that is.
  var certainty: String {
    switch self {
    case .onlyChanged, .agree: "sure"
    case .policy: "by policy"
    case .newer: "by clock"
    case .apart, .tieToClient, .tieToServer: "your rule"
    case .restToClient, .restToServer, .keepEdit, .delete, .wholeToClient, .wholeToServer: "bold"
    }
  }

  /// Those that would decide the same otherwise: only one of them can be on.
  var rivals: [BulkRule] {
    switch self {
    case .onlyChanged, .agree, .policy, .apart, .newer: []
    case .tieToClient: [.tieToServer]
    case .tieToServer: [.tieToClient]
    case .restToClient: [.restToServer]
    case .restToServer: [.restToClient]
    case .keepEdit, .delete, .wholeToClient, .wholeToServer: BulkRule.ofWholes.filter { $0 != self }
    }
  }

  private static let ofWholes: [BulkRule] = [.keepEdit, .delete, .wholeToClient, .wholeToServer]
  /// Whether it decides records, and not their fields.
  var isOfWholes: Bool { BulkRule.ofWholes.contains(self) }
  var isOfFamilies: Bool { self == .wholeToClient || self == .wholeToServer }

  /// How it decides `open`; nil if that is none of its business.
  func way(for open: BulkCase) -> BulkWay? {
    switch self {
    case .onlyChanged: open.reason == .oneSide ? .suggestion : nil
    case .agree: open.reason == .agree ? .suggestion : nil
    case .policy: open.reason == .policy ? .suggestion : nil
    case .apart: open.merged.isAllowed ? .merged : nil
    case .newer: open.reason == .newer ? .suggestion : nil
    case .tieToClient: open.reason == .tie ? .client : nil
    case .tieToServer: open.reason == .tie ? .server : nil
    case .restToClient: open.isWhole ? nil : .client
    case .restToServer: open.isWhole ? nil : .server
    case .keepEdit: open.gone.map { $0 == .client ? .server : .client }
    case .delete: open.gone.map { $0 == .client ? .client : .server }
    case .wholeToClient: open.isWhole ? .client : nil
    case .wholeToServer: open.isWhole ? .server : nil
    }
  }
}

/// What is taken for a subject that is open.
package enum BulkWay: UInt8, Sendable {
  case suggestion, client, server
  /// Both edits, put together.
  case merged
}

/// Which switches are on. Only what is sure is so from the beginning.
package struct BulkRules: Sendable, Equatable {
  private var bits: UInt16

  package init(_ rules: [BulkRule] = [.onlyChanged, .agree, .policy]) {
    bits = rules.reduce(0) { $0 | 1 << $1.rawValue }
  }

  package func contains(_ rule: BulkRule) -> Bool { bits & 1 << rule.rawValue != 0 }

  package mutating func toggle(_ rule: BulkRule) {
    bits ^= 1 << rule.rawValue
    for rival in rule.rivals { bits &= ~(1 << rival.rawValue) }
  }

  private static let all = BulkRule.allCases

  /// Adds the rules that could decide one of `cases`.
  mutating func formUnion(deciding cases: [BulkCase]) {
    for open in cases {
      for rule in BulkRules.all where !contains(rule) {
        if let way = rule.way(for: open), open[way].isAllowed { bits |= 1 << rule.rawValue }
      }
    }
  }

  /// How `open` is decided; nil if it is left to a person.
  ///
  /// - Parameter hear: told of each rule that decides it, or would if it were on.
  func way(for open: BulkCase, hear: (BulkRule) -> Void = { _ in }) -> BulkWay? {
    for rule in BulkRules.all {
      guard let way = rule.way(for: open), open[way].isAllowed else { continue }
      hear(rule)
      if contains(rule) { return way }
    }
    return nil
  }

  /// The rule that decides `open`; nil if it is left to a person.
  func rule(for open: BulkCase) -> BulkRule? {
    var last: BulkRule?
    return way(for: open) { last = $0 } == nil ? nil : last
  }

  /// Why a record is left out; nil if it is taken. All of it is, or nothing: half a decision is no draft.
  func reason(leaving record: BulkRecord, hear: (BulkRule) -> Void = { _ in }) -> BulkReason? {
    if let exception = record.exception { return exception }
    return record.open.compactMap { open in way(for: open, hear: hear) == nil ? open.reason : nil }.max()
  }
}
