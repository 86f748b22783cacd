import ExactJSON
import Merging
import StoreInterface

/// What a person may see of records, and what stands in the place of the rest. Whatever names a record, holds a value of it or
/// may quote one becomes a text here and nowhere else.
package enum Privacy: Sendable, Equatable {
  case open
  /// `P` in the desk.
  case hidden
  /// `--redact`, for a report to strangers: eight digits by the key of whoever sends it tell the same record in two reports.
  case redacted(by: RedactionKey)

  static let mark = "***"

  package var hides: Bool { self != .open }

  /// A title, a key, a device, or words of the store that may hold one.
  package func shown(_ words: String) -> String {
    switch self {
    case .open: words
    case .hidden: words.isEmpty ? "" : Privacy.mark
    case .redacted(let key): words.isEmpty ? "" : "#" + key.digits(of: words, 8)
    }
  }

  /// A value in one line. That there is none is no secret; that it is NULL is none in a report, where it may be what is wrong.
  ///
  /// - Parameter kind: of its field, where nothing else tells what is a text and what a number.
  package func line(_ value: Value?, kind: Field.Kind = .text) -> String {
    let text = ValueText.line(value, isTyped: kind == .text)
    switch (self, value) {
    case (.open, _), (_, nil), (.redacted, .null?): return text
    case (.hidden, _): return Privacy.mark
    case (.redacted(let key), let value?): return "#" + key.digits(of: Privacy.exactly(value), 8)
    }
  }

  /// By what a value is hashed, another for each. A text is by itself, as a key, a title or a name that is the same.
  private static func exactly(_ value: Value) -> String {
    switch value {
    case .text(let text) where text.utf8.first != 0: text
    // Of its bytes there may be no more.
    case .blob(let blob): "\0sha256 " + Hexadecimal.text(blob.sha256)
    case .text, .integer, .real, .null, .opaque: "\0" + RowJSON.encode(value)
    }
  }

  /// The value of a field; a key that points to another record is shown with that record's title.
  package func line(_ value: Value?, of field: String, in conflict: RecordConflict) -> String {
    line(value, titles: conflict.details.references[field] ?? [:])
  }

  /// - Parameters:
  ///   - titles: what the records are called that values point to.
  ///   - kind: of its field, where nothing else tells what is a text and what a number.
  package func line(_ value: Value?, titles: [Value: String], kind: Field.Kind = .text) -> String {
    let text = line(value, kind: kind)
    guard !hides, let title = value.flatMap({ titles[$0] }) else { return text }
    return text.count <= 6 ? "\(text) \(title)" : line(.text(title))
  }

  /// What the record is called that a key points to; nil where the value is told without that.
  package func title(of value: Value?, in field: String, of conflict: RecordConflict) -> String? {
    hides ? nil : value.flatMap { conflict.details.references[field]?[$0] }
  }

  /// Two texts that differ, or two pieces of JSON, to be compared word by word; nil for everything else, and for what is told in quotes
  /// there, too.
  package func texts(_ old: Value?, _ new: Value?) -> (old: String, new: String)? {
    guard !hides, old != new, let before = text(old), let after = text(new),
      !ValueText.needsQuotes(before), !ValueText.needsQuotes(after)
    else { return nil }
    return (before, after)
  }

  private func text(_ value: Value?) -> String? {
    switch value {
    case .text(let text)?: text
    case .opaque(Value.jsonKind, _)?: value?.jsonText
    case .null?, .integer?, .real?, .blob?, .opaque?, nil: nil
    }
  }

  /// A fingerprint is a plain hash of values, by which a short one could be guessed.
  package func told(_ fingerprint: Fingerprint) -> Fingerprint {
    switch self {
    case .open: fingerprint
    case .hidden: Fingerprint(subject: Privacy.mark)
    case .redacted(let key):
      Fingerprint(
        subject: key.digits(of: fingerprint.subject, 32), record: key.digits(of: fingerprint.record, 32),
        conflict: fingerprint.conflict.isEmpty ? "" : key.digits(of: fingerprint.conflict, 32))
    }
  }

  /// All digits of a revision say what a document holds to somebody who guesses that.
  package func revision(_ id: String, short: String) -> String { hides ? short : id }
}

extension Privacy {
  /// What is to be known of a record: without the names of somebody's files, and in a report also without what says what a document holds
  /// to somebody who guesses that.
  package func notes(of conflict: RecordConflict) -> [String] {
    conflict.details.notes.map { told($0, of: conflict) }
  }

  /// A note, or why a version is not known.
  package func told(_ words: String, of conflict: RecordConflict) -> String {
    guard hides else { return words }
    // The longest first, as one may be the beginning of another.
    let names = conflict.details.notedNames.sorted { $0.written.utf8.count > $1.written.utf8.count }
    return names.reduce(words) { words, name in
      if self == .hidden, !name.isQuoted { return words }
      let cover = shown(name.name)
      return words.replacing(name.written, with: name.isQuoted ? "“\(cover)”" : cover)
    }
  }
}

/// Names.
extension Privacy {
  /// The name of a field, as the app chose it; but that of an attachment is somebody's file.
  package func name(_ field: String) -> String {
    hides && field.hasPrefix(Field.attachmentPrefix)
      ? "…/" + shown(String(field.dropFirst(Field.attachmentPrefix.count))) : field.shownName
  }

  /// The same with all there is of it, as far as that is shown.
  package func wholeName(_ field: String) -> String { hides ? name(field) : field.wholeName }

  /// What is decided, by its name as a person reads it.
  package func wholeName(_ subject: Subject) -> String {
    if case .field(let name) = subject { wholeName(name) } else { subject.name }
  }

  /// The same where it stands in a sentence, or there is little room.
  package func words(_ subject: Subject) -> String {
    switch subject {
    case .record: "the whole record"
    case .field(let name): self.name(name)
    }
  }

  /// The names of fields: "title, notes, list, +2".
  package func words(_ fields: [String]) -> String {
    (fields.prefix(3).map(name) + (fields.count > 3 ? ["+\(fields.count - 3)"] : [])).joined(separator: ", ")
  }

  /// A finding about a table, a queue or the whole store has no record; its title and id name nobody's. What its texts may show
  /// to anybody, and what not, its store has said: see ``Evidence``.
  package func told(_ finding: Finding, in store: StoreInfo) -> Finding {
    guard hides else { return finding }
    var told = finding
    told.shown = finding.shown.redacted(shown)
    told.related = finding.related.map { recordName($0, in: store) }
    guard !finding.record.isEmpty else { return told }
    told.record = shown(finding.record)
    told.title = shown(finding.title)
    told.id = finding.key + ":" + told.record
    return told
  }

  package func told(_ summary: ConflictSummary) -> ConflictSummary {
    guard hides else { return summary }
    var told = summary
    told.id = recordName(summary.id, of: summary.table, key: summary.primaryKey)
    (told.primaryKey, told.title) = (shown(summary.primaryKey), shown(summary.title))
    told.searchText = ""
    return told
  }

  /// What a record is called: the name of its table is no secret.
  package func recordName(_ id: String, of table: String, key: String) -> String {
    hides && id == "\(key):\(table)" ? shown(key) + ":" + table : shown(id)
  }

  /// The names by which a report that hides values may have told a record, in lists and in findings.
  package func recordNames(_ summary: ConflictSummary) -> Set<String> {
    [
      recordName(summary.id, of: summary.table, key: summary.primaryKey), shown(summary.primaryKey),
      summary.table + "/" + shown(summary.primaryKey), shown(summary.id),
    ]
  }

  /// The same of a record of which its name alone is known.
  package func recordNames(_ id: String, in store: StoreInfo) -> Set<String> {
    let hash = recordHash(id, in: store)
    let inTable = store.parts(ofRecord: id).table.map { $0 + "/" + hash }
    return Set([recordName(id, in: store), hash, shown(id)] + [inTable].compactMap(\.self))
  }

  /// The name of a way to decide a record as a whole; that of a leaf says what the leaf holds.
  package func name(_ alternative: Alternative, in conflict: RecordConflict) -> String {
    let isLeaf = conflict.details.leaves.contains { $0.id == alternative.id }
    return hides && isLeaf ? shown(alternative.id) : conflict.commonName(of: alternative)
  }

  package func told(_ queue: UploadQueue) -> UploadQueue {
    var told = queue
    for index in told.waiting.indices { told.waiting[index].record = shown(told.waiting[index].record) }
    return told
  }

  /// An entry of the log with its record as other reports call it; what it says is hidden where its words are made.
  package func told(_ entry: JournalEntry, in store: StoreInfo) -> JournalEntry {
    var told = entry
    told.record = entry.isOfFinding ? findingID(entry.record, in: store) : recordName(entry.record, in: store)
    return told
  }

  /// Of a record of which its name alone is known: the name of its table is no secret.
  package func recordName(_ name: String, in store: StoreInfo) -> String {
    guard hides else { return name }
    return recordHash(name, in: store) + (store.parts(ofRecord: name).table.map { ":" + $0 } ?? "")
  }

  /// The same without its table, where somebody may have typed what looks like one.
  package func recordHash(_ name: String, in store: StoreInfo) -> String {
    shown(store.parts(ofRecord: name).key)
  }

  /// The id of a finding about a record, as ``told(_:in:)`` has it.
  package func findingID(_ id: Finding.ID, in store: StoreInfo) -> Finding.ID {
    guard hides, let (key, subject) = Finding.parts(of: id) else { return shown(id) }
    // Of rows, what has no table is the number of one in a queue, and nobody's name.
    if store.hasFixedFields, store.parts(ofRecord: subject).table == nil { return id }
    return key + ":" + recordHash(subject, in: store)
  }
}

extension String {
  /// A field's name as a person reads it: of attachments the names count.
  package var shownName: String {
    hasPrefix(Field.attachmentPrefix) ? "…/" + dropFirst(Field.attachmentPrefix.count) : wholeName
  }

  /// The same with all there is of it: a document may have a key without a letter, which is told in quotes, as an empty text is. What
  /// looks like that is, too.
  package var wholeName: String { ValueText.isOfQuotesAlone(self) ? "\"\(self)\"" : self }
}

extension Subject {
  /// See ``Privacy/wholeName(_:)``.
  package var wholeName: String { Privacy.open.wholeName(self) }
}

/// Values in one line. Only ``Privacy`` makes these texts, so that none gets by it.
enum ValueText {
  private static let null = "∅"
  private static let none = "-"
  private static let missing = "(none)"

  /// - Parameter isTyped: whether it is known beside the value that it is a text, so that "5" is not taken for 5.
  static func line(_ value: Value?, isTyped: Bool) -> String {
    switch value {
    case nil: none
    case .null?: null
    case .integer(let integer)?: "\(integer)"
    case .real(let real)?: "\(real)"
    case .text(let text)?: isMisleading(text, isTyped) ? "\"\(text)\"" : text
    case .blob(let blob)?: line(blob)
    case Value.missing?: missing
    case .opaque(let kind, let bytes)?:
      value?.attachmentText ?? value?.jsonText ?? "\(kind), not understood, \(bytes.count) bytes"
    }
  }

  /// Whether a text could be taken for something else, or for another text.
  private static func isMisleading(_ text: String, _ isTyped: Bool) -> Bool {
    let text = bare(text)
    if isSign(text) || hasBlankEnd(text) { return true }
    return !isTyped && isShort(text) && (Double(text) != nil || text == "true" || text == "false")
  }

  /// Whether a text stands in quotes also where it is compared with another: of a long one the words that differ are worth more than the
  /// blank at its end.
  static func needsQuotes(_ text: String) -> Bool { isSign(text) || isShort(text) && hasBlankEnd(bare(text)) }

  private static func isShort(_ text: String) -> Bool { text.utf8.count < 40 }

  /// Whether nothing is seen of a text, or it is one of the signs for what is none.
  private static func isSign(_ text: String) -> Bool {
    let text = bare(text)
    return text.allSatisfy(\.isBlank) || [null, none, missing, Privacy.mark].contains(text)
  }

  /// Whether a text begins or ends with a blank, which nobody sees there.
  private static func hasBlankEnd(_ text: String) -> Bool {
    text.first?.isBlank == true || text.last?.isBlank == true
  }

  /// Whether a text is empty, or could be taken for one that is, told in quotes.
  static func isOfQuotesAlone(_ text: String) -> Bool { bare(text).isEmpty }

  /// Without the quotes around it, which would be taken for those that a text is told in.
  private static func bare(_ text: String) -> String {
    guard text.utf8.count > 1, text.first == "\"", text.last == "\"" else { return text }
    let rest = text.drop { $0 == "\"" }
    return rest.lastIndex { $0 != "\"" }.map { String(rest[...$0]) } ?? ""
  }

  private static func line(_ blob: Blob) -> String {
    "blob " + (blob.count.map { "\($0) B " } ?? "") + "#" + Hexadecimal.text(blob.sha256.prefix(4))
      + (blob.areHere ? "" : ", not here")
  }
}

extension Character {
  /// Whether it is a blank, of whichever kind, without a mark that shows. A tab and a line's end have signs, U+1680 is a stroke in most
  /// fonts, and U+2800 is Braille without a dot, which Unicode does not call a blank.
  fileprivate var isBlank: Bool {
    unicodeScalars.allSatisfy { scalar in
      if scalar == "\u{2800}" || scalar.properties.isVariationSelector { return true }
      return scalar.properties.generalCategory == .spaceSeparator && scalar != "\u{1680}"
    }
  }
}

extension Value {
  /// The type as stored.
  package static func typeName(_ value: Value?) -> String {
    switch value {
    case nil: "not known"
    case .null?: "NULL"
    case .integer?: "INTEGER"
    case .real?: "REAL"
    case .text?: "TEXT"
    case .blob?: "BLOB"
    case Value.missing?: "not there"
    case .opaque(let kind, _)?: value?.jsonText == nil ? "unknown" : kind
    }
  }
}
