import Merging
import StoreInterface

/// What is typed, as the field reads it.
extension EditorPage {
  /// The value as it would be stored, or in words why it cannot be.
  func value(like conflict: FieldConflict) -> Result<Value, ChoiceRefusal> {
    let value: Value? = isNull ? .null : bytes.map(Value.blob) ?? parsed(like: conflict)
    guard let value else {
      return .failure(refusalOfTyped)
    }
    return conflict.refusal(ofMade: value).map { .failure($0) } ?? .success(value)
  }

  private var refusalOfTyped: ChoiceRefusal {
    if field.form == .json { return .notJSON(field: field.name) }
    if field.kind == .integer { return field.refusal(ofNoInteger: input.text) }
    if field.isOfTruths { return .noTruth(field: field.name) }
    let isNumber = field.kind == .numeric || field.kind == .real
    return isNumber
      ? field.refusal(ofNoReal: number) : .wrongType(field: field.name, expected: field.kind)
  }

  private func parsed(like conflict: FieldConflict) -> Value? {
    switch field.kind {
    case _ where field.form == .json: json(like: conflict)
    case .integer: Int64(number).map { .integer($0) } ?? field.truth(number)
    case .real: Double(number).flatMap { $0.isFinite ? Value.real($0) : nil }.flatMap { try? field.kept($0) }
    case .text: .text(input.text)
    case .blob: nil
    case .numeric: try? field.kept(typed: input.text)
    // A column without a type keeps the class it has, if the text allows it.
    case .any: sameClass(as: conflict.client?.value) ?? .text(input.text)
    }
  }

  private var number: String { input.text.trimmingBlanks }

  /// As on the command line. Nothing can be said in front here, so what could be several types, or is none of the key's, is read
  /// like the client's value; and the editor shows as what.
  private func json(like conflict: FieldConflict) -> Value? {
    if let value = try? conflict.typed(input.text) { return value }
    if conflict.isJSON { return Value(typed: input.text) }
    return sameClass(as: conflict.client?.value) ?? .text(input.text)
  }

  private func sameClass(as value: Value?) -> Value? {
    switch value {
    case .integer?: Int64(input.text).map { .integer($0) }
    case .real?: Double(input.text).flatMap(exactly)
    default: nil
    }
  }

  /// nil for infinity, and for what is no number; a whole number that no real has stays one.
  private func exactly(_ real: Double) -> Value? {
    guard real.isFinite else { return nil }
    let integer = Int64(input.text).flatMap { Double(exactly: $0) == nil ? $0 : nil }
    return integer.map { .integer($0) } ?? .real(real)
  }
}

extension FieldConflict {
  /// Whether a list, an object or the like is edited: then what is typed has to be JSON too.
  fileprivate var isJSON: Bool {
    if case .opaque(Value.jsonKind, _)? = (client ?? server)?.value { true } else { false }
  }
}

extension String {
  /// A number that was copied has blanks around it at times, which mean nothing.
  fileprivate var trimmingBlanks: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
