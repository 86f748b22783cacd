// What SQLite keeps in a column of numbers (sqlite.org/datatype3.html, section 3).

extension Value {
  /// What is a number, or reads as one, is an integer where that is the same number, and else a real. All else stays as it is.
  package var inNumericColumn: Value {
    switch self {
    case .text(let text): Numeral(text)?.value ?? self
    case .real(let real): Value(wholeOrReal: real)
    case .null, .integer, .blob, .opaque: self
    }
  }

  /// The digits of a number in JSON that is no value by itself, as 1.10 and 1e3 are not; nil of all else.
  fileprivate var digits: String? {
    guard case .opaque(Value.jsonKind, let bytes) = self else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return Numeral(text) == nil ? nil : text
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
  /// What is kept of a value that a person gives. A NUMERIC column makes another one of some, one of reals of a whole number and of -0.0,
  /// one of integers of 1000.0, and a number in JSON is one like any other: that is told before it is written.
  ///
  /// - Throws: ``ChoiceRefusal/beyondDoubles(field:)`` for words of a number that would become infinity,
  ///   ``ChoiceRefusal/rounded(field:to:)`` and ``ChoiceRefusal/toGiveInDigits(field:_:)`` for one that would be kept as another,
  ///   ``ChoiceRefusal/realToSQLite(field:_:)`` and ``ChoiceRefusal/wrongType(field:expected:)`` for what is a real in a column of integers.
  package func kept(_ value: Value) throws(ChoiceRefusal) -> Value {
    guard form == .column else { return value }
    if let digits = value.digits { return try kept(digits: digits) }
    switch (kind, value) {
    case (.real, .integer(let integer)): return try real(typed: "\(integer)")
    // SQLite keeps it as an integer, and zero has no sign there.
    case (.real, .real(let real)): return .real(real == 0 ? 0 : real)
    case (.integer, .real(let real)): return try whole(real)
    case (.numeric, .text(let typed)): return try number(typed) ?? value
    case (.numeric, _): return value.inNumericColumn
    default: return value
    }
  }

  private func kept(digits: String) throws(ChoiceRefusal) -> Value {
    switch kind {
    case .real: return try kept(real(typed: digits))
    case .numeric: return try kept(.text(digits))
    case .any:
      if let integer = Int64(digits) { return .integer(integer) }
      return try real(typed: digits)
    case .integer: return try integer(typed: digits)
    case .text, .blob: throw .wrongType(field: name, expected: kind)
    }
  }

  /// What a NUMERIC column makes of a text; nil if that stays one.
  private func number(_ typed: String) throws(ChoiceRefusal) -> Value? {
    if let truth = truth(typed) { return truth }
    guard let numeral = Numeral(typed), let number = numeral.value else { return nil }
    if case .real(let real) = number, real.isInfinite { throw .beyondDoubles(field: name) }
    try checkIsKept(numeral)
    return number
  }

  /// In a column that takes integers and reals.
  private func checkIsKept(_ numeral: Numeral) throws(ChoiceRefusal) {
    try checkDigits(numeral)
    guard !numeral.isKeptByDigits, numeral.isRounded, let real = numeral.nearest else { return }
    throw .rounded(field: name, to: real)
  }

  /// Of digits alone all is kept that 64 bits hold; of a point or an exponent SQLite makes a Double first.
  private func checkDigits(_ numeral: Numeral) throws(ChoiceRefusal) {
    guard !numeral.isKeptByDigits, let integer = numeral.integer, let real = numeral.nearest,
      Int64(exactly: real) != integer
    else { return }
    throw .toGiveInDigits(field: name, integer)
  }

  /// What a person types as a whole number, also as a real that is one: SQLite keeps 1e3 as 1000 in a column of integers.
  ///
  /// - Throws: ``ChoiceRefusal/toGiveInDigits(field:_:)`` for one that SQLite would keep as another,
  ///   ``ChoiceRefusal/realToSQLite(field:_:)`` for one that it takes for a real,
  ///   ``ChoiceRefusal/wrongType(field:expected:)`` for what is none.
  package func integer(typed text: String) throws(ChoiceRefusal) -> Value {
    guard let numeral = Numeral(text), let number = numeral.value, numeral.isWholeNumber else {
      throw .wrongType(field: name, expected: .integer)
    }
    try checkDigits(numeral)
    if case .real(let real) = number { return try whole(real) }
    return number
  }

  /// What somebody says is an integer, of a field that takes others, too.
  ///
  /// - Throws: ``ChoiceRefusal/noInteger(field:)`` for what is none of 64 bits, ``ChoiceRefusal/toGiveInDigits(field:_:)`` for one that SQLite
  ///   would keep as another.
  package func value(ofInteger text: String) throws(ChoiceRefusal) -> Value {
    guard let numeral = Numeral(text), let integer = numeral.integer else { throw .noInteger(field: name) }
    try checkDigits(numeral)
    return .integer(integer)
  }

  private func whole(_ real: Double) throws(ChoiceRefusal) -> Value {
    let kept = Value(wholeOrReal: real)
    if case .integer = kept { return kept }
    let isWhole = real == real.rounded(.towardZero)
    throw isWhole
      ? ChoiceRefusal.realToSQLite(field: name, real) : .wrongType(field: name, expected: .integer)
  }

  /// What a person types as a real. Infinity and "not a number" are refused: SQLite would keep NULL for the one, and a server nothing for
  /// either.
  ///
  /// - Throws: ``ChoiceRefusal/rounded(field:to:)`` for a whole number of any size, with all its digits or more than 17, that no Double is,
  ///   and for what is not zero and would be, ``ChoiceRefusal/beyondDoubles(field:)`` for digits that would become infinity,
  ///   ``ChoiceRefusal/wrongType(field:expected:)`` for what is no number.
  package func real(typed text: String) throws(ChoiceRefusal) -> Value {
    // Hexadecimal digits, which Swift reads, are no number to SQLite.
    guard let numeral = Numeral(text), let real = numeral.nearest else {
      throw .wrongType(field: name, expected: .real)
    }
    if real.isInfinite { throw .beyondDoubles(field: name) }
    if numeral.isRounded { throw .rounded(field: name, to: real) }
    return .real(real)
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
