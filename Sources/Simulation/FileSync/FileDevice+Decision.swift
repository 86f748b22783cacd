import Merging

/// What a person answers.
package enum FileAnswer: String, Sendable, CaseIterable {
  /// What waits here is sent on top of the server's version. Where the server deleted the file this undeletes
  /// it.
  case keep
  /// What waits here is given up. The framework removes what the conflict names, and of an upload before a
  /// deletion it forgets the upload.
  case accept
  /// The server's version is accepted, and a text made of both is sent on top of it.
  case merge
  /// An upload and the deletion after it are given up, both. Parley's, on a copy: the framework has no such
  /// answer.
  case acceptAll
  /// The upload stays, and the deletion after it is given up. Parley's, too.
  case keepEdit
  /// The deletion stays, and the upload before it is given up. Parley's, too.
  case keepDeletion
}

extension FileDevice {
  /// Answers what is asked about a file.
  package mutating func decide(_ file: FileName, _ answer: FileAnswer, draft: String = "merged") -> FileEvent
  {
    guard let place = downloads.firstIndex(where: { $0.file == file && $0.isAsked }),
      let conflict = downloads[place].conflict
    else { return .nothingAsked }
    if answer == .merge, files[file]?.isDeletedOnServer == true { return .alreadyDeleted }
    downloads[place].isDecided = true
    isInRound = true
    settle(file, conflict, answer)
    if answer == .merge { commit(.upload(file, text: draft)) }
    return .decided(conflict, answer)
  }

  private mutating func settle(_ file: FileName, _ conflict: FileQuestion, _ answer: FileAnswer) {
    switch answer {
    case .keep: if conflict == .deletedThere { undeleteFirst(file) }
    case .accept, .merge: remove { $0.file == file && $0.isUpload == (conflict != .deletedHere) }
    case .acceptAll: remove { $0.file == file }
    case .keepEdit: remove { $0 == .deletion(file) }
    case .keepDeletion: remove { $0.file == file && $0.isUpload }
    }
  }

  /// Only the first of several uploads says that it undeletes.
  private mutating func undeleteFirst(_ file: FileName) {
    for queue in queues.indices {
      for place in queues[queue].operations.indices {
        guard case .upload(file, let text, _) = queues[queue].operations[place] else { continue }
        queues[queue].operations[place] = .upload(file, text: text, undeletes: true)
        return
      }
    }
  }
}
