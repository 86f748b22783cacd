/// Why a choice cannot be made.
public enum ChoiceRefusal: Error, Sendable, Equatable {
  case notWritable(String)
  case sideHasNoVersion(Side)
  /// The record is decided as a whole, and its ancestor is neither of the two ways.
  case ancestorIsNoWay
  case notAtHand(Side)
  /// See ``RecordConflict/Details-swift.struct/ancestorNotChoosable``.
  case ancestorNotChoosable(String)
  /// Field by field nothing is; the whole is by these names, if the store gives others than the two sides.
  case decidedAsAWhole(known: [String])
  case nothingToDecide
  /// See ``RecordConflict/Details-swift.struct/waitingSince``.
  case waiting
  /// The same of a file that waits to be sent.
  case inOutbox
  case wrongType(field: String, expected: Field.Kind)
  /// A word, in a column of truth values.
  case noTruth(field: String)
  /// With why it was not read, where it was given as JSON.
  case notJSON(field: String, reason: String? = nil)
  /// What was given is JSON, and has what no app reads: half of a surrogate pair, or a number beyond all Doubles.
  case unreadJSON(field: String)
  /// SQLite makes NULL of what is not a number.
  case notANumber(field: String)
  /// What was given is a part of a document, or something not understood, and no value of a column.
  case noColumnValue(field: String)
  /// What was typed is not of the type that a key of a document has so far.
  case notReadable(field: String, expected: String)
  /// What was typed could be of two types, and the key has both so far, or none.
  case readableTwice(field: String, expected: String)
  /// A whole number of which a column of integers makes a real: it has more than 64 bits, or is one of the outermost two and not in digits
  /// alone.
  case realToSQLite(field: String, Double)
  /// What was given as an integer is read as none, of a field that takes others, too.
  case noInteger(field: String)
  /// A number that no Double holds: a column would keep infinity in its place.
  case beyondDoubles(field: String)
  /// A whole number that no Double is, or one so near zero: a column would keep the nearest one.
  case rounded(field: String, to: Double)
  /// A whole number that is kept if its digits alone are given: of a point or an exponent behind them SQLite makes another one.
  case toGiveInDigits(field: String, Int64)
  /// An attachment cannot be typed.
  case attachment(field: String)
  case required(field: String)
  /// Some parts of the field are not decided yet.
  case partsToDecide(field: String)
  /// The store gives no such way to decide the whole record, but these.
  case noSuchAlternative(String, known: [String])
}

extension RecordConflict {
  /// nil if `choice` can be taken for `subject`, otherwise why not.
  public func refusal(of choice: Choice, for subject: Subject) -> ChoiceRefusal? {
    if details.waitingSince != nil { return refusalOfWaiting }
    return switch subject {
    case .record: wholeRefusal(of: choice)
    case .field(let name): isWhole ? notByField : fieldRefusal(of: choice, for: name)
    }
  }

  package var refusalOfWaiting: ChoiceRefusal { details.file == nil ? .waiting : .inOutbox }

  package var notByField: ChoiceRefusal {
    let areSides = alternatives.allSatisfy { Side(rawValue: $0.id) != nil }
    return .decidedAsAWhole(known: areSides ? [] : offeredAlternatives.map(commonName(of:)))
  }

  private func wholeRefusal(of choice: Choice) -> ChoiceRefusal? {
    if case .alternative(let id) = choice { return refusal(ofAlternative: id) }
    guard !subjects.isEmpty, isWhole else { return .nothingToDecide }
    if case .edit(let value) = choice, let own = details.ownValue {
      return self[own.field]?.field.refusal(of: value)
    }
    guard case .take(let side) = choice else { return notByField }
    if side == .ancestor { return .ancestorIsNoWay }
    if version(side).isUnknown || version(side) == .absent { return .sideHasNoVersion(side) }
    let values = fields.filter(\.field.isWritable).compactMap { $0.value(takenFrom: side) }
    return values.allSatisfy(\.isAtHand) ? nil : .notAtHand(side)
  }

  private func fieldRefusal(of choice: Choice, for name: String) -> ChoiceRefusal? {
    guard let place = fields.place(of: name) else { return .nothingToDecide }
    return refusal(of: choice, at: place)
  }

  /// The same of the field at a place, where no draft waits and fields are decided one by one.
  func refusal(of choice: Choice, at place: Int) -> ChoiceRefusal? {
    fields.look(at: place) {
      $0.pointee.refusal(of: choice, ancestorNotChoosable: details.ancestorNotChoosable)
    }
  }
}

extension FieldConflict {
  /// Whether `value` would set the ancestor's value against another one of the server, however it was chosen, be it because
  /// the client never changed it. An engine whose ancestor stays takes that for no edit, and lets the server's value win.
  public func isBackToTheAncestor(_ value: Value) -> Bool {
    guard value == ancestor?.value, value != server?.value else { return false }
    return server != nil || value != client?.value
  }

  fileprivate func refusal(of choice: Choice, ancestorNotChoosable: String?) -> ChoiceRefusal? {
    guard field.isWritable else { return .notWritable(name) }
    if let refusal = refusalOfItsValue(choice) { return refusal }
    if let ancestorNotChoosable, isBackToTheAncestor(draft(choice).value) {
      return .ancestorNotChoosable(ancestorNotChoosable)
    }
    return nil
  }

  /// nil if a value that was given, or put together, can be the field's, otherwise why not. What no app reads is let through where a side
  /// has it: it may be in a list of which another element was changed.
  public func refusal(ofMade value: Value) -> ChoiceRefusal? {
    let refusal = field.refusal(of: value)
    guard case .unreadJSON? = refusal else { return refusal }
    let known = Side.allCases.flatMap { version($0)?.value.unreadJSON ?? [] }
    return Set(known).isSuperset(of: value.unreadJSON) ? nil : refusal
  }

  /// A side's own value may be of any type, since its store took it. NULL is refused, since a NOT NULL column never does.
  private func refusalOfItsValue(_ choice: Choice) -> ChoiceRefusal? {
    switch choice {
    case .alternative(let id): return .noSuchAlternative(id, known: [])
    case .parts(let parts): return parts.value.map { refusal(ofMade: $0) } ?? .partsToDecide(field: name)
    case .edit(let value), .merged(let value): return refusal(ofMade: value)
    case .take(let side):
      guard let value = value(takenFrom: side) else { return .sideHasNoVersion(side) }
      if value == .null { return field.refusal(of: value) }
      return value.isAtHand ? nil : .notAtHand(side)
    }
  }
}

extension Field {
  /// nil if the field can hold `value`, otherwise why not. The store checks everything else.
  public func refusal(of value: Value) -> ChoiceRefusal? {
    switch form {
    case .column: return columnRefusal(of: value)
    case .json: return jsonRefusal(of: value)
    case .attachment:
      if value.isAttachment { return nil }
      return value == .missing ? nil : .attachment(field: name)
    }
  }

  /// A document holds what can be written as JSON.
  private func jsonRefusal(of value: Value) -> ChoiceRefusal? {
    switch value {
    case .null, .integer, .text, Value.missing: nil
    case .real(let real): real.isFinite ? nil : .notJSON(field: name)
    case .opaque(Value.jsonKind, _): value.unreadJSON.isEmpty ? nil : .unreadJSON(field: name)
    case .blob, .opaque: .notJSON(field: name)
    }
  }

  /// The column's type and NOT NULL. Infinity is kept as it is, and of what is opaque a text that is not UTF-8.
  private func columnRefusal(of value: Value) -> ChoiceRefusal? {
    switch (kind, value) {
    case (_, .null): isRequired ? .required(field: name) : nil
    case (.any, .real(let real)), (.numeric, .real(let real)), (.real, .real(let real)):
      real.isNaN ? .notANumber(field: name) : nil
    case (.any, .opaque(let opaque, _)), (.numeric, .opaque(let opaque, _)):
      opaque == Value.brokenText ? nil : .noColumnValue(field: name)
    case (.any, _), (.numeric, _), (.integer, .integer), (.text, .text), (.blob, .blob): nil
    case (.integer, _), (.real, _), (.text, _), (.blob, _): .wrongType(field: name, expected: kind)
    }
  }
}

extension String {
  /// Whether it has the digits of a number that no Double holds; infinity has none.
  var isBeyondDoubles: Bool {
    Double(self)?.isInfinite == true && utf8.contains { 0x30...0x39 ~= $0 }
  }
}
