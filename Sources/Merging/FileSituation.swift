/// Where a file stands in a store that syncs whole files and keeps no text of the ancestor: what waits to be
/// sent, what the server has, and how far the device had come. A simulation plays from there what happens
/// next.
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
    /// The device knows of it, and has not downloaded it.
    case met
    /// It is downloaded, or a deletion that was told: the app waits for an answer.
    case asked
  }

  package var pending: Pending
  /// The version both sides had; nil where only ``serverVersion`` is known, as the device overwrites the
  /// number before it asks.
  package var ancestorVersion: Int?
  package var serverVersion: Int
  package var isDeletedOnServer: Bool
  package var stage: Stage
  /// Whether the round downloads a file, be it another one. Of a round that only brings deletions the device
  /// holds the server's lock until it is answered.
  package var hasDownloads: Bool

  package init(
    pending: Pending, ancestorVersion: Int?, serverVersion: Int, isDeletedOnServer: Bool, stage: Stage,
    hasDownloads: Bool
  ) {
    (self.pending, self.ancestorVersion, self.serverVersion) = (pending, ancestorVersion, serverVersion)
    (self.isDeletedOnServer, self.stage) = (isDeletedOnServer, stage)
    self.hasDownloads = hasDownloads
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
  /// nil where the device asks nobody: both sides deleted the file, or a deletion waits behind an upload.
  package var conflict: FileQuestion? {
    switch (pending, isDeletedOnServer) {
    case (.upload, false): .editedOnBoth
    case (.upload, true): .deletedThere
    case (.deletion, false), (.uploadThenDeletion, false): .deletedHere
    case (.deletion, true), (.uploadThenDeletion, true): nil
    }
  }

  /// Whether every other device is kept out until this one is answered.
  package var holdsLock: Bool { stage != .unmet && isDeletedOnServer && !hasDownloads }
}
