/// One change of a field that a person can decide apart from the others: words of a text, or a key of JSON.
public struct FieldPart: Sendable, Equatable, Identifiable {
  /// Where it is: the bytes of the ancestor's text, or a JSON pointer (RFC 6901). The same as long as no version changes.
  public let id: String
  /// The path of a key, as in `a.b[2]`; nil for words.
  public let name: String?
  /// The texts of the versions, as they stand there. nil where a side does not have the key, and for an ancestor that is not
  /// known.
  public let ancestor: String?
  /// The client's text there; nil where it does not have the key.
  public let client: String?
  /// The server's text there; nil where it does not have the key.
  public let server: String?
  /// Never ``Change/unchanged``.
  public let change: Change
  /// Whether it is merged in unless a person says otherwise.
  public let isSure: Bool
  /// Whether it is made of whole lines of a text, so that two of them stand under each other.
  package var isOfLines = false

  init(
    id: String, name: String? = nil, ancestor: String?, client: String?, server: String?, change: Change,
    isByPlace: Bool = false
  ) {
    (self.id, self.name, self.change) = (id, name, change)
    (self.ancestor, self.client, self.server) = (ancestor, client, server)
    isSure = change == .same || change != .different && !isByPlace
  }
}

extension FieldPart {
  /// Of what is no text and no JSON: all of it.
  package static func whole(
    ancestor: String?, client: String?, server: String?, change: Change
  ) -> FieldPart {
    FieldPart(id: "whole", ancestor: ancestor, client: client, server: server, change: change)
  }

  /// The text of one side; nil where it does not have the key, and for an ancestor that is not known.
  public func text(_ side: Side) -> String? {
    switch side {
    case .ancestor: ancestor
    case .client: client
    case .server: server
    }
  }

  /// The only side that changed it; nil where both did.
  public var onlySide: Side? {
    switch change {
    case .onlyClient: .client
    case .onlyServer: .server
    case .unchanged, .same, .different: nil
    }
  }

  /// What is merged in without a choice; nil where a person has to make one.
  public var sureChoice: PartChoice? { isSure ? .take(onlySide ?? .client) : nil }

  /// What a choice puts here; nil for a key that is left out.
  public func text(_ choice: PartChoice) -> String? {
    switch choice {
    case .take(let side): text(side)
    case .edit(let text): text
    case .both(let first): both(first: first)
    }
  }

  /// Two texts behind each other. Between words of both a blank is needed, and between lines, be they one each, a line's end.
  private func both(first: Side) -> String {
    let texts = [client ?? "", server ?? ""]
    let (before, after) = first == .server ? (texts[1], texts[0]) : (texts[0], texts[1])
    guard let last = before.last, let next = after.first, !last.isWhitespace, !next.isWhitespace else {
      return before + after
    }
    return before + (isOfLines || before.contains(where: \.isNewline) ? "\n" : " ") + after
  }
}

/// What was decided about a part of a field.
public enum PartChoice: Sendable, Hashable {
  case take(Side)
  /// The words of both sides, one behind the other.
  case both(first: Side)
  /// Words that a person typed; of a key, its JSON.
  case edit(String)
}

/// A field that a person puts together of its parts, as far as that has come.
public struct PartChoices: Sendable, Hashable {
  /// Without the parts that are merged in as nobody decided otherwise.
  public private(set) var choices: [FieldPart.ID: PartChoice]
  /// The field put together; nil while a part is left to decide.
  public private(set) var value: Value?

  /// What was decided of the parts so far; `value` is the field put together, once nothing is left to decide.
  public init(choices: [FieldPart.ID: PartChoice] = [:], value: Value? = nil) {
    (self.choices, self.value) = (choices, value)
  }

  /// What was decided about this part; nil where nobody decided it, also of one that is merged in by itself.
  public subscript(part: FieldPart.ID) -> PartChoice? { choices[part] }
}

extension PartChoices {
  /// Puts the field together of its parts: ``value`` is nil while one is left to decide, or what was typed for a key is no JSON.
  public init(_ choices: [FieldPart.ID: PartChoice], of parts: FieldParts) {
    self.init(choices: choices, value: parts.value(choices))
  }
}
