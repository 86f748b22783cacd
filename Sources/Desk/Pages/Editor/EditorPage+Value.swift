import Merging

/// What is typed, as the field reads it.
extension EditorPage {
  /// The value as it would be stored, or why it cannot be.
  ///
  /// - Parameter record: what its further leaves have counts, too.
  func value(like conflict: FieldConflict, in record: RecordConflict) -> Result<Value, ChoiceRefusal> {
    if let refusal = refusalOfBytes(like: conflict) { return .failure(refusal) }
    if let own = sideValue(like: conflict) { return .success((try? field.kept(own)) ?? own) }
    do throws(ChoiceRefusal) {
      let value = try field.kept(given(like: conflict, in: record))
      return conflict.refusal(ofMade: value).map { .failure($0) } ?? .success(value)
    } catch {
      return .failure(error)
    }
  }

  /// Of some blobs only the size and a hash are known: these stand in the line as what they are, and cannot be written.
  private func refusalOfBytes(like conflict: FieldConflict) -> ChoiceRefusal? {
    guard let held, !held.isAtHand else { return nil }
    return .notAtHand(copied ?? Side.allCases.first { conflict.version($0)?.value == held } ?? .server)
  }

  /// What a side has, as long as it stands in the line unchanged: it may be of any kind, as its store took it. NULL is like one that is
  /// set by a key.
  func sideValue(like conflict: FieldConflict) -> Value? {
    guard let held, held != .null else { return nil }
    return Side.allCases.contains { conflict.version($0)?.value == held } ? held : nil
  }

  /// What a key makes of the same words: a text, or what they read as otherwise. nil where the field takes one kind alone, and where they
  /// are nothing but a text.
  func turned(like conflict: FieldConflict, in record: RecordConflict) -> Value? {
    guard takesKinds, wholeValue == nil else { return nil }
    if case .success(.text) = value(like: conflict, in: record) { return otherThanText }
    return .text(input.text)
  }

  /// Whether the same words can be of several kinds.
  var takesKinds: Bool { field.form == .json || field.form == .column && field.kind == .any }

  private var otherThanText: Value? {
    if field.form == .json { return Value(typed: input.text) }
    return Int64(input.text).map(Value.integer) ?? realAsTyped
  }

  /// As somebody said; nil where nobody did, and where it does not read so.
  private var readOtherwise: Value? {
    guard takesKinds, let readsText = reading.readsText else { return nil }
    return readsText ? .text(input.text) : otherThanText
  }

  /// Of the kind of what stood in the line before; nil where that says none, as NULL and bytes, and where it does not read so.
  private var readAsBefore: Value? {
    guard takesKinds, reading.last.isText else { return nil }
    if case .text = reading.last.value { return .text(input.text) }
    if field.form == .column { return sameClass(as: reading.last.value) }
    guard let typed = Value(typed: input.text) else { return nil }
    return typed.isJSONToken == reading.last.value.isJSONToken ? typed : nil
  }

  private func given(
    like conflict: FieldConflict, in record: RecordConflict
  ) throws(ChoiceRefusal) -> Value {
    if let held { return held }
    if let read = readOtherwise ?? readAsBefore { return read }
    switch field.kind {
    case _ where field.form == .json: return try json(like: conflict, in: record)
    case .integer:
      if let truth = field.truth(number) { return truth }
      return try field.integer(typed: number)
    case .real: return try field.real(typed: number)
    case .text: return .text(input.text)
    case .blob: throw .wrongType(field: field.name, expected: .blob)
    case .numeric: return try field.kept(typed: input.text)
    // Where the line had no class, a column without a type keeps the client's, if the text allows it.
    case .any: return sameClass(as: conflict.client?.value) ?? .text(input.text)
    }
  }

  private var number: String { input.text.trimmingBlanks }

  /// Without blanks around it: where texts are taken, too, it is one with them.
  private var realAsTyped: Value? {
    input.text == number ? try? field.real(typed: input.text) : nil
  }

  /// As on the command line. Nothing can be said in front here, so what could be several types, or is none of the key's, is read
  /// like the client's value, if it does not read like what the line had; the editor shows as what, and a key turns it.
  private func json(
    like conflict: FieldConflict, in record: RecordConflict
  ) throws(ChoiceRefusal) -> Value {
    if let value = try? record.typed(input.text, for: conflict) { return value }
    guard conflict.isJSON else { return sameClass(as: conflict.client?.value) ?? .text(input.text) }
    guard let value = Value(typed: input.text) else { throw .notJSON(field: field.name) }
    return value
  }

  /// In a document what JSON has no number for is none.
  private func sameClass(as value: Value?) -> Value? {
    let typed = field.form == .json ? Value(typed: input.text) : nil
    if field.form == .json, typed == nil { return nil }
    return switch value {
    case .integer?: Int64(input.text).map { typed ?? .integer($0) }
    // A whole number that no real has stays one.
    case .real?: realAsTyped ?? Int64(input.text).map(Value.integer)
    case .null?, .text?, .blob?, .opaque?, nil: nil
    }
  }
}

extension FieldConflict {
  /// Whether a list, an object or the like is edited: then what is typed has to be JSON too.
  fileprivate var isJSON: Bool {
    if case .opaque(Value.jsonKind, _)? = (client ?? server)?.value { true } else { false }
  }
}

extension Value {
  /// Whether it is neither a text nor a number, or one that no number here holds.
  fileprivate var isJSONToken: Bool { if case .opaque = self { true } else { false } }
}

extension String {
  /// A number that was copied has blanks around it at times, which mean nothing.
  fileprivate var trimmingBlanks: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
