/// What a file's rows, and the server's index where there is one, say together.
///
///     waits here \ the server     newer version          deleted
///     upload                      conflict               conflict
///     deletion                    conflict               deleted on both sides: none
///     upload, then deletion       conflict               none for the framework, and an upload survives: one here
///
/// The framework asks about three of them, once (FORMAT.md, "Three conflicts"). Here each stays until it is decided. Where the server
/// has deleted the file, too, the deletion here has nothing left to do: what is asked is whether the upload before it goes.
struct FileStanding: Sendable, Equatable {
  enum Pending: Sendable, Equatable { case upload, deletion, both }

  /// What the server has that this device has not taken.
  struct News: Sendable, Equatable {
    let isDeletion: Bool
    var version: Int64
    /// The row of the round that tells it; nil if the index alone does.
    let download: FileRows.Download?

    /// Whether somebody has told the version: the row of a deletion does not, so that it may be a later one.
    let isVersionTold: Bool

    /// Whether what was decided about that version holds.
    func isMeant(by entry: OutboxFile.Entry) -> Bool {
      guard entry.isDeleted == isDeletion else { return false }
      return isVersionTold ? entry.version == version : entry.version >= version
    }

    /// Whether the server has gone on since. A deletion does not raise the version.
    func isOvertaken(by entry: ServerIndex.Entry) -> Bool {
      entry.version > version || entry.version == version && entry.isDeleted && !isDeletion
    }

    /// What the framework can count: in 32 bits, and with one more for an upload.
    var isCountable: Bool { whyNotCountable == nil }

    var whyNotCountable: String? {
      let last = Int64(Int32.max)
      if version == last {
        return "its version \(version) is the last that the framework can count, so none can come after it"
      }
      return (0..<last).contains(version)
        ? nil : "its version \(version) is damage: the framework counts from 0 to \(last)"
    }

    /// Whether the downloaded file is here.
    var isAtApp: Bool { download?.isAtApp ?? false }
  }

  let rows: FileRows
  let pending: Pending
  private(set) var news: News
  /// The index's version, if it is another one than what the app has met: the server went on.
  let overtakenBy: ServerIndex.Entry?

  /// nil if there is nothing that waits, on either side, or nothing about which they disagree.
  init?(_ rows: FileRows, _ entry: ServerIndex.Entry?) {
    guard let pending = rows.pending, let news = News(rows, entry) else { return nil }
    (self.rows, self.pending, self.news) = (rows, pending, news)
    overtakenBy = entry.flatMap { news.isOvertaken(by: $0) ? $0 : nil }
  }

  /// With the version that was known when it was decided: the same, or that of a deletion whose row tells none.
  func told(by entry: OutboxFile.Entry) -> FileStanding {
    var told = self
    told.news.version = entry.version
    return told
  }

  /// Whether the app has accepted what the server has, and was ended before its round was: the deletion it asked about is gone, and
  /// the upload before it is left.
  var isAcceptedByHalf: Bool { rows.isAcceptedByHalf }

  /// Whether a person has to decide it.
  var isConflict: Bool { pending != .deletion || !news.isDeletion }

  /// Whether the client has a text to send: the file is not deleted here, or on both sides, and an upload is left that nobody is asked
  /// about.
  var clientHasText: Bool { pending == .upload || isUploadOfDeletedFile }

  /// An upload and then a deletion wait, of a file that the server has deleted as well.
  var isUploadOfDeletedFile: Bool { pending == .both && news.isDeletion }

  /// The version with which the framework would undelete the file, and stop, as the server has deleted a later one than is known
  /// here; nil where none is in its way.
  var refusedUndeletion: Int64? {
    guard news.isDeletion, let known = rows.version, known < news.version else { return nil }
    return known &+ 1
  }

  /// What the index tells of the server beyond what this device knows: what was decided before it did is looked at again. nil where it
  /// tells nothing else, so that a decision holds with the index and without it.
  var toldByIndex: String? {
    if let now = overtakenBy {
      return now.isDeleted ? "deleted, version \(now.version)" : "version \(now.version)"
    }
    return refusedUndeletion.map { _ in "deleted, version \(news.version)" }
  }

  /// The version that both sides last agreed on; nil where only "before" the server's is known: the framework raises its number
  /// before it asks.
  var ancestor: Int64? {
    if news.isDeletion || !news.isAtApp { return rows.version }
    return nil
  }
}

extension FileRows {
  var pending: FileStanding.Pending? {
    switch (files.isEmpty, deletions.isEmpty) {
    case (true, true): nil
    case (false, true): .upload
    case (true, false): .deletion
    case (false, false): .both
    }
  }

  var isAcceptedByHalf: Bool { conflicting?.conflict == "UploadDeletion" && pending == .upload }

  /// Whether a deletion that came in was refused, and the upload that undoes it is on its way.
  var isUndeleting: Bool { files.first?.undelete == 1 }
}

extension FileStanding.News {
  fileprivate init?(_ rows: FileRows, _ entry: ServerIndex.Entry?) {
    if let download = rows.conflicting {
      let deleted = entry.flatMap { download.isDeletion && $0.isDeleted ? $0.version : nil }
      let known = download.version ?? rows.version ?? 0
      self.init(
        isDeletion: download.isDeletion, version: max(known, deleted ?? known), download: download,
        isVersionTold: !download.isDeletion || deleted != nil)
      return
    }
    guard let entry, let known = rows.version, rows.syncState != "InitialUpload" else { return nil }
    if entry.isDeleted {
      if rows.isDeletedOnServer { return nil }
    } else if entry.version <= known {
      return nil
    }
    self.init(isDeletion: entry.isDeleted, version: entry.version, download: nil, isVersionTold: true)
  }
}
