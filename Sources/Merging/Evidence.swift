/// What the files show of a finding, with every name in it marked as one, so that a report can hide the names.
///
///     "\(hidden: deleted) deleted what the winner was made from."       ids, keys, titles, values
///     "The row differs from the ancestor in \(told: fields.listed)."    names of tables and fields, a decoder's reason
///
/// Text gets in only by saying which of the two it is: an adapter cannot forget it.
public struct Evidence: Sendable, Equatable {
  fileprivate enum Piece: Sendable, Equatable {
    case told(String)
    case hidden(String)
  }

  fileprivate var pieces: [Piece]

  /// The same with `cover` in the place of every name.
  public func words(hiding cover: (String) -> String) -> String {
    pieces.map { piece in
      switch piece {
      case .told(let text): text
      case .hidden(let name): cover(name)
      }
    }.joined()
  }

  /// The same, where no name is left to hide.
  public func redacted(_ cover: (String) -> String) -> Evidence {
    Evidence(pieces: [.told(words(hiding: cover))])
  }

  public var isEmpty: Bool { pieces.isEmpty || self == "" }
}

extension Evidence: CustomStringConvertible {
  public var description: String { words { $0 } }
}

extension Evidence: ExpressibleByStringInterpolation {
  public init(stringLiteral sentence: String) { self.init(pieces: [.told(sentence)]) }

  public init(stringInterpolation: Interpolation) { self.init(pieces: stringInterpolation.pieces) }

  public struct Interpolation: StringInterpolationProtocol {
    fileprivate var pieces: [Piece] = []

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ sentence: String) { pieces.append(.told(sentence)) }

    public mutating func appendInterpolation(_ count: Int) { pieces.append(.told("\(count)")) }

    /// What anybody may read: never a key, a title or a value.
    public mutating func appendInterpolation(told text: String) { pieces.append(.told(text)) }

    /// What a report for strangers has to hide.
    public mutating func appendInterpolation(hidden name: String) { pieces.append(.hidden(name)) }

    /// All of another one.
    public mutating func appendInterpolation(_ evidence: Evidence) { pieces += evidence.pieces }

    /// The names of fields, as the app chose them; but that of an attachment is somebody's file.
    public mutating func appendInterpolation(fields names: [String]) {
      for (index, name) in names.enumerated() {
        if index > 0 { pieces.append(.told(", ")) }
        pieces.append(name.hasPrefix(Field.attachmentPrefix) ? .hidden(name) : .told(name))
      }
    }

    /// The first four names; how many there are more.
    public mutating func appendInterpolation(hidden names: [String]) {
      if names.isEmpty { pieces.append(.told("none")) }
      for (index, name) in names.prefix(4).enumerated() {
        if index > 0 { pieces.append(.told(", ")) }
        pieces.append(.hidden(name))
      }
      if names.count > 4 { pieces.append(.told(" and \(names.count - 4) more")) }
    }
  }
}
