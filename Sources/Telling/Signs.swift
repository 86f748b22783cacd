import Merging

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
  package var name: String {
    switch self {
    case .yours: "yours"
    case .byClock: "byClock"
    case .sure: "sure"
    }
  }
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

extension Choice {
  /// The side taken; nil for a value.
  package var side: Side? { if case .take(let side) = self { side } else { nil } }

  /// What was chosen, in a word.
  package var words: String {
    switch self {
    case .take(let side): side.rawValue
    case .edit: "edited"
    case .merged: "merged"
    case .alternative(let id): id
    }
  }
}

extension RecordVersion {
  /// What a version is that is not present; nil for one that is.
  package func absence(_ time: (Int64) -> String) -> String? {
    switch self {
    case .present: nil
    case .deleted(let when): "deleted" + (when.map { " " + time($0) } ?? "")
    case .absent: "never was"
    case .unknown: "not known"
    }
  }
}
