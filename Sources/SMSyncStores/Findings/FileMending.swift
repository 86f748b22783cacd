import Journals
import Merging
import RowJournals
import StoreInterface

/// What mends a problem in a copy; a container itself is never written.
extension FilePlace {
  /// What it does, in a sentence; nil where nothing safe can be done.
  func mending(_ problem: FileProblem) -> String? {
    surroundings.isCopy && surroundings.whyClosed == nil ? problem.mending : nil
  }

  /// - Throws: ``Refusal``
  func mend(_ problem: FileProblem, _ rows: FileRows) throws -> [StoredChange] {
    guard mending(problem) != nil else { throw Refusal(nil, "Parley cannot mend it; see what does") }
    var rowChanges = RowChanges(self)
    switch problem {
    case .acceptedHalfWay:
      for download in rows.downloads where download.conflict != nil {
        try rowChanges.update(
          .downloadOperation, download.key, ["ZINTERNALCONFLICTTYPE": .null, "ZINTERNALCONFLICTTYPE1": .null])
      }
    case .uploadOfDeleted:
      if let first = rows.files.first {
        try rowChanges.update(.uploadOperation, first.key, ["ZINTERNALUNDELETESERVERFILE": .integer(1)])
      }
    case .undeletedElsewhere:
      try rowChanges.update(.localFile, rows.key, ["ZINTERNALDELETEDONSERVER": .integer(0)])
    case .undeleteIsFalse:
      for upload in rows.files where upload.undelete == 0 {
        try rowChanges.update(.uploadOperation, upload.key, ["ZINTERNALUNDELETESERVERFILE": .null])
      }
    case .deletedOnBothSides, .uploadThenDeletion, .notCommitted, .fileMissing, .inNoQueue, .metadataDiffers,
      .outboxIsOld, .damaged:
      break
    }
    return rowChanges.all
  }
}

extension FileProblem {
  /// What mending it does in a copy; nil where nothing safe can be done.
  var mending: String? {
    switch self {
    case .acceptedHalfWay(leavesUpload: false):
      "The conflict goes, and the download stays for the app to take."
    case .uploadOfDeleted: "The upload becomes an undeletion: the file is there again, with its text."
    case .undeletedElsewhere: "The mark of the deletion goes."
    case .undeleteIsFalse: "The value goes; the upload stays."
    case .acceptedHalfWay, .deletedOnBothSides, .uploadThenDeletion, .notCommitted, .fileMissing, .inNoQueue,
      .metadataDiffers, .outboxIsOld, .damaged:
      nil
    }
  }
}

extension FileSteps {
  /// A finding is looked for again first: what was seen may be gone.
  func task(mending finding: Finding.ID) -> WriteTask<FilePlace> {
    let uuid = Finding.parts(of: finding)?.subject ?? ""
    return WriteTask(RecordLabel(id: finding, title: uuid)) { place in
      let rows = uuid.isEmpty ? [] : try place.reader.files(named: uuid)
      guard rows.count == 1,
        let problem = place.problems(rows[0]).first(where: { "\($0.key):\(uuid)" == finding })
      else {
        if place.isFoundOfTheStore(finding) { throw Refusal(nil, "Parley cannot mend it; see what does") }
        throw Moved("it is no longer found")
      }
      let changes = try place.whole { try place.mend(problem, rows[0]) }
      return try RecordIntent(RecordChanges(record: finding, title: rows[0].title, changes: changes))
    }
  }
}
