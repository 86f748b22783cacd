import Merging

extension FileStanding {
  /// Where the file stands in the app's round, for the walkthrough to play what happens next.
  ///
  /// - Parameter holdsLock: whether the app holds the server's lock, as the round brings deletions alone.
  func situation(holdsLock: Bool) -> FileSituation {
    FileSituation(
      pending: waiting, ancestorVersion: ancestor.map(counted), serverVersion: counted(news.version),
      isDeletedThere: news.isDeletion, stage: stage, bringsDeletionsOnly: holdsLock,
      overtaking: overtakenBy.map {
        FileSituation.Overtaking(version: counted($0.version), isDeleted: $0.isDeleted)
      })
  }

  /// A number that is damage is played as the nearest that is none: the story goes on from it.
  private func counted(_ version: Int64) -> Int { Int(max(0, min(version, Int64(Int32.max)))) }

  private var waiting: FileSituation.Pending {
    switch pending {
    case .upload: .upload
    case .deletion: .deletion
    case .both: .uploadThenDeletion
    }
  }
}

extension FileStanding {
  /// A deletion is told when the files of its round are acknowledged: only then does the file count as deleted here.
  private var stage: FileSituation.Stage {
    guard let download = news.download else { return .unmet }
    if news.isDeletion { return rows.isDeletedOnServer ? .asked : .found }
    return download.isAtApp ? .asked : download.stage == "ServerDownload" ? .fetched : .found
  }
}
