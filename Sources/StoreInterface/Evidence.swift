/// What the files show of a finding, with every name in it marked as one, so that a report can hide the names.
///
///     "\(hidden: deleted) deleted what the winner was made from."       ids, keys, titles, values
///     "The row differs from the ancestor in \(told: fields.listed)."    names of tables and fields, a decoder's reason
///
/// Text gets in only by saying which of the two it is: an adapter cannot forget it.
package struct Evidence: Sendable, Equatable {
  fileprivate enum Piece: Sendable, Equatable {
    case told(String)
    case hidden(String)
  }

  fileprivate var pieces: [Piece]

  /// The names in it, as often as they stand there.
  package var names: [String] {
    pieces.compactMap { if case .hidden(let name) = $0 { name } else { nil } }
  }

  /// The same with `cover` in the place of every name.
  package func words(hiding cover: (String) -> String) -> String {
    pieces.map { piece in
      switch piece {
      case .told(let text): text
      case .hidden(let name): cover(name)
      }
    }.joined()
  }

  /// The same, where no name is left to hide.
  package func redacted(_ cover: (String) -> String) -> Evidence {
    Evidence(pieces: [.told(words(hiding: cover))])
  }
}

extension Evidence {
  package static func + (left: Evidence, right: Evidence) -> Evidence {
    Evidence(pieces: left.pieces + right.pieces)
  }
}

extension Evidence: CustomStringConvertible {
  package var description: String { words { $0 } }
}

extension Evidence: ExpressibleByStringInterpolation {
  package init(stringLiteral sentence: String) { self.init(pieces: [.told(sentence)]) }

  package init(stringInterpolation: Interpolation) { self.init(pieces: stringInterpolation.pieces) }

  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var pieces: [Piece] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ sentence: String) { pieces.append(.told(sentence)) }

    package mutating func appendInterpolation(_ count: Int) { pieces.append(.told("\(count)")) }

    /// What anybody may read: never a key, a title or a value.
    package mutating func appendInterpolation(told text: String) { pieces.append(.told(text)) }

    /// What a report for strangers has to hide.
    package mutating func appendInterpolation(hidden name: String) { pieces.append(.hidden(name)) }

    /// The first four names; how many there are more.
    package mutating func appendInterpolation(hidden names: [String]) {
      if names.isEmpty { pieces.append(.told("none")) }
      for (index, name) in names.prefix(4).enumerated() {
        if index > 0 { pieces.append(.told(", ")) }
        pieces.append(.hidden(name))
      }
      if names.count > 4 { pieces.append(.told(" and \(names.count - 4) more")) }
    }
  }
}
