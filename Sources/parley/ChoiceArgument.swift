import Merging
import StoreInterface

/// One `--set FIELD=VALUE`: what a person wants a field to be.
///
///     title=server             a side: client, server or ancestor
///     title=Call Dr. Wu        a value, read as the field's type, or as the one that a document's key has so far
///     title=text:client        the text "client"; in general text:… is a text whatever it looks like
///     priority=integer:3       a whole number, for fields without a type
///     weight=real:0.5          a number, for fields without a type
///     tags=json:[1,true]       part of a JSON document; `json:` alone takes the key away
///     due=null:                NULL
///     cover=file:PATH          the bytes of a file, or its text where the field holds text
///     cover=blob:00ff          bytes in hexadecimal
///     record=client            the whole record: client, server, or another name that `parley show` tells
///
/// A field's name may hold `=`: the longest name that fits counts.
struct ChoiceArgument: Equatable {
  let text: String

  /// What is decided for `conflict`.
  ///
  /// - Throws: ``StoreError/noSuchField(record:field:known:)``, ``StoreError/refusedChoice(record:field:_:)``,
  ///   ``StoreError/cannotRead(path:detail:)`` for a file, ``CommandError``
  func decision(for conflict: RecordConflict) throws -> (subject: Subject, choice: Choice) {
    let (subject, value) = try parts(for: conflict)
    let choice = try choice(value, for: subject, in: conflict)
    if let refusal = conflict.refusal(of: choice, for: subject) {
      throw StoreError.refusedChoice(record: conflict.id, field: subject.fieldName, refusal)
    }
    return (subject, choice)
  }

  /// Whether there is a `=` with something before it; nothing more can be told without the record.
  var isWellFormed: Bool { (text.firstIndex(of: "=") ?? text.startIndex) > text.startIndex }

  private func parts(for conflict: RecordConflict) throws -> (Subject, Substring) {
    let names = conflict.fields.map(\.name).filter { text.hasPrefix($0 + "=") }
    let isOffered = !conflict.details.alternatives.isEmpty && !names.contains("record")
    if text.hasPrefix("record="), conflict.isWhole || isOffered {
      return (.record, text.dropFirst("record=".count))
    }
    if let name = names.max(by: { $0.count < $1.count }) {
      return (.field(name), text.dropFirst(name.count + 1))
    }
    let name = text.prefix { $0 != "=" }
    throw StoreError.noSuchField(record: conflict.id, field: String(name), known: conflict.fields.map(\.name))
  }

  private func choice(_ value: Substring, for subject: Subject, in conflict: RecordConflict) throws -> Choice
  {
    if subject == .record { return try wholeChoice(String(value), in: conflict) }
    if let side = Side(rawValue: String(value)) { return .take(side) }
    guard case .field(let name) = subject, let field = conflict[name], !conflict.isWhole else {
      throw StoreError.refusedChoice(record: conflict.id, field: nil, .decidedAsAWhole)
    }
    do {
      return .edit(try ValueArgument(conflict: field).value(String(value)))
    } catch let refusal as ChoiceRefusal {
      throw StoreError.refusedChoice(record: conflict.id, field: name, refusal)
    }
  }
}

extension ChoiceArgument {
  /// An alternative by its name, or one of the two sides; the ancestor is what both have left behind.
  private func wholeChoice(_ value: String, in conflict: RecordConflict) throws -> Choice {
    if !conflict.isWhole || conflict.alternative(value) != nil {
      return conflict.choice(ofAlternative: value)
    }
    guard let side = Side(rawValue: value), side != .ancestor else {
      throw CommandError.recordTakesSide(value)
    }
    return .take(side)
  }
}

extension Subject {
  /// nil for the record as a whole.
  var fieldName: String? { if case .field(let name) = self { name } else { nil } }
}
