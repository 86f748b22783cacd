import Merging

/// How SQLite converts what is stored in a column (sqlite.org/datatype3.html, section 3.1).
package enum Affinity: Sendable, Equatable {
  case integer, real, text, numeric
  case blob
  /// Nothing is converted: a column without a type, or ANY in a STRICT table.
  case none

  package init(declaredType: String, isStrict: Bool) {
    let type = declaredType.uppercased()
    if type.isEmpty || (isStrict && type == "ANY") {
      self = .none
    } else if type.contains("INT") {
      self = .integer
    } else if ["CHAR", "CLOB", "TEXT"].contains(where: { type.contains($0) }) {
      self = .text
    } else if type.contains("BLOB") {
      self = .blob
    } else if ["REAL", "FLOA", "DOUB"].contains(where: { type.contains($0) }) {
      self = .real
    } else {
      self = .numeric
    }
  }

  package var kind: Field.Kind {
    switch self {
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    case .numeric: .numeric
    case .none: .any
    }
  }

  /// The value as a column of this affinity keeps it, so that versions that came by different ways can be compared.
  package func stored(_ value: Value) -> Value {
    switch (self, value) {
    case (.real, .integer(let integer)): .real(Double(integer))
    case (.integer, .real(let real)), (.numeric, .real(let real)):
      real.isNaN ? .null : Value(wholeOrReal: real)
    case (.integer, .text), (.numeric, .text): value.inNumericColumn
    case (.real, .text): Affinity.inRealColumn(value.inNumericColumn)
    case (.text, .integer(let integer)): .text(String(integer))
    case (.real, .real(let real)): Affinity.plain(real)
    case (.text, .real(let real)): real.isNaN ? .null : Value(textOf: real)
    case (_, .real(let real)) where real.isNaN: .null
    default: value
    }
  }

  /// Whether a text stays the text that it is, also one that reads as a number.
  package var keepsTexts: Bool {
    switch self {
    case .text, .blob, .none: true
    case .integer, .real, .numeric: false
    }
  }

  private static func inRealColumn(_ number: Value) -> Value {
    switch number {
    case .integer(let integer): .real(Double(integer))
    case .real(let real): plain(real)
    case .null, .text, .blob, .opaque: number
    }
  }

  /// SQLite keeps no negative zero in a REAL column, where a whole number lies as an integer, and NULL for what is not a number.
  private static func plain(_ real: Double) -> Value { real.isNaN ? .null : .real(real == 0 ? 0 : real) }
}

extension TableShape.Column {
  /// Whether it keeps this value as it is given: nothing is converted, and NULL becomes neither a default nor a rowid.
  package func keeps(_ value: Value) -> Bool {
    switch (affinity, value) {
    case (_, .null): !isRequired && keyPosition == 0
    case (_, .blob), (.blob, .integer), (.none, .integer), (.blob, .text), (.none, .text), (.text, .text),
      (.integer, .integer), (.numeric, .integer):
      true
    case (.real, .real(let real)): real < 0 || real > 0
    default: false
    }
  }
}

extension Value {
  /// A literal, as SQLite tells the default of a column, as the rows have it that are there when the column is added. nil of what is not
  /// surely told by that: what is computed, bytes, and numbers of which SQLite makes another thing there than in a row of later.
  init?(literal text: String, in affinity: Affinity) {
    switch text.uppercased() {
    case "NULL": self = .null
    case "TRUE": self = affinity.stored(.integer(1))
    case "FALSE": self = affinity.stored(.integer(0))
    case _ where text.isQuoted:
      let scalars = text.unicodeScalars
      let quote = String.UnicodeScalarView(scalars.prefix(1))
      let inner = String.UnicodeScalarView(scalars.dropFirst().dropLast())
      self = affinity.stored(.text(String(inner.replacing(quote + quote, with: quote))))
    default:
      let isPlain = text.utf8.allSatisfy { 0x30...0x39 ~= $0 || [0x2B, 0x2D, 0x2E].contains($0) }
      let number = Int64(text).map(Value.integer) ?? Double(text).map(Value.real)
      guard isPlain, let number else { return nil }
      self = affinity.stored(number)
    }
  }
}

extension String {
  /// SQLite takes what stands in the quotes of a name for a text as well, where no column can be meant.
  fileprivate var isQuoted: Bool {
    guard let first = unicodeScalars.first, unicodeScalars.count > 1 else { return false }
    return (first == "'" || first == "\"") && unicodeScalars.last == first
  }
}
