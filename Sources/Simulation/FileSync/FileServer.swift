/// A server of one account that syncs whole files, as SMSyncServer of 2016 answers, with its gaps as they
/// are.
///
///     Lock, GetFileIndex                                      one device at a time
///     SetupInboundTransfers, StartInboundTransfer             the server fetches the files, and drops the lock
///     DownloadFile …                                          without the lock: by now the text may be old
///     DeleteFiles, UploadFile …, StartOutboundTransfer        the index changes when all is in the cloud; the lock drops
///
/// An upload carries the version of the index and one more, a deletion the version as it is, and does not
/// raise it. What goes into the cloud goes there before the index is asked, so a stale deletion takes the
/// file away and then fails.
package struct FileServer: Sendable, Equatable {
  /// A line of the index.
  package struct Entry: Sendable, Equatable {
    package var name: String
    package var mimeType: String
    /// A damaged store may say any number, so the next one is counted by ``&+``.
    package var version: Int
    package var isDeleted: Bool
    package var size: Int

    package init(
      name: String, mimeType: String = "text/plain", version: Int, isDeleted: Bool = false, size: Int = 0
    ) {
      (self.name, self.mimeType, self.version) = (name, mimeType, version)
      (self.isDeleted, self.size) = (isDeleted, size)
    }
  }

  /// A file in the user's cloud folder. It is found by its name; a deletion only trashes it.
  package struct CloudFile: Sendable, Equatable {
    package var name: String
    package var isTrashed: Bool
    package var text: String

    package init(name: String, isTrashed: Bool = false, text: String) {
      (self.name, self.isTrashed, self.text) = (name, isTrashed, text)
    }
  }

  /// The numbers a call is answered with.
  package enum Code: Int, Sendable {
    case done = 0
    case refused = 4
    case lockNotHeld = 53
    case lockHeld = 100
  }

  /// A transfer between server and cloud, of which a device knows the operation's id.
  package struct Operation: Sendable, Equatable {
    package enum Status: Int, Sendable {
      case failedDuringTransfer = 203
      case done = 210
    }

    package var status: Status
    /// How often something was asked of the cloud.
    package var count: Int
  }

  package private(set) var index: [FileName: Entry] = [:]
  package private(set) var cloud: [CloudFile] = []
  /// The device that holds the account's only lock. Nothing ever takes it away but its holder.
  package private(set) var lock: String?
  private var changes: [OutboundFile] = []
  private var inbound: [InboundFile] = []
  private var operations: [String: Operation] = [:]

  private static let tries = 4

  package init(index: [FileName: Entry] = [:], cloud: [CloudFile] = [], lock: String? = nil) {
    (self.index, self.cloud, self.lock) = (index, cloud, lock)
  }
}

/// The name by which server and devices know a file: a UUID there, anything here.
package typealias FileName = String

/// What was sent, and is not in the cloud yet.
private struct OutboundFile: Sendable, Equatable {
  var device: String
  var file: FileName
  var version: Int
  /// nil for a deletion.
  var text: String?
}

/// What was fetched from the cloud for a device: its text stays as it was then.
private struct InboundFile: Sendable, Equatable {
  var device: String
  var file: FileName
  var text: String?
}

/// The lock.
extension FileServer {
  /// A device that has it may ask again; another is refused, whatever it asks with.
  package mutating func takeLock(_ device: String) -> Code {
    if lock == nil { lock = device }
    return lock == device ? .done : .lockHeld
  }

  package mutating func dropLock(_ device: String) -> Code {
    guard lock == device else { return .lockNotHeld }
    lock = nil
    return .done
  }

  /// nil without the lock.
  package func index(for device: String) -> [FileName: Entry]? { lock == device ? index : nil }

  /// What a device does after a failed transfer: it forgets what it sent, and frees the lock. The cloud stays
  /// as it is.
  package mutating func cleanUp(_ device: String) -> Code {
    guard lock == device else { return .refused }
    changes.removeAll { $0.device == device }
    inbound.removeAll { $0.device == device }
    (operations[device], lock) = (nil, nil)
    return .done
  }
}

/// Out: to the cloud.
extension FileServer {
  /// The version is compared with a living file's only: a deleted one, or one nobody knows, is taken with any
  /// version, and whether the upload says that it undeletes makes no difference.
  package mutating func upload(
    _ file: FileName, version: Int, text: String, undeletes: Bool = false, from device: String
  ) -> Code {
    guard lock == device else { return .refused }
    if let entry = index[file], !entry.isDeleted, entry.version &+ 1 != version { return .refused }
    changes.append(OutboundFile(device: device, file: file, version: version, text: text))
    return .done
  }

  /// Nothing is compared.
  package mutating func delete(_ file: FileName, version: Int, from device: String) -> Code {
    guard lock == device else { return .refused }
    changes.append(OutboundFile(device: device, file: file, version: version))
    return .done
  }

  /// Everything this device sent goes into the cloud and into the index, one after the other until one fails.
  /// Then the lock stays.
  package mutating func transferOut(_ device: String) -> Operation? {
    guard lock == device else { return nil }
    var operation = Operation(status: .done, count: 0)
    for change in changes where change.device == device && operation.status == .done {
      let tries = transfer(change)
      operation.count += tries ?? Self.tries
      if tries == nil || !enter(change) { operation.status = .failedDuringTransfer }
    }
    if operation.status == .done {
      changes.removeAll { $0.device == device }
      lock = nil
    }
    operations[device] = operation
    return operation
  }

  /// How often the cloud was asked; nil if it never did it.
  private mutating func transfer(_ change: OutboundFile) -> Int? {
    let name = index[change.file]?.name ?? change.file
    let place = cloud.firstIndex { $0.name == name && !$0.isTrashed }
    switch (change.text, place) {
    case (let text?, let place?): cloud[place].text = text
    case (let text?, nil): cloud.append(CloudFile(name: name, text: text))
    case (nil, let place?): cloud[place].isTrashed = true
    case (nil, nil): return nil
    }
    return 1
  }

  /// Whether the index takes it: only now is the version compared with that of a deleted file.
  private mutating func enter(_ change: OutboundFile) -> Bool {
    let entry = index[change.file]
    if let text = change.text {
      if let entry, entry.version &+ 1 != change.version { return false }
      index[change.file] = Entry(
        name: entry?.name ?? change.file, mimeType: entry?.mimeType ?? "text/plain", version: change.version,
        size: text.utf8.count)
    } else {
      guard let entry, entry.version == change.version else { return false }
      index[change.file]?.isDeleted = true
    }
    return true
  }
}

/// In: from the cloud.
extension FileServer {
  /// The files are fetched from the cloud, to be downloaded one by one. The lock is dropped before the first
  /// of them is.
  package mutating func transferIn(_ files: [FileName], for device: String) -> Operation? {
    guard lock == device else { return nil }
    inbound += files.map { file in
      let name = index[file]?.name ?? file
      return InboundFile(
        device: device, file: file, text: cloud.last { $0.name == name && !$0.isTrashed }?.text)
    }
    lock = nil
    let operation = Operation(status: .done, count: files.count)
    operations[device] = operation
    return operation
  }

  /// The text as it was when it was fetched; nil if it was not.
  package func download(_ file: FileName, to device: String) -> String? {
    inbound.first { $0.device == device && $0.file == file }?.text
  }

  package mutating func removeDownload(_ file: FileName, of device: String) -> Code {
    inbound.removeAll { $0.device == device && $0.file == file }
    return .done
  }

  package mutating func removeOperation(of device: String) -> Code {
    operations.removeValue(forKey: device) == nil ? .refused : .done
  }
}
