import ExactJSON

/// One thing wrong with a file that is no conflict, or that its conflict does not tell (FORMAT.md, "What loses data").
enum FileProblem: Sendable, Equatable {
  /// The app has answered, and was ended before its round was.
  /// - Parameter leavesUpload: whether an upload is left that goes over what was accepted.
  case acceptedHalfWay(leavesUpload: Bool)
  case deletedOnBothSides
  /// - Parameters:
  ///   - isDeletedThere: whether the server has deleted it, too.
  ///   - isWritten: whether it is decided, and waits in the outbox.
  ///   - isListed: whether the list has it, to be decided.
  case uploadThenDeletion(isDeletedThere: Bool, isWritten: Bool = false, isListed: Bool = false)
  case uploadOfDeleted
  /// - Parameter isSure: whether the server surely has it: by an index that tells no later version it may not have been deleted yet.
  case undeletedElsewhere(version: Int64, isSure: Bool)
  case undeleteIsFalse
  case notCommitted(uploads: Int)
  case fileMissing(String, isDownload: Bool)
  case inNoQueue
  case metadataDiffers
  case outboxIsOld(version: Int64, since: Overtaking)
  case damaged([RowDamage])

  /// By what an entry of the outbox was overtaken.
  enum Overtaking: Sendable, Equatable {
    /// Something else waits here now than when it was decided.
    case here
    case server(version: Int64, isDeleted: Bool)
    /// The file is no longer in conflict, as far as can be seen.
    case settled
  }
}

extension FilePlace {
  /// The worst first.
  func problems(_ rows: FileRows) -> [FileProblem] {
    let standing = standing(rows)
    // What the other rows of the file mean is not known without the one that cannot be read.
    if !rows.damage.isEmpty {
      return [.damaged(rows.damage), outboxProblem(rows, standing)].compactMap(\.self)
    }
    return [
      rows.inNoQueue, rows.undeleteIsFalse, rows.acceptedHalfWay, uploadThenDeletion(rows, standing),
      uploadOfDeleted(rows, standing), undeletedElsewhere(rows), deletedOnBothSides(rows, standing),
      unreadable(rows), notCommitted(rows), metadataDiffers(rows), outboxProblem(rows, standing),
    ].compactMap(\.self)
  }

  private func uploadThenDeletion(_ rows: FileRows, _ standing: FileStanding?) -> FileProblem? {
    guard rows.pending == .both else { return nil }
    if let standing {
      return .uploadThenDeletion(
        isDeletedThere: standing.news.isDeletion, isWritten: isInOutbox(standing), isListed: true)
    }
    return rows.bringsDeletion ? .uploadThenDeletion(isDeletedThere: true) : nil
  }

  private func uploadOfDeleted(_ rows: FileRows, _ standing: FileStanding?) -> FileProblem? {
    guard rows.isDeletedOnServer, standing == nil, rows.pending == .upload, !rows.isUndeleting else {
      return nil
    }
    return .uploadOfDeleted
  }

  private func undeletedElsewhere(_ rows: FileRows) -> FileProblem? {
    guard rows.isDeletedOnServer, rows.uploads.isEmpty else { return nil }
    let entry = surroundings.index?[rows.uuid].flatMap { $0.isDeleted ? nil : $0 }
    if let entry, let known = rows.version, entry.version > known {
      return .undeletedElsewhere(version: entry.version, isSure: true)
    }
    if let download = rows.downloads.first(where: { !$0.isDeletion }) {
      return .undeletedElsewhere(version: download.version ?? entry?.version ?? 0, isSure: true)
    }
    // An undeletion raises the version, and the device takes that over with the download: a deletion does not.
    guard let entry, entry.version == rows.version else { return nil }
    return .undeletedElsewhere(version: entry.version, isSure: false)
  }

  private func deletedOnBothSides(_ rows: FileRows, _ standing: FileStanding?) -> FileProblem? {
    guard rows.pending == .deletion, standing?.news.isDeletion ?? rows.bringsDeletion else { return nil }
    return .deletedOnBothSides
  }

  private func notCommitted(_ rows: FileRows) -> FileProblem? {
    let count = rows.uploads.count { $0.place == .prepared }
    return count == 0 ? nil : .notCommitted(uploads: count)
  }

  private func unreadable(_ rows: FileRows) -> FileProblem? {
    let archives =
      rows.files.map { ($0.url, false) }
      + rows.downloads.filter { !$0.isDeletion && $0.isAtApp }.map { ($0.url, true) }
    for (archive, isDownload) in archives {
      do { _ = try surroundings.files.bytes(archive: archive) } catch let file as UnreadableFile {
        return .fileMissing(file.reason, isDownload: isDownload)
      } catch { return .fileMissing("its file cannot be read", isDownload: isDownload) }
    }
    return nil
  }

  /// The framework takes over what the server says of a file's metadata for files only that are new here.
  private func metadataDiffers(_ rows: FileRows) -> FileProblem? {
    guard let there = surroundings.index?[rows.uuid]?.metadata, there != .null, there != .object([:]) else {
      return nil
    }
    let here = rows.metadata.flatMap { try? JSONValue(parsing: $0) }
    return here == there ? nil : .metadataDiffers
  }

  private func outboxProblem(_ rows: FileRows, _ standing: FileStanding?) -> FileProblem? {
    guard let entry = outbox[rows.uuid] else { return nil }
    guard let standing, standing.isConflict else {
      return .outboxIsOld(version: entry.version, since: .settled)
    }
    if isInOutbox(standing) { return nil }
    return .outboxIsOld(version: entry.version, since: standing.overtaking(entry))
  }
}

extension FileStanding {
  fileprivate func overtaking(_ entry: OutboxFile.Entry) -> FileProblem.Overtaking {
    if let now = overtakenBy { return .server(version: now.version, isDeleted: now.isDeleted) }
    return news.isMeant(by: entry)
      ? .here : .server(version: news.version, isDeleted: news.isDeletion)
  }
}

extension FileRows {
  /// Whether the round brings a deletion. Against a deletion that waits here it is raised as no conflict.
  fileprivate var bringsDeletion: Bool { downloads.contains(where: \.isDeletion) }
  fileprivate var inNoQueue: FileProblem? { uploads.contains { $0.place == .nowhere } ? .inNoQueue : nil }
  fileprivate var undeleteIsFalse: FileProblem? {
    files.contains { $0.undelete == 0 } ? .undeleteIsFalse : nil
  }
  fileprivate var acceptedHalfWay: FileProblem? {
    if isAcceptedByHalf { return .acceptedHalfWay(leavesUpload: true) }
    return conflicting != nil && pending == nil ? .acceptedHalfWay(leavesUpload: false) : nil
  }
}
