import Merging

extension Choice {
  /// The side taken; nil for a value.
  package var side: Side? { if case .take(let side) = self { side } else { nil } }

  /// The word of scripts: the side, the way's id, or how the value came about.
  package var name: String {
    switch self {
    case .take(let side): side.rawValue
    case .edit: "edited"
    case .merged: "merged"
    case .alternative(let id): id
    case .parts(let parts): parts.value == nil ? "merged by half" : "merged"
    }
  }

  /// The words for people, the same in the record, in every log, and where nothing is drawn. Whether a person put the parts together or a
  /// rule did is not kept.
  package var words: String {
    switch self {
    case .take(let side): "\(side.rawValue) taken"
    case .edit, .merged, .alternative, .parts: name
    }
  }
}

extension RecordConflict {
  /// The words for a choice about a field, as far as they hang on what the sides have: who takes one of two that agree takes what both have.
  package func words(_ choice: Choice, of field: FieldConflict) -> String {
    switch choice {
    case .take(let side) where side != .ancestor && field.change == .same: "both agree"
    case .take(.server) where liveLeaves.count > 2: "leaf 2 taken"
    case .merged(let value):
      wordsOfLeaves(having: value, in: field.name).map { "\($0) taken" } ?? choice.words
    case .take, .edit, .alternative, .parts: choice.words
    }
  }

  /// The same of a field or of the whole record, in a store of files too.
  package func words(_ choice: Choice, about subject: Subject) -> String {
    if let answer = answer(by: choice, for: subject) { return answer }
    guard case .field(let name) = subject, let field = self[name] else { return choice.words }
    return words(choice, of: field)
  }

  /// Of several live leaves those beside the winner that have this value: it was taken, and nobody has merged it.
  ///
  /// Which of several it was taken from is not kept: a screen that shows one of them names that one, and everything else all of them.
  package func numbersOfLeaves(having value: Value, in field: String) -> [Int] {
    guard let columns = leafColumns, let place = fields.place(of: field) else { return [] }
    return columns[place].leaves(having: value, after: 0).map { $0 + 1 }
  }

  /// The same in words: "leaves 2 and 3"; nil where none beside the winner has it.
  package func wordsOfLeaves(having value: Value, in field: String) -> String? {
    Leaf.words(of: numbersOfLeaves(having: value, in: field))
  }
}

extension Leaf {
  /// "leaf 3", "leaves 2 and 3", "leaves 2, 3, 4, and 9 more"; nil for none.
  package static func words(of numbers: [Int]) -> String? {
    let most = 3
    let told = numbers.prefix(most).map { "\($0)" }
    switch numbers.count {
    case 0: return nil
    case 1: return "leaf \(told[0])"
    case ...most: return "leaves \(told.dropLast().joined(separator: ", ")) and \(told.last ?? "")"
    default: return "leaves \(told.joined(separator: ", ")), and \(numbers.count - most) more"
    }
  }
}

extension PartChoice {
  /// What was chosen of one change.
  package var words: String {
    switch self {
    case .take(let side): "\(side.rawValue) taken"
    case .both(let first): "both, \(first.rawValue) first"
    case .edit: "edited"
    }
  }
}
