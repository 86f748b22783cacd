import Merging

/// A step of a story in words.
struct FileScene {
  let device: String
  let file: FileName
  let before: FileWorld
  let after: FileWorld

  /// Of several events the one that changed the server, or the last.
  func title(_ events: [FileEvent]) -> String {
    let sent = events.filter { if case .sent = $0 { true } else { false } }
    return sent.count > 1 ? "\(device) syncs" : (sent.last ?? events.last).map(title) ?? ""
  }

  /// A whole round at once is told by what came of it.
  func why(_ events: [FileEvent]) -> String {
    if events.count == 1 { return why(events[0]) }
    let sent = events.filter { if case .sent = $0 { true } else { false } }
    let cameIn = events.filter { $0 == .downloaded(asks: []) }
    return (sent.isEmpty ? Array(events.suffix(1)) : cameIn + sent).map(why).joined(separator: " ")
  }

  private func title(_ event: FileEvent) -> String {
    switch event {
    case .edited(let file): file == self.file ? "\(device) edits" : "\(device) edits the \(file)"
    case .deleted: "\(device) deletes"
    case .alreadyDeleted: "\(device) is refused"
    case .lockHeld: "\(device) is locked out"
    case .nothingToDo: "\(device): nothing left to do"
    case .droppedDeletions: "\(device): both deleted it"
    case .found: "\(device) locks, reads index"
    case .transferredIn: "server fetches, unlocks"
    case .downloaded(let asks): asks.isEmpty ? "\(device) downloads" : "\(device) downloads, is asked"
    case .toldDeletions(let asks, let holdsLock):
      asks.isEmpty ? "\(device) deletes it too" : "\(device) is asked" + (holdsLock ? ", holds lock" : "")
    case .decided(_, let answer): "\(device) \(answer.deed)"
    case .nothingAsked: "\(device) is not asked"
    case .sent(let requests): "\(device) \(requests.map(title).joined(separator: ", "))"
    case .stopped: "\(device) stops for good"
    }
  }

  private func title(_ request: FileDevice.Request) -> String {
    let name = request.file == file ? "" : "\(request.file) "
    return switch request {
    case .download: "downloads"
    case .upload(_, let version, let undeletes):
      "\(undeletes ? "undeletes with" : "uploads") \(name)\(version)"
    case .deletion: "sends the deletion"
    }
  }

  private func why(_ event: FileEvent) -> String {
    switch event {
    case .edited:
      "The app saves the file and commits it. The upload waits for the next round."
    case .deleted:
      "The app deletes the file. The deletion waits for the next round; \(known) is the version that was "
        + "looked at."
    case .alreadyDeleted:
      "The file counts as deleted here, so the framework takes neither an edit nor another deletion."
    case .lockHeld(let holder):
      "\(holder) holds the account's only lock, and nobody else can end that. To \(who)'s app it is no "
        + "error: it is idle, and tries "
        + "again at its next sync."
    case .nothingToDo: "The index says nothing new, and nothing waits. The lock is given back."
    case .droppedDeletions:
      "Both sides deleted the file, which is no conflict: the deletion that waited is dropped without a word."
    case .found: found
    case .transferredIn:
      "The server fetches the file from the cloud and drops the lock, before anything is downloaded: from "
        + "now on anybody may get "
        + "ahead of \(who)."
    case .downloaded(let asks): asks.isEmpty ? plainDownload : downloaded
    case .toldDeletions(let asks, let holdsLock): asks.isEmpty ? plainDeletion : askedOfDeletion(holdsLock)
    case .decided(let conflict, let answer):
      answer.comesTo(conflict, of: came, hasBoth: before.devices[device]?.hasBoth(file) == true, who)
    case .nothingAsked: "Nobody is asked, so there is nothing to answer."
    case .sent(let requests): requests.map(why).joined(separator: " ")
    case .stopped(let failure): stopped(failure)
    }
  }

  private var who: String { name(device) }

  /// A person's name as it is, and what is none with its article.
  private func name(_ device: String) -> String {
    device.first?.isUppercase == true ? device : "the \(device)"
  }

  private var index: FileServer.Entry? { after.server.index[file] }
  private var known: String { before.standing(of: file, on: device).versionWords }
  private var came: String { after.standing(of: file, on: device).versionWords }

  private var found: String {
    guard let download = after.standing(of: file, on: device).download else {
      return "\(who.capitalizedFirst) takes the lock and reads the index. Another file comes in first."
    }
    let there = download.version.map { "The server has version \($0)" } ?? "The server has deleted the file"
    let start = "\(who.capitalizedFirst) takes the lock and reads the index. \(there)"
    return switch download.conflict {
    case .editedOnBoth?: "\(start), and an upload made on \(known) waits here: a conflict."
    case .deletedHere?: "\(start), and a deletion of \(known) waits here: a conflict.\(forgotten)"
    case .deletedThere?: "\(start), and an upload waits here: a conflict."
    case nil: "\(start), and nothing waits here."
    }
  }

  private var forgotten: String {
    guard after.devices[device]?.hasUpload(file) == true else { return "" }
    return " Of the upload before it nobody is told."
  }

  private var plainDownload: String {
    before.standing(of: file, on: device).isDeleted && index?.isDeleted == false
      ? "The file comes in, and still counts as deleted here, for good: the framework never takes that back."
      : "What came in is no conflict, and nobody is asked."
  }

  private var downloaded: String {
    "The text is that of when the server fetched it. The number here goes up to \(came) before the app "
      + "asks, so the ancestor's is "
      + "not known any more. The server may have moved on; \(who) may be asked again."
  }

  private var plainDeletion: String { "The file is deleted here, too. Nobody is asked, as nothing waited." }

  private func askedOfDeletion(_ holdsLock: Bool) -> String {
    "The file is marked as deleted before the app asks. "
      + (holdsLock
        ? "No file came in with this round, so the lock stays: every other device is turned away until "
          + "\(who) has answered."
        : "A file came in with the same round, so the lock is free: another device may get ahead.")
  }

  private func why(_ request: FileDevice.Request) -> String {
    let name = request.file == file ? "The file" : "The \(request.file)"
    return switch request {
    case .download: "\(name) comes in."
    case .upload(_, let version, true):
      "\(name) goes up as \(version), marked to undelete, and is there again for everybody."
    case .upload(_, let version, false):
      request.file == file
        ? "The index has not moved. \(name) goes up as \(version), over what was there."
        : "\(name) has not moved in the index, and goes up as \(version), over what was there."
    case .deletion(_, let version):
      "The index has not moved. Version \(version) is deleted; a deletion does not raise the number."
    }
  }

  private func stopped(_ failure: FileDevice.Failure) -> String {
    if case .anotherVersion = failure {
      return "The framework stops with an internal error, and will at every start: the server has deleted a "
        + "later version than the one known here, and the upload does not follow on it."
    }
    return "The framework stops with an internal error, and will at every start: the deletion was dropped as "
      + "both deleted the file, and the "
      + "upload that was made before it cannot be sent without undeleting."
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
