import Testing

/// Marks a test with the fact of `lifecycleScenarios` in `cases/sqlitedata.json` that it plays.
struct TodaysFact: TestTrait {
  let id: String

  var comments: [Comment] { [Comment(rawValue: "plays \(id)")] }
}

extension Trait where Self == TodaysFact {
  static func plays(_ id: String) -> TodaysFact { TodaysFact(id: id) }
}

extension TodaysFact {
  static let editLocalParentDeletedRemoteCascade = plays("life-edit-local-parent-deleted-remote-cascade")
  static let deleteLocalChildAddedRemote = plays("life-delete-local-child-added-remote")
  static let parentDeletedSetNull = plays("life-parent-deleted-set-null")
  static let atomicEditConflictAndDelete = plays("life-atomic-edit-conflict-and-delete")
  static let deleteLocalEditRemote = plays("life-delete-local-edit-remote")
  static let editLocalDeleteRemote = plays("life-edit-local-delete-remote")
  static let childBeforeParentFetch = plays("life-child-before-parent-fetch")
  static let unknownTable = plays("life-unknown-table")
  static let extraColumnKept = plays("life-extra-column-kept")
  static let columnMissingOnServer = plays("life-column-missing-on-server")
  static let outsideRecordIgnored = plays("life-outside-record-ignored")
  static let readOnlyShareEdit = plays("life-read-only-share-edit")
  static let encryptedDataReset = plays("life-encrypted-data-reset")

  /// Every fact that some test of this target plays. All of them could be expressed.
  static let all = [
    editLocalParentDeletedRemoteCascade, deleteLocalChildAddedRemote, parentDeletedSetNull,
    atomicEditConflictAndDelete, deleteLocalEditRemote, editLocalDeleteRemote, childBeforeParentFetch,
    unknownTable,
    extraColumnKept, columnMissingOnServer, outsideRecordIgnored, readOnlyShareEdit, encryptedDataReset,
  ]
}

/// Skipped where the facts are not beside the repository.
@Suite(.enabled(if: SharedCases.exist, "\(SharedCases.file.path) is missing"))
struct TodaysFactTests {
  @Test func everyLifecycleFactIsPlayed() {
    #expect(Set(SharedCases.all.lifecycleScenarios.map(\.id)) == Set(TodaysFact.all.map(\.id)))
  }
}
