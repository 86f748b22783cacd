// What SQLite keeps in a column of the affinity NUMERIC (sqlite.org/datatype3.html, section 3).

extension Value {
  /// What is a number, or reads as one, is an integer where that is the same number, and else a real. All else stays as it is.
  package var inNumericColumn: Value {
    switch self {
    case .text(let text): Numeral(text)?.value ?? self
    case .real(let real): Value(wholeOrReal: real)
    case .null, .integer, .blob, .opaque: self
    }
  }

  /// A whole number is a real there, if that is the same number, and zero has no sign: SQLite keeps it as an integer. All else stays
  /// as it is.
  fileprivate var inRealColumn: Value {
    switch self {
    case .integer(let integer): Double(exactly: integer).map(Value.real) ?? self
    case .real(let real): .real(real == 0 ? 0 : real)
    case .null, .text, .blob, .opaque: self
    }
  }

  /// The number of a piece of JSON, as a column reads the same digits. All else stays as it is.
  fileprivate var withoutJSON: Value {
    guard case .opaque(Value.jsonKind, let bytes) = self else { return self }
    return Numeral(String(decoding: bytes, as: UTF8.self))?.value ?? self
  }

  /// As in a column of integers. The outermost ones stay reals: SQLite trusts no conversion there.
  package init(wholeOrReal real: Double) {
    if let integer = Int64(exactly: real), integer > .min, integer < .max {
      self = .integer(integer)
    } else {
      self = .real(real)
    }
  }
}

extension Field {
  /// What is kept of a value that a person gives. A NUMERIC column makes another one of some, and one of reals of a whole number and of
  /// -0.0: that is told before it is written.
  ///
  /// - Throws: ``ChoiceRefusal/beyondDoubles(field:)`` for words of a number that would become infinity,
  ///   ``ChoiceRefusal/rounded(field:to:)`` for a whole number that a column of reals would keep as another.
  package func kept(_ value: Value) throws(ChoiceRefusal) -> Value {
    guard form == .column, kind == .real || kind == .numeric else { return value }
    if case .text(let typed) = value, let truth = truth(typed) { return truth }
    let given = value.withoutJSON
    let kept = kind == .real ? given.inRealColumn : given.inNumericColumn
    switch kept {
    case .real(let real) where real.isInfinite && value != kept: throw .beyondDoubles(field: name)
    case .integer(let integer) where kind == .real: throw .rounded(field: name, to: Double(integer))
    case .null, .integer, .real, .text, .blob, .opaque: return kept
    }
  }

  /// The same of what a person types, which is no word where truth values are: SQLite would keep "yes", and an app reads that as false.
  ///
  /// - Throws: also ``ChoiceRefusal/noTruth(field:)`` for such a word.
  package func kept(typed text: String) throws(ChoiceRefusal) -> Value {
    let kept = try kept(.text(text))
    if isOfTruths, case .text = kept { throw .noTruth(field: name) }
    return kept
  }

  /// Whether it is declared as BOOL or BOOLEAN, which is NUMERIC to SQLite.
  package var isOfTruths: Bool {
    form == .column && kind == .numeric && declaredType.uppercased().hasPrefix("BOOL")
  }
}

extension Field {
  /// 1 and 0 for the words of truth values, blanks around them or not, as around a number, in a column that holds such: one of integers, or
  /// of what is declared so, where SQLite would keep the words. nil for all other words and fields.
  package func truth(_ typed: String) -> Value? {
    guard form == .column, kind == .integer || isOfTruths else { return nil }
    switch Numeral.withoutBlanks(typed).lowercased() {
    case "true": return .integer(1)
    case "false": return .integer(0)
    default: return nil
    }
  }
}
