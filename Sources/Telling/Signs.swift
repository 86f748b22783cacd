import Merging
import StoreInterface

extension Side {
  /// The letter that stands for it everywhere.
  package var letter: String {
    switch self {
    case .ancestor: "A"
    case .client: "C"
    case .server: "S"
    }
  }
}

extension Source {
  package var words: String { self == .both ? "client and server" : rawValue }
}

extension RecordConflict {
  /// Where a value of a field comes from: what no side has, and further leaves do, is theirs.
  package func words(_ source: Source, of value: Value, in field: String) -> String {
    (source == .merged ? wordsOfLeaves(having: value, in: field) : nil) ?? source.words
  }

  /// The same where no version stands beside it: of three leaves and more the server's is told by its number, as the others are.
  package func wordsOfOrigin(_ source: Source, of value: Value, in field: String) -> String {
    source == .server && liveLeaves.count > 2 ? "leaf 2" : words(source, of: value, in: field)
  }
}

extension Certainty {
  /// The sign that stands for it everywhere.
  package var sign: String {
    switch self {
    case .yours: "!"
    case .byClock: "^"
    case .sure: "~"
    }
  }

  /// The word of scripts.
  package var name: String { "\(self)" }
}

extension Subject {
  /// The field's name, or `record`: the word of scripts.
  package var name: String {
    switch self {
    case .record: "record"
    case .field(let name): name
    }
  }
}

extension RecordVersion {
  /// What a version is that is not present; nil for one that is.
  package func absence(_ time: (Int64) -> String) -> String? {
    switch self {
    case .present: nil
    case .deleted(let when): "deleted" + (when.map { " " + time($0) } ?? "")
    case .absent: "no record"
    case .unknown: "not known"
    }
  }
}

extension Privacy {
  /// "what the server changed: title, notes; the deletion on leaf 3"; empty if nothing is lost.
  package func words(_ losses: [Alternative.Loss]) -> String {
    losses.map { loss in
      switch loss {
      case .deletion(let party): "the deletion on \(party)"
      case .edits(let party, let fields): "what \(party) changed: \(all(fields))"
      case .values(let party, let fields): "what \(party) has: \(all(fields))"
      case .value(let party, _, let field, _): "what \(party) has: \(name(field))"
      case .other(let words): words
      }
    }.joined(separator: "; ")
  }

  /// What is done, with the names of the records that are made by it.
  package func words(_ alternative: Alternative) -> String {
    let names = alternative.newRecords.map(shown).joined(separator: ", ")
    return names.isEmpty ? alternative.words : "\(alternative.words) \(names)"
  }

  private func all(_ fields: [String]) -> String { fields.map(name).joined(separator: ", ") }
}

extension Decision {
  /// "title: server taken", for the log, which holds values.
  ///
  /// - Parameters:
  ///   - answer: what its store calls it, if that is known.
  ///   - inLines: see ``JournalEntry/text(_:inLines:)``.
  package func words(_ privacy: Privacy, answer: String? = nil, inLines: Bool = false) -> String {
    let words = answer ?? choice?.wholeWords(privacy, inLines)
    return "\(privacy.wholeName(subject)): \(words ?? "taken back")"
  }
}

extension Privacy {
  /// The word of scripts for what was chosen. The id of a leaf says what the leaf holds.
  package func name(_ choice: Choice) -> String {
    guard case .alternative(let id) = choice, !id.allSatisfy(\.isLetter) else { return choice.name }
    return shown(id)
  }

  /// The words for people.
  ///
  /// - Parameter conflict: nil where it is not known.
  package func words(_ choice: Choice, about subject: Subject, of conflict: RecordConflict?) -> String {
    // Where its store has no name for it, it is told by its id.
    if hides, case .alternative = choice {
      return conflict?.answer(by: choice, for: subject) ?? name(choice)
    }
    return conflict?.words(choice, about: subject) ?? choice.words
  }

  /// " (client taken; both, server first)": what was chosen of each change, in the order of the text, a key of JSON with its name.
  package func beside(_ parts: PartChoices) -> String {
    let told = parts.inOrder.map { id, choice in
      // A key of JSON may be somebody's: see `Privacy.key(of:)`.
      id.hasPrefix("/") ? "\(shown(id)): \(choice.words)" : choice.words
    }
    let most = 6
    let more = told.count > most ? "; \(told.count - most) more" : ""
    return told.isEmpty ? "" : " (\(told.prefix(most).joined(separator: "; "))\(more))"
  }
}

extension PartChoices {
  /// Of a text by where each begins.
  fileprivate var inOrder: [(FieldPart.ID, PartChoice)] {
    let place = { (id: FieldPart.ID) in Int(id.prefix { $0 != "+" }) ?? 0 }
    return choices.sorted { (place($0.key), $0.key) < (place($1.key), $1.key) }.map { ($0.key, $0.value) }
  }
}

extension Choice {
  fileprivate func wholeWords(_ privacy: Privacy, _ inLines: Bool) -> String {
    // More words may follow: a text has its quotes always, and without lines of its own the letters of JSON for them.
    func told(_ value: Value) -> String {
      guard !privacy.hides, case .text(let text) = value else { return privacy.line(value) }
      return inLines ? "\"\(text)\"" : RowJSON.encode(value)
    }
    return switch self {
    case .alternative(let id): Side(rawValue: id).map { "\($0.rawValue) taken" } ?? privacy.name(self)
    case .parts(let parts):
      parts.value.map { "\(words)\(privacy.beside(parts)) to \(told($0))" }
        ?? "\(words)\(privacy.beside(parts))"
    case .take: words
    case .edit(let value), .merged(let value): "\(words) to \(told(value))"
    }
  }
}
