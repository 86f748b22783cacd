/// Where a file stands in a store that syncs whole files and keeps no text of the ancestor: what waits to be sent, what the
/// server has, and how far the device had come. A simulation plays from there what happens next.
package struct FileSituation: Sendable, Equatable {
  /// What this device has not sent yet.
  package enum Pending: Sendable, Equatable, CaseIterable {
    case upload
    case deletion
    /// An upload, and a deletion that was made after it.
    case uploadThenDeletion
  }

  /// How far the device had come with what the server has.
  package enum Stage: Sendable, Equatable, CaseIterable {
    /// Only the server's index tells of it: the device has not asked since.
    case unmet
    /// The device found it in the index, and holds the lock. A deletion stays here until it is told.
    case found
    /// The server has it ready, and the lock is free; never of a deletion.
    case fetched
    /// It is downloaded, or a deletion that was told: the app waits for an answer.
    case asked
  }

  /// What the server's index tells beyond what the device has met: the server went on.
  package struct Overtaking: Sendable, Equatable {
    package var version: Int
    package var isDeleted: Bool

    package init(version: Int, isDeleted: Bool) { (self.version, self.isDeleted) = (version, isDeleted) }
  }

  package var pending: Pending
  /// The version both sides had; nil where only ``serverVersion`` is known, as the device overwrites the number before it asks.
  package var ancestorVersion: Int?
  /// What the device has met of the server, or what the index says of a file that it has not met.
  package var serverVersion: Int
  /// Whether the server has deleted it.
  package var isDeletedThere: Bool
  package var stage: Stage
  /// Whether the round that the device is in brings no file, this one or another.
  package var bringsDeletionsOnly: Bool
  /// nil where the index tells nothing later, or there is none.
  package var overtaking: Overtaking?

  /// Whether the device has deleted it behind its upload, of which the server has deleted it, too: the client's version is that upload's text.
  package var isDeletedBehindUpload: Bool { pending == .uploadThenDeletion && isDeletedThere }

  package init(
    pending: Pending, ancestorVersion: Int?, serverVersion: Int, isDeletedThere: Bool, stage: Stage,
    bringsDeletionsOnly: Bool, overtaking: Overtaking? = nil
  ) {
    (self.pending, self.ancestorVersion, self.serverVersion) = (pending, ancestorVersion, serverVersion)
    (self.isDeletedThere, self.stage) = (isDeletedThere, stage)
    (self.bringsDeletionsOnly, self.overtaking) = (bringsDeletionsOnly, overtaking)
  }
}

/// What a person is asked about a file that both sides changed. Two deletions are no conflict.
package enum FileQuestion: String, Sendable, CaseIterable {
  /// A file comes in, and an upload waits.
  case editedOnBoth
  /// A file comes in, and a deletion waits; also where an upload waits before it.
  case deletedHere
  /// A deletion comes in, and an upload waits.
  case deletedThere
}

extension FileSituation {
  /// nil where the device asks nobody: both sides deleted the file, be it that an upload waits before the deletion.
  package var question: FileQuestion? {
    switch (pending, isDeletedThere) {
    case (.upload, false): .editedOnBoth
    case (.upload, true): .deletedThere
    case (.deletion, false), (.uploadThenDeletion, false): .deletedHere
    case (.deletion, true), (.uploadThenDeletion, true): nil
    }
  }

  /// Whether every other device is kept out until this one goes on, or is answered. Where the server went on, somebody else had the
  /// lock since.
  package var holdsLock: Bool {
    if overtaking != nil { return false }
    return switch stage {
    case .unmet, .fetched: false
    case .found: !isDeletedThere || bringsDeletionsOnly
    case .asked: isDeletedThere && bringsDeletionsOnly
    }
  }
}
