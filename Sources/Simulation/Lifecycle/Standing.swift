import Merging

/// Where one record stands at one device: the three states that the walkthrough shows, and what is on its way.
package struct Standing: Sendable, Equatable {
  /// The database row; nil where there is none.
  package var row: [String: Value]?
  /// The last-known server record; nil where there is none. One without a tag was never confirmed.
  package var lastKnown: ServerRecord?
  /// The server's record; nil where there is none.
  package var server: ServerRecord?
  /// What waits to be sent.
  package var pending: DeviceRecord.Pending?
  /// What was sent, and is not answered yet.
  package var inFlight: DeviceRecord.Pending?
  /// Whether what is pending, or in flight, came out of a merge.
  package var isMerged: Bool
  /// The conflict that waits for a decision; nil if none does.
  package var conflict: RecordConflict?
}

/// The three states, as something that can change.
package enum Place: String, Sendable, CaseIterable {
  /// The database row of the client.
  case row
  case lastKnown
  case server
}

extension World {
  /// Where a record stands at a device.
  package func standing(of name: RecordID, on device: String) -> Standing {
    let record = devices[device]?[name] ?? DeviceRecord()
    return Standing(
      row: record.row, lastKnown: record.lastKnown, server: cloud.records[name], pending: record.pending,
      inFlight: record.inFlight?.pending, isMerged: record.metadata?.isMerged ?? false,
      conflict: conflict(of: name, on: device))
  }
}

extension Standing {
  /// The places in which this standing is not what `other` was.
  package func changes(since other: Standing) -> Set<Place> {
    var places: Set<Place> = []
    if row != other.row { places.insert(.row) }
    if lastKnown != other.lastKnown { places.insert(.lastKnown) }
    if server != other.server { places.insert(.server) }
    return places
  }
}

/// How a record's versions hang together at one moment: the stem both sides agreed on, the client's branch, the server's
/// branch, and the draft that joins them.
///
/// ```
///              ╭─ <*> ─╮
///     (a)─[b] ─┤       ├─ {*'}
///              ╰─ <c> ─╯
/// ```
package struct BranchPicture: Sendable, Equatable {
  /// A version, or the place of one. Each kind has its own brackets, so that it reads without colour.
  package struct Node: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
      /// `( )` nothing here
      case empty
      /// `(a)` a server record that was last known once
      case past
      /// `[b]` the last-known server record
      case lastKnown
      /// `<*>` an edit here that was not sent
      case pending
      /// `>*>` sent, not answered yet
      case inFlight
      /// `{*'}` the draft that is suggested
      case merged
      /// `<c>` the server's record, not seen here
      case unseen
    }

    package var kind: Kind
    /// The tag of a server's version, `*` for what is the client's own, `*'` for what was merged, `-` for a deletion.
    package var label: String

    package static let empty = Node(kind: .empty, label: " ")
  }

  /// The last version before the last-known one; nil if there was none.
  package var past: Node?
  /// What the client knows of the server: `[b]`, or empty.
  package var stem: Node
  package var client: Node
  package var server: Node
  /// The draft, while it is only suggested.
  package var merged: Node?
}

extension BranchPicture.Node: CustomStringConvertible {
  package var description: String {
    switch kind {
    case .empty, .past: "(\(label))"
    case .lastKnown: "[\(label)]"
    case .pending, .unseen: "<\(label)>"
    case .inFlight: ">\(label)>"
    case .merged: "{\(label)}"
    }
  }
}

extension BranchPicture: CustomStringConvertible {
  /// On one line: stem, the client's branch above the server's, and the draft: `(a)-[b] : <*> / <c> : {*'}`.
  package var description: String {
    let stem = [past, stem].compactMap { $0?.description }.joined(separator: "-")
    let branches = "\(stem) : \(client) / \(server)"
    return merged.map { "\(branches) : \($0)" } ?? branches
  }
}

extension BranchPicture {
  /// - Parameter past: the version that was last known before; nil if there was none.
  init(_ standing: Standing, past: ServerRecord?) {
    self.past = past.map { Node(kind: .past, label: $0.label) }
    stem = standing.lastKnown.map { Node(kind: .lastKnown, label: $0.label) } ?? .empty
    client = Node(clientOf: standing)
    server = Node(serverOf: standing)
    merged = standing.conflict.map { _ in Node(kind: .merged, label: "*'") }
  }
}

extension BranchPicture.Node {
  fileprivate init(clientOf standing: Standing) {
    switch (standing.inFlight, standing.pending) {
    case (let sent?, _): self.init(kind: .inFlight, label: sent.label(isMerged: standing.isMerged))
    case (nil, let pending?): self.init(kind: .pending, label: pending.label(isMerged: standing.isMerged))
    case (nil, nil): self = .empty
    }
  }

  /// The server's record is shown as a branch while the client has not seen it.
  fileprivate init(serverOf standing: Standing) {
    switch (standing.server, standing.lastKnown) {
    case (let server?, let known) where server.tag != known?.tag:
      self.init(kind: .unseen, label: server.label)
    case (nil, let known?) where known.tag != nil: self.init(kind: .unseen, label: "-")
    case (_, _): self = .empty
    }
  }
}

extension DeviceRecord.Pending {
  fileprivate func label(isMerged: Bool) -> String {
    switch self {
    case .deletion: "-"
    case .save: isMerged ? "*'" : "*"
    }
  }
}

extension ServerRecord {
  /// A record that was never confirmed has no tag: it is still the client's own.
  fileprivate var label: String { tag?.description ?? "*" }
}
