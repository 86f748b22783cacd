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
  /// What the store said last, of a value that may have changed since.
  var judgement: Judgement?
  /// Whether it was asked and has not answered.
  var isAsking = false
  /// Whether the value is kept as soon as the store has said that it fits.
  var isKeeping = false
  /// See ``RecordPage/leaf``.
  public var leaf: Leaf.ID?
}

/// The whole of one finding.
public struct FindingPage: Sendable, Equatable {
  public var finding: Finding
  public var scroll = 0
}

/// A text to be read.
public struct TextPage: Sendable, Equatable {
  public var title: String
  public var paragraphs: [String]
  /// Whether it is hidden with all other values.
  public var holdsValues = false
  public var scroll = 0

  public init(title: String, paragraphs: [String], holdsValues: Bool = false) {
    self.title = title
    self.paragraphs = paragraphs
    self.holdsValues = holdsValues
  }
}

public struct HelpPage: Sendable, Equatable {
  public var topic: Topic
  /// Typing searches.
  public var words = ""
  public var scroll = 0
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
