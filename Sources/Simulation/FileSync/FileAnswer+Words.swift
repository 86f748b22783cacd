import Merging

extension FileAnswer {
  /// As a command, short.
  package var title: String {
    switch self {
    case .keep: "keep"
    case .accept: "accept"
    case .merge: "merge"
    case .acceptAll: "drop both"
    case .keepEdit: "keep edit"
    case .keepDeletion: "keep deletion"
    }
  }

  /// As it was done.
  var deed: String {
    switch self {
    case .keep: "keeps"
    case .accept: "accepts"
    case .merge: "merges"
    case .acceptAll: "drops both"
    case .keepEdit: "keeps the edit"
    case .keepDeletion: "keeps the deletion"
    }
  }

  /// What it comes to, if nobody gets ahead.
  ///
  /// - Parameters:
  ///   - version: the server's.
  ///   - hasBoth: whether an upload waits before the deletion.
  ///   - who: the person at the device, in the middle of a sentence.
  func comesTo(_ conflict: FileQuestion, of version: String, hasBoth: Bool, _ who: String) -> String {
    switch (self, conflict) {
    case (.keep, .editedOnBoth):
      "The upload stays and goes up next, over version \(version): what the server has is lost there."
    case (.keep, .deletedHere) where hasBoth:
      "Both stay: the upload goes up next, over version \(version), and is then deleted. Nobody sees it "
        + "for long."
    case (.keep, .deletedHere):
      "The deletion stays. It will delete version \(version), which is not the one that \(who) had "
        + "looked at."
    case (.keep, .deletedThere):
      "The upload stays, and is marked to undelete. Until it is up the file counts as deleted here, and "
        + "cannot be edited."
    case (.accept, .editedOnBoth):
      "The upload is given up, and the server's version is the only one."
    case (.accept, .deletedHere) where hasBoth:
      "Only the deletion is given up. The framework forgets the upload before it: that goes up next, over "
        + "version \(version), which "
        + "was just accepted, and nobody is told."
    case (.accept, .deletedHere): "The deletion is given up, and version \(version) stays."
    case (.accept, .deletedThere): "The upload is given up, and the file stays deleted."
    case (.merge, _):
      "Version \(version) is accepted, and a text made of both waits as a new upload on top of it."
    case (.acceptAll, _):
      "Upload and deletion are both given up, and version \(version) stays. The framework has no such "
        + "answer: it is given on a copy."
    case (.keepEdit, _):
      "The upload stays, the deletion after it is given up. The framework has no such answer: it is given "
        + "on a copy."
    case (.keepDeletion, _):
      "The deletion stays, the upload before it is given up. The framework has no such answer: it is "
        + "given on a copy."
    }
  }

  /// What the framework can be answered, and what only a copy of its store can.
  package static func all(for conflict: FileQuestion, hasBoth: Bool = false) -> [FileAnswer] {
    switch conflict {
    case .editedOnBoth: [.keep, .accept, .merge]
    case .deletedHere: hasBoth ? [.accept, .keep, .acceptAll, .keepEdit, .keepDeletion] : [.keep, .accept]
    case .deletedThere: [.keep, .accept]
    }
  }

  /// The same for a later question that has no such answer: what it left waiting is kept.
  func fitting(_ question: FileQuestion, hasBoth: Bool) -> FileAnswer {
    FileAnswer.all(for: question, hasBoth: hasBoth).contains(self) ? self : .keep
  }
}

extension FileDevice {
  func hasBoth(_ file: FileName) -> Bool { hasUpload(file) && hasDeletion(file) }
}
