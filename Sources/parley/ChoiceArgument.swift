import ExactJSON
import Merging
import StoreInterface
import Telling

/// One `--set FIELD=VALUE`: what a person wants a field to be.
///
///     title=server             a side: client, server or ancestor
///     title=Call Dr. Wu        a value, read as the field's type, or as the one that a document's key has so far
///     title=text:client        the text "client"; in general text:… is a text whatever it looks like
///     priority=integer:3       a whole number, for fields without a type
///     weight=real:0.5          a number, for fields without a type
///     price=7.0                in a NUMERIC column what SQLite keeps of it: the integer 7
///     tags=json:[1,true]       part of a JSON document; `json:` alone takes the key away
///     due=null:                NULL
///     cover=file:PATH          the bytes of a file, or its text where the field holds text
///     cover=blob:00ff          bytes in hexadecimal
///     stock=leaf:2-65030c      what a leaf of a document has there, by its id or the beginning of that
///     record=client            the whole record: client, server, or another name that `parley show` tells; keep, accept, delete and
///                              both mean the same in every store
///     *=client                 the same, where a field is called record
///
/// A field's name may hold `=`: the longest name that fits counts. It may be empty, too: `'=server'`, in quotes, as zsh
/// takes a bare one for the path of a command.
struct ChoiceArgument: Equatable {
  let text: String

  /// What is decided for `conflict`.
  ///
  /// - Throws: ``StoreError/noSuchField(record:field:known:)``, ``StoreError/refusedChoice(record:field:_:)``,
  ///   ``StoreError/cannotRead(path:detail:isForbidden:)`` for a file, ``CommandError``
  /// - Parameter privacy: by which a redacted report called the leaf, or the attachment, that is meant.
  func decision(
    for conflict: RecordConflict, _ privacy: Privacy = .open
  ) throws -> (subject: Subject, choice: Choice) {
    var (subject, value) = try parts(for: conflict, privacy)
    if conflict.details.waitingSince != nil {
      throw StoreError.refusedChoice(
        record: conflict.id, field: subject.fieldName, conflict.refusalOfWaiting)
    }
    let choice = try choice(value, for: subject, in: conflict, privacy)
    if case .edit = choice, let name = subject.fieldName { subject = conflict.subject(ofValueFor: name) }
    if let refusal = conflict.refusal(of: choice, for: subject) {
      throw StoreError.refusedChoice(record: conflict.id, field: subject.fieldName, refusal)
    }
    return (subject, choice)
  }

  /// Whether there is a `=`; nothing more can be told without the record: a document may have a key without a letter.
  var isWellFormed: Bool { text.utf8.contains(UInt8(ascii: "=")) }

  private func parts(for conflict: RecordConflict, _ privacy: Privacy) throws -> (Subject, Substring) {
    let names = conflict.fields.map(\.name).filter { begins(with: $0 + "=") }
    // Of a draft that waits no ways are offered, and it could be decided in some before.
    let hasWays = !conflict.alternatives.isEmpty || conflict.details.waitingSince != nil
    if let whole = ["*=", "record="].first(where: begins),
      conflict.isWhole || (!names.contains(String(whole.dropLast())) && hasWays)
    {
      return (.record, rest(behind: whole))
    }
    if let name = names.max(by: { $0.utf8.count < $1.utf8.count }) {
      return (.field(name), rest(behind: name + "="))
    }
    if let field = conflict.fields.first(where: { begins(with: privacy.name($0.name) + "=") }) {
      return (.field(field.name), rest(behind: privacy.name(field.name) + "="))
    }
    let name = text.parts(between: "=")[0]
    throw StoreError.noSuchField(record: conflict.id, field: String(name), known: conflict.fields.map(\.name))
  }

  // By bytes, as a value may begin with a combining accent.
  private func begins(with start: String) -> Bool { text.utf8.starts(with: start.utf8) }
  private func rest(behind start: String) -> Substring { Substring(text.utf8.dropFirst(start.utf8.count)) }

  private func choice(
    _ value: Substring, for subject: Subject, in conflict: RecordConflict, _ privacy: Privacy
  ) throws -> Choice {
    if subject == .record { return try wholeChoice(String(value), in: conflict, privacy) }
    if let side = Side(rawValue: String(value)) { return .take(side) }
    guard case .field(let name) = subject, let field = conflict[name],
      !conflict.isWhole || name == conflict.details.ownValue?.field
    else { throw StoreError.refusedChoice(record: conflict.id, field: nil, conflict.notByField) }
    do {
      return try LeafArgument(conflict: conflict, privacy).choice(typed: String(value), for: field)
    } catch let refusal as ChoiceRefusal {
      throw StoreError.refusedChoice(record: conflict.id, field: name, refusal)
    }
  }
}

extension ChoiceArgument {
  private func wholeChoice(
    _ value: String, in conflict: RecordConflict, _ privacy: Privacy
  ) throws -> Choice {
    if let choice = conflict.choice(ofWhole: value) { return choice }
    let redacted = conflict.alternatives.first { privacy.name($0, in: conflict) == value }
    if let choice = redacted.flatMap({ conflict.choice(ofWhole: $0.id) }) { return choice }
    if let choice = try LeafArgument(conflict: conflict, privacy).choice(ofWhole: value) { return choice }
    throw CommandError.unknownAlternative(value, known: conflict.choicesOfTheWhole)
  }
}

/// Reads the value of a `--set` for one field. Its forms are listed at ``ChoiceArgument``.
struct ValueArgument {
  let record: RecordConflict
  let conflict: FieldConflict

  private var field: Field { conflict.field }

  /// - Throws: ``ChoiceRefusal``, ``StoreError/cannotRead(path:detail:isForbidden:)``, ``CommandError``
  func value(_ text: String) throws -> Value {
    try field.kept(try given(text))
  }

  private func given(_ text: String) throws -> Value {
    if text == "null:" { return .null }
    guard let (form, rest) = form(of: text) else { return try plain(text) }
    switch form {
    case "text": return .text(rest)
    case "integer", "real": return try number(rest, isWhole: form == "integer")
    case "json": return try json(rest)
    case "blob" where field.form == .column && [.integer, .real, .text].contains(field.kind):
      throw ChoiceRefusal.wrongType(field: field.name, expected: field.kind)
    case "blob": return .blob(Blob(bytes: try hexadecimalBytes(rest)))
    default: return try contents(ofFile: rest)
    }
  }

  /// What the field is comes first: of what no number fits nobody has to know that this one would be rounded.
  private func number(_ text: String, isWhole: Bool) throws(ChoiceRefusal) -> Value {
    if field.form == .column, [.text, .blob].contains(field.kind) {
      throw .wrongType(field: field.name, expected: field.kind)
    }
    if field.form == .column, field.kind == .integer { return try field.integer(typed: text) }
    if !isWhole { return try field.real(typed: text) }
    return try field.value(ofInteger: text)
  }

  private func form(of text: String) -> (String, String)? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let form = String(text[..<colon])
    guard ["text", "integer", "real", "json", "blob", "file"].contains(form) else { return nil }
    return (form, String(text[text.utf8.index(after: colon)...]))
  }

  /// Part of a JSON document: `json:[1,true]`, `json:1.10`; `json:` alone takes the key away.
  private func json(_ text: String) throws(ChoiceRefusal) -> Value {
    if text.isEmpty { return .missing }
    do throws(JSONProblem) {
      return Value(try JSONValue(parsing: text))
    } catch {
      throw .notJSON(field: field.name, reason: error.reason)
    }
  }

  /// As the field's own type reads it; a column without a type takes it as text.
  private func plain(_ text: String) throws -> Value {
    if field.form == .json { return try record.typed(meant(text), for: conflict) }
    if let truth = field.truth(text) { return truth }
    return switch field.kind {
    case .integer: try field.integer(typed: meant(text))
    case .real: try field.real(typed: meant(text))
    case .numeric: try field.kept(typed: meant(text))
    case .text, .any: .text(try meant(text))
    // As in the desk.
    case .blob where text.hasPrefix("@"): try contents(ofFile: String(text.dropFirst()))
    case .blob: throw CommandError.needsBytes(field: field.name)
    }
  }

  /// The text, unless it is a word that somebody may have meant otherwise: another tool's name of a side, a side or NULL in
  /// capitals.
  private func meant(_ text: String) throws(CommandError) -> String {
    let word = text.lowercased()
    if word == "null" || word == "nil", !field.isRequired || takesText {
      throw .nullOrText(field: field.name, text: text, takesNull: !field.isRequired, takesText: takesText)
    }
    if let side = Side(rawValue: word) {
      throw .sideOrText(field: field.name, text: takesText ? text : nil, side: side.rawValue)
    }
    // One slip away; but a plural is a word of its own.
    let meant = Side.allCases.first {
      Spelling.slips(from: $0.rawValue, to: text) == 1 && text != $0.rawValue + "s"
    }
    if let meant {
      throw .sideOrText(field: field.name, text: takesText ? text : nil, side: meant.rawValue)
    }
    if ["ours", "theirs", "mine", "base", "local", "remote", "both"].contains(text) {
      throw .sideOrText(field: field.name, text: takesText ? text : nil, side: nil)
    }
    return text
  }

  private var takesText: Bool { field.form == .json || [.text, .numeric, .any].contains(field.kind) }

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

extension RecordConflict {
  /// What `--set` calls the whole record.
  var nameOfTheWhole: String { self["record"] == nil || isWhole ? "record" : "*" }

  /// The ways to decide it as a whole, as they are given behind `--set`.
  var choicesOfTheWhole: [String] {
    let sides = [Side.client, .server].filter { refusal(of: .take($0), for: .record) == nil }
    let named = offeredAlternatives.map(commonName(of:))
    return (named.isEmpty ? sides.map(\.rawValue) : named).map { "\(nameOfTheWhole)=\($0)" }
  }

  /// The sides that each field can be taken from which one of them changed, and the ways of the whole behind these.
  var choicesOfSides: [String] {
    let fields = isWhole ? [] : fields.filter { $0.change != .unchanged }.map(\.name)
    return fields.flatMap { name in
      [Side.client, .server, .ancestor].filter { refusal(of: .take($0), for: .field(name)) == nil }
        .map { "\(name)=\($0.rawValue)" }
    } + choicesOfTheWhole
  }
}
