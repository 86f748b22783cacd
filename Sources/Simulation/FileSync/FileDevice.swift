import Merging

/// A device of a system that syncs whole files, as SMSyncServer's framework of 2016 keeps it: what it knows
/// of each file, what waits to be sent, and what came in and is not acknowledged.
///
/// A round asks for the lock and the index, brings in all that is newer, asks about conflicts, and then sends
/// one committed queue after the other. ``advance(_:)`` does a step of it, and stops while a person is asked.
package struct FileDevice: Sendable, Equatable {
  /// What the device knows of a file.
  package struct LocalFile: Sendable, Equatable {
    package enum State: String, Sendable {
      case initialUpload = "InitialUpload"
      case initialDownload = "InitialDownload"
      case afterInitialSync = "AfterInitialSync"
    }

    /// nil until the first download is acknowledged.
    package var version: Int?
    package var isDeletedOnServer: Bool
    package var state: State

    package init(version: Int?, isDeletedOnServer: Bool = false, state: State = .afterInitialSync) {
      (self.version, self.isDeletedOnServer, self.state) = (version, isDeletedOnServer, state)
    }
  }

  /// Something that waits to be sent.
  package enum Operation: Sendable, Equatable {
    case upload(FileName, text: String, undeletes: Bool = false)
    case deletion(FileName)

    package var file: FileName {
      switch self {
      case .upload(let file, _, _), .deletion(let file): file
      }
    }

    package var isUpload: Bool { if case .upload = self { true } else { false } }
  }

  /// What one commit sends together.
  package struct Queue: Sendable, Equatable {
    package var number: Int
    package var operations: [Operation]

    package init(_ number: Int, _ operations: [Operation]) {
      (self.number, self.operations) = (number, operations)
    }
  }

  /// What came in.
  package struct Download: Sendable, Equatable {
    package enum Stage: Int, Sendable, Comparable {
      case inCloud, onServer, told

      package static func < (left: Stage, right: Stage) -> Bool { left.rawValue < right.rawValue }
    }

    package var file: FileName
    /// nil for a deletion.
    package var version: Int?
    package var conflict: FileQuestion?
    package var stage: Stage
    package var isDecided = false

    package init(_ file: FileName, version: Int?, conflict: FileQuestion?, stage: Stage = .inCloud) {
      (self.file, self.version, self.conflict, self.stage) = (file, version, conflict, stage)
    }

    var isDeletion: Bool { version == nil }
    package var isAsked: Bool { conflict != nil && stage == .told && !isDecided }
  }

  /// What the device asked of the server about a file.
  package enum Request: Sendable, Equatable {
    case download(FileName)
    case upload(FileName, version: Int, undeletes: Bool)
    case deletion(FileName, version: Int)

    package var file: FileName {
      switch self {
      case .download(let file), .upload(let file, _, _), .deletion(let file, _): file
      }
    }
  }

  /// What stops the framework for good.
  package enum Failure: Sendable, Equatable {
    case anotherVersion(FileName)
    case deletedWithoutUndeletion(FileName)
  }

  package let name: String
  package var files: [FileName: LocalFile]
  /// Committed, the oldest first.
  package var queues: [Queue]
  package var downloads: [Download]
  package var requests: [Request] = []
  package var failure: Failure?
  /// Whether the round goes on with the next step.
  package var isInRound = false
  private var commits: Int

  package init(
    _ name: String, files: [FileName: LocalFile] = [:], queues: [Queue] = [], downloads: [Download] = []
  ) {
    (self.name, self.files, self.queues, self.downloads) = (name, files, queues, downloads)
    commits = (queues.map(\.number).max() ?? -1) + 1
  }
}

extension FileDevice {
  /// What waits of a file, in the order in which it will be sent.
  package func pending(_ file: FileName) -> [Operation] {
    queues.flatMap(\.operations).filter { $0.file == file }
  }

  package func hasUpload(_ file: FileName) -> Bool { pending(file).contains(where: \.isUpload) }

  package func hasDeletion(_ file: FileName) -> Bool { pending(file).contains { !$0.isUpload } }

  /// The conflict a person is asked about; nil if nobody is.
  package func asked(_ file: FileName) -> FileQuestion? {
    downloads.first { $0.file == file && $0.isAsked }?.conflict
  }

  package var isAsking: Bool { downloads.contains(where: \.isAsked) }

  /// What the app saves, and commits at once. A file that was deleted can no longer be saved: the framework
  /// refuses.
  package mutating func save(_ file: FileName, _ text: String) -> FileEvent {
    if files[file]?.isDeletedOnServer == true || hasDeletion(file) { return .alreadyDeleted }
    if files[file] == nil { files[file] = LocalFile(version: 0, state: .initialUpload) }
    commit(.upload(file, text: text))
    return .edited(file)
  }

  package mutating func delete(_ file: FileName) -> FileEvent {
    guard let known = files[file], !known.isDeletedOnServer, !hasDeletion(file) else {
      return .alreadyDeleted
    }
    if known.state == .initialUpload {
      remove { $0.file == file }
      files[file]?.isDeletedOnServer = true
    } else {
      commit(.deletion(file))
    }
    return .deleted
  }

  mutating func commit(_ operation: Operation) {
    queues.append(Queue(commits, [operation]))
    commits += 1
  }

  /// A queue that is left with nothing goes, too.
  mutating func remove(where isGone: (Operation) -> Bool) {
    for index in queues.indices { queues[index].operations.removeAll(where: isGone) }
    queues.removeAll(where: \.operations.isEmpty)
  }
}
