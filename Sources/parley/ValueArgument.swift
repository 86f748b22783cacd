import ExactJSON
import Merging
import StoreInterface

/// Reads the value of a `--set` for one field. Its forms are listed at ``ChoiceArgument``.
struct ValueArgument {
  let conflict: FieldConflict

  private var field: Field { conflict.field }

  /// - Throws: ``ChoiceRefusal``, ``StoreError/cannotRead(path:detail:)``, ``CommandError``
  func value(_ text: String) throws -> Value {
    if text == "null:" { return .null }
    guard let (form, rest) = form(of: text) else { return try plain(text) }
    switch form {
    case "text": return .text(rest)
    case "integer": return try integer(rest)
    case "real": return try real(rest)
    case "json": return try json(rest)
    case "blob" where field.form == .column && field.kind != .blob && field.kind != .any:
      throw ChoiceRefusal.wrongType(field: field.name, expected: field.kind)
    case "blob": return .blob(Blob(bytes: try hexadecimalBytes(rest)))
    default: return try contents(ofFile: rest)
    }
  }

  private func form(of text: String) -> (String, String)? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let form = String(text[..<colon])
    guard ["text", "integer", "real", "json", "blob", "file"].contains(form) else { return nil }
    return (form, String(text[text.index(after: colon)...]))
  }

  /// Part of a JSON document: `json:[1,true]`, `json:1.10`; `json:` alone takes the key away.
  private func json(_ text: String) throws -> Value {
    if text.isEmpty { return .missing }
    guard let json = try? JSONValue(parsing: text) else {
      throw ChoiceRefusal.notJSON(field: field.name)
    }
    return Value(json)
  }

  /// As the field's own type reads it; a column without a type takes it as text.
  private func plain(_ text: String) throws -> Value {
    if field.form == .json { return try conflict.typed(meant(text)) }
    return switch field.kind {
    case .integer: try integer(truth[text.lowercased()] ?? meant(text))
    case .real: try real(meant(text))
    case .text, .any: .text(try meant(text))
    case .blob: throw CommandError.needsBytes(field: field.name)
    }
  }

  /// A column of truth values holds 1 and 0.
  private var truth: [String: String] { ["true": "1", "false": "0"] }

  /// The text, unless it is a word that somebody may have meant otherwise: another tool's name of a side, a side or NULL in
  /// capitals.
  private func meant(_ text: String) throws(CommandError) -> String {
    let word = text.lowercased()
    if word == "null" || word == "nil", !field.isRequired || takesText {
      throw .nullOrText(
        field: field.name, text: text, takesNull: !field.isRequired, takesText: takesText)
    }
    if let side = Side(rawValue: word) {
      throw .sideOrText(field: field.name, text: takesText ? text : nil, side: side.rawValue)
    }
    if ["ours", "theirs", "mine", "base", "local", "remote", "both"].contains(text) {
      throw .sideOrText(field: field.name, text: takesText ? text : nil, side: nil)
    }
    return text
  }

  private var takesText: Bool { field.form == .json || field.kind == .text || field.kind == .any }

  private func integer(_ text: String) throws(ChoiceRefusal) -> Value {
    if let integer = Int64(text) { return .integer(integer) }
    throw text.wholeMatch(of: /[+-]?[0-9]+/) == nil ? wrongType(.integer) : .tooLarge(field: field.name)
  }

  /// Infinity and "not a number" are refused: SQLite would keep NULL for the one, and a server nothing for either.
  private func real(_ text: String) throws(ChoiceRefusal) -> Value {
    guard let real = Double(text), real.isFinite else { throw wrongType(.real) }
    return .real(real)
  }

  private func wrongType(_ kind: Field.Kind) -> ChoiceRefusal {
    .wrongType(field: field.name, expected: kind)
  }

  private func hexadecimalBytes(_ text: String) throws -> [UInt8] {
    guard let bytes = Hexadecimal.bytes(text) else { throw CommandError.notHexadecimal(field: field.name) }
    return bytes
  }

  private func contents(ofFile path: String) throws -> Value {
    let bytes = try bytes(ofFile: path, limit: FileLimit.value)
    guard field.kind == .text || field.form == .json else { return .blob(Blob(bytes: bytes)) }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw CommandError.notText(path: path) }
    return .text(text)
  }
}
