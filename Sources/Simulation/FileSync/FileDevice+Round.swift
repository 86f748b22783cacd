import Merging

/// A round, step by step.
extension FileDevice {
  /// Does the next step; nil while a person is asked, and for good after a failure.
  package mutating func advance(_ server: inout FileServer) -> FileEvent? {
    guard failure == nil else { return nil }
    if let event = bringIn(&server) { return event }
    return isAsking ? nil : begin(&server)
  }

  /// All steps until the round is over, or somebody is asked.
  @discardableResult
  package mutating func sync(_ server: inout FileServer) -> [FileEvent] {
    var events: [FileEvent] = []
    repeat {
      guard let event = advance(&server) else { break }
      events.append(event)
    } while isInRound
    return events
  }

  /// Files come in before deletions, and each kind is acknowledged together, when all its conflicts are
  /// decided.
  private mutating func bringIn(_ server: inout FileServer) -> FileEvent? {
    let files = downloads.filter { !$0.isDeletion }
    switch files.map(\.stage).min() {
    case .inCloud?: return transfer(files, &server)
    case .onServer?: return download(files, &server)
    case .told?:
      if isAsking { return nil }
      downloads.removeAll { !$0.isDeletion }
    case nil: break
    }
    if downloads.contains(where: { $0.stage != .told }) { return tellDeletions(server) }
    if !isAsking { downloads = [] }
    return nil
  }

  private mutating func transfer(_ files: [Download], _ server: inout FileServer) -> FileEvent {
    let names = files.filter { $0.stage == .inCloud }.map(\.file)
    _ = server.transferIn(names, for: name)
    _ = server.removeOperation(of: name)
    for index in downloads.indices where names.contains(downloads[index].file) {
      downloads[index].stage = .onServer
    }
    return .transferredIn
  }

  /// The version goes up before the app is asked: what both sides had is not known any more from here on.
  private mutating func download(_ files: [Download], _ server: inout FileServer) -> FileEvent {
    for index in downloads.indices where !downloads[index].isDeletion {
      let file = downloads[index].file
      _ = server.download(file, to: name)
      _ = server.removeDownload(file, of: name)
      requests.append(.download(file))
      downloads[index].stage = .told
      know(file, downloads[index].version)
    }
    return .downloaded(asks: files.compactMap(\.conflict))
  }

  private mutating func know(_ file: FileName, _ version: Int?) {
    files[file]?.version = version
    files[file]?.state = .afterInitialSync
  }

  /// A file is marked as deleted before the app is asked about it, or the round would never end.
  private mutating func tellDeletions(_ server: FileServer) -> FileEvent {
    for index in downloads.indices where downloads[index].isDeletion {
      downloads[index].stage = .told
      files[downloads[index].file]?.isDeletedOnServer = true
    }
    return .toldDeletions(asks: downloads.compactMap(\.conflict), holdsLock: server.lock == name)
  }
}

/// The lock, the index, and what follows from it.
extension FileDevice {
  private mutating func begin(_ server: inout FileServer) -> FileEvent {
    isInRound = true
    guard server.takeLock(name) == .done, let index = server.index(for: name) else {
      isInRound = false
      return .lockHeld(by: server.lock ?? "")
    }
    let dropped = compare(with: index)
    if !downloads.isEmpty { return .found(downloads, droppedDeletions: dropped) }
    if let queue = queues.first { return send(queue, index, &server) }
    _ = server.dropLock(name)
    isInRound = false
    return dropped.isEmpty ? .nothingToDo : .droppedDeletions(dropped)
  }

  /// - Returns: the files whose deletion waited here, and that the server has deleted, too: it is dropped without a word.
  private mutating func compare(with index: [FileName: FileServer.Entry]) -> [FileName] {
    var dropped: [FileName] = []
    for (file, entry) in index.sorted(by: { $0.key < $1.key }) {
      guard entry.isDeleted else {
        meet(file, entry.version)
        continue
      }
      guard let known = files[file], !known.isDeletedOnServer else { continue }
      if hasDeletion(file) {
        // An upload before it survives.
        remove { $0 == .deletion(file) }
        files[file]?.isDeletedOnServer = true
        dropped.append(file)
      } else {
        downloads.append(
          Download(file, version: nil, conflict: hasUpload(file) ? .deletedThere : nil, stage: .onServer))
      }
    }
    return dropped
  }

  /// A file of the server's: it comes in if it is newer, or not known here.
  private mutating func meet(_ file: FileName, _ version: Int) {
    if files[file] == nil { files[file] = LocalFile(version: nil, state: .initialDownload) }
    if let known = files[file]?.version, known >= version { return }
    let conflict: FileQuestion? = hasDeletion(file) ? .deletedHere : hasUpload(file) ? .editedOnBoth : nil
    downloads.append(Download(file, version: version, conflict: conflict))
  }

  /// One queue, deletions first. The framework looks at versions once more, and stops where they differ: of
  /// all that the server does not check this is the only check there is.
  private mutating func send(
    _ queue: Queue, _ index: [FileName: FileServer.Entry], _ server: inout FileServer
  ) -> FileEvent {
    let operations = queue.operations.filter { !$0.isUpload } + queue.operations.filter(\.isUpload)
    if let found = operations.compactMap({ failure(of: $0, index[$0.file]) }).first {
      (failure, isInRound) = (found, false)
      return .stopped(found)
    }
    let sent = operations.map { request(for: $0) }
    for (operation, request) in zip(operations, sent) { send(operation, request, &server) }
    requests += sent
    _ = server.transferOut(name)
    _ = server.removeOperation(of: name)
    for request in sent { acknowledge(request) }
    queues.removeFirst()
    isInRound = !queues.isEmpty
    return .sent(sent)
  }

  private func failure(of operation: Operation, _ entry: FileServer.Entry?) -> Failure? {
    let file = operation.file
    guard let entry else { return nil }
    if entry.version != files[file]?.version { return .anotherVersion(file) }
    if case .upload(_, _, let undeletes) = operation, entry.isDeleted, !undeletes {
      return .deletedWithoutUndeletion(file)
    }
    return nil
  }

  private func request(for operation: Operation) -> Request {
    let known = files[operation.file]
    let version = known?.version ?? 0
    return switch operation {
    case .deletion(let file): .deletion(file, version: version)
    case .upload(let file, _, let undeletes):
      .upload(file, version: known?.state == .initialUpload ? 0 : version &+ 1, undeletes: undeletes)
    }
  }

  private func send(_ operation: Operation, _ request: Request, _ server: inout FileServer) {
    switch (operation, request) {
    case (.upload(_, let text, _), .upload(let file, let version, let undeletes)):
      _ = server.upload(file, version: version, text: text, undeletes: undeletes, from: name)
    case (_, .deletion(let file, let version)): _ = server.delete(file, version: version, from: name)
    case (.deletion, .upload), (_, .download): break
    }
  }

  private mutating func acknowledge(_ request: Request) {
    switch request {
    case .upload(let file, let version, let undeletes):
      know(file, version)
      if undeletes { files[file]?.isDeletedOnServer = false }
    case .deletion(let file, _): files[file]?.isDeletedOnServer = true
    case .download: break
    }
  }
}
