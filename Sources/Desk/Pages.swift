import Merging

/// One record, field by field.
public struct RecordPage: Sendable, Equatable {
  public var id: String
  /// The name of the field under the cursor, which may be hidden now; nil for the first. See ``DeskState/selected(_:_:)``.
  public var field: String?
  /// The cell under the cursor.
  public var side: Side = .client
  /// The leaf in the server's column; nil for the one that the store gave.
  public var leaf: Leaf.ID?

  public init(id: String) { self.id = id }
}

/// The revision tree of one record.
public struct TreePage: Sendable, Equatable {
  public var id: String
  /// What a person would call the record.
  public var title: String
  /// The line under the cursor.
  public var line = 0
  /// The revision under the cursor, by its place in the branch; nil for the leaf.
  public var place: Int?
  /// Whether leaves that are many are drawn one by one.
  public var isUnfolded = false
  /// An id being looked for.
  public var words: InputLine?

  public init(id: String, title: String) {
    self.id = id
    self.title = title
  }
}

/// The whole of one value on all sides.
public struct ValuePage: Sendable, Equatable {
  public var id: String
  public var field: String
  public var scroll = 0
  /// See ``RecordPage/leaf``.
  public var leaf: Leaf.ID?
}

/// One value being typed.
public struct EditorPage: Sendable, Equatable {
  public var id: String
  public var field: Field
  public var input: InputLine
  public var isNull: Bool
  /// The versions that Up and Down walk through, and what was typed before.
  public var copied: Side?
  public var typed: String
  /// See ``RecordPage/leaf``.
  public var leaf: Leaf.ID?
}

/// The whole of one finding.
public struct FindingPage: Sendable, Equatable {
  public var finding: Finding
  public var scroll = 0
}

/// Before and after of every draft, and what the store says to them.
public struct ReviewPage: Sendable, Equatable {
  public enum Stage: Sendable, Equatable {
    case reading
    case checking
    case ready
    case writing
    case done
  }

  public enum Action: Sendable, Equatable {
    case write
    /// Takes back the last write, of this session or an earlier one.
    case undo(LastWrite)
    /// Mends what is stuck.
    case mend(Finding)
  }

  public var action: Action
  public var drafts: [OpenConflict] = []
  public var checks: [CheckedWrite] = []
  public var stage: Stage
  public var note = InputLine("")
  public var isTypingNote = false
  public var scroll = 0

  public init(_ action: Action, stage: Stage) {
    self.action = action
    self.stage = stage
  }

  /// Whether there is something to take back again.
  var hasWritten: Bool {
    if case .undo = action { false } else { stage == .done && checks.contains { $0.outcome == .fine } }
  }

  /// The drafts that can be written as they stand.
  var writable: [Planned] {
    let refused = Set(checks.filter { $0.outcome != .fine }.map(\.id))
    return drafts.filter { !refused.contains($0.conflict.id) }.compactMap(\.planned)
  }
}

public struct HelpPage: Sendable, Equatable {
  public var topic: Topic
  /// Typing searches.
  public var words = ""
  public var scroll = 0
}

extension OpenConflict {
  var planned: Planned? { conflict.draft(resolution).map { Planned(seen: conflict, draft: $0) } }
}

/// One line of input with a cursor between its characters. Each key costs no more than moving the bytes after the cursor.
public struct InputLine: Sendable, Equatable {
  public private(set) var before: String
  public private(set) var after = ""

  public init(_ text: String) { before = text }

  public var text: String { before + after }
  public var isEmpty: Bool { before.isEmpty && after.isEmpty }
  /// In bytes.
  public var size: Int { before.utf8.count + after.utf8.count }

  public mutating func insert(_ text: String) { before += text }
  public mutating func deleteBackward() { _ = before.popLast() }
  public mutating func deleteForward() { if !after.isEmpty { after.removeFirst() } }
  public mutating func left() {
    if let character = before.popLast() { after.insert(character, at: after.startIndex) }
  }
  public mutating func right() { if !after.isEmpty { before.append(after.removeFirst()) } }
  public mutating func toStart() { (before, after) = ("", before + after) }
  public mutating func toEnd() { (before, after) = (before + after, "") }
}
