import Merging

/// The rest of the story of a real file, from where it stands.
extension FileStory {
  /// The client is the device whose store it is; whoever made the server's version is drawn beside it, and
  /// does nothing more. That another one may yet get ahead is said, and not played.
  ///
  /// - Parameter title: what a person would call the file.
  package init(_ situation: FileSituation, title: String) {
    // What the server has since is met in the round after the answer, and asked about, too.
    let again: [Step] = situation.overtaking == nil ? [] : [.answer(Self.client), .rounds(Self.client)]
    self.init(
      id: "file", title: title, about: situation.words, beginning: "now", file: Self.name,
      devices: [Self.client, Self.other],
      asked: Self.client, start: FileWorld(situation),
      steps: [.rounds(Self.client), .answer(Self.client), .rounds(Self.client)] + again,
      answers: situation.question.map {
        FileAnswer.all(for: $0, hasBoth: situation.pending == .uploadThenDeletion)
      } ?? [])
  }

  fileprivate static let (name, client, other) = ("file", "client", "other")
}

extension FileWorld {
  fileprivate init(_ situation: FileSituation) {
    let file = FileStory.name
    let version = situation.overtaking?.version ?? situation.serverVersion
    let isDeleted = situation.overtaking?.isDeleted ?? situation.isDeletedThere
    let entry = FileServer.Entry(name: file, version: version, isDeleted: isDeleted)
    let cloud = FileServer.CloudFile(name: file, isTrashed: isDeleted, text: "server's")
    self.init(
      server: FileServer(
        index: [file: entry], cloud: [cloud], lock: situation.holdsLock ? FileStory.client : nil),
      devices: [
        FileDevice(situation),
        FileDevice(
          FileStory.other,
          files: [file: FileDevice.LocalFile(version: version, isDeletedOnServer: isDeleted)]),
      ])
  }
}

extension FileDevice {
  fileprivate init(_ situation: FileSituation) {
    let file = FileStory.name
    self.init(
      FileStory.client, files: [file: LocalFile(situation)],
      queues: Operation.waiting(situation.pending, file).enumerated().map { Queue($0, [$1]) },
      downloads: Download(situation, file).map { [$0] } ?? [])
  }
}

extension FileDevice.LocalFile {
  /// The number goes up, and the file counts as deleted, before the app is asked.
  fileprivate init(_ situation: FileSituation) {
    let isAsked = situation.stage == .asked
    let known = situation.ancestorVersion ?? situation.serverVersion &- (situation.isDeletedThere ? 0 : 1)
    self.init(
      version: isAsked && !situation.isDeletedThere ? situation.serverVersion : known,
      isDeletedOnServer: isAsked && situation.isDeletedThere)
  }
}

extension FileDevice.Operation {
  fileprivate static func waiting(_ pending: FileSituation.Pending, _ file: FileName) -> [Self] {
    switch pending {
    case .upload: [.upload(file, text: "client's")]
    case .deletion: [.deletion(file)]
    case .uploadThenDeletion: [.upload(file, text: "client's"), .deletion(file)]
    }
  }
}

extension FileDevice.Download {
  /// nil of what nobody is asked about, and of what the device has not met.
  fileprivate init?(_ situation: FileSituation, _ file: FileName) {
    guard let question = situation.question, let stage = Stage(situation) else { return nil }
    self.init(
      file, version: situation.isDeletedThere ? nil : situation.serverVersion, conflict: question,
      stage: stage)
  }
}

extension FileDevice.Download.Stage {
  fileprivate init?(_ situation: FileSituation) {
    switch situation.stage {
    case .unmet: return nil
    case .found: self = situation.isDeletedThere ? .onServer : .inCloud
    case .fetched: self = .onServer
    case .asked: self = .told
    }
  }
}

extension FileSituation {
  /// What is so now.
  fileprivate var words: String { "\(waiting) \(met) \(race)" }

  private var waiting: String {
    switch pending {
    case .upload: "An upload waits here."
    case .deletion: "A deletion waits here."
    case .uploadThenDeletion:
      "An upload waits here, and a deletion after it: of the upload nobody is told."
    }
  }

  private var met: String {
    let there = isDeletedThere ? "The server has deleted it" : "The server has version \(serverVersion)"
    return switch stage {
    case .unmet: "\(there), which the app has not met yet."
    case .found: "\(there), and the round has just found that."
    case .fetched: "\(there), which is ready to be downloaded."
    case .asked: "\(there), and the app waits for an answer."
    }
  }

  private var race: String {
    if let now = overtaking {
      return now.isDeleted
        ? "By its index the server has deleted it since, which the next round meets."
        : "By its index the server has version \(now.version) since, which the next round meets."
    }
    return holdsLock
      ? "The client holds the lock: every other device is turned away until it goes on."
      : "The lock is free: the server may move on, and you may be asked again."
  }
}
