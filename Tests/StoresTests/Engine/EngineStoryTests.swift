import Merging
import Testing

@testable import Stores

/// Stores that SQLiteData's own engine made, and what its rules make of them once Parley wrote there.
///
/// The engine runs nowhere here, so what it does next is told by the rules it was found to follow: a field goes up if the row
/// differs from the ancestor and the ancestor's time is not later; another device takes it if its time is later than the one
/// that device knows; one record has one change in the queue.
@Suite(.enabled(if: EngineStory.areHere, "needs ../shared/\(EngineStory.place)"))
struct EngineStoryTests {
  private static let writing = EngineStory.telling { $0.hasPrefix("write") && $0.hasSuffix("--direct") }
    .filter { !$0.name.hasPrefix("import") && $0.name != bytesNowhere && !notYet.contains($0.name) }
  private static let mending = EngineStory.telling { $0.contains("--mend") }
    .filter { !notYet.contains($0.name) }
  private static let notYet = ["blob-only-server", "deleted-here-edited-there-server", "never-uploaded"]
  /// Both devices set the blob, and the one of the other device is not here.
  private static let bytesNowhere = "blob-server"

  @Test(arguments: writing) func whatIsDecidedIsWrittenAndLeavesTheList(story: EngineStory) throws {
    let played = try PlayedStory(story)
    let written = try played.play()
    #expect(!written.isEmpty && written.allSatisfy { $0.outcome == .fine })
    #expect(try played.listed().isEmpty)
  }

  @Test(arguments: writing + mending) func oneRecordHasOneChangeInTheTableAndNoMarkOfDeletionOverItsRow(
    story: EngineStory
  ) throws {
    let played = try PlayedStory(story)
    for id in try played.play().map(\.id) {
      guard RecordName(id) != nil else { continue }
      let record = try played.record(id)
      #expect(record.pending.count <= 1)
      #expect(record.row == nil || (record.metadata?.isDeleted == false && record.pending != [.delete]))
      #expect(try played.found(id).allSatisfy { ["waiting for upload", "delete waiting"].contains($0) })
    }
  }

  /// Each value that another device may have is met by one with a later time: sent now, or already on the server.
  @Test(arguments: writing) func otherDevicesTakeWhatWasDecided(story: EngineStory) throws {
    let played = try PlayedStory(story)
    let seen = try Dictionary(
      uniqueKeysWithValues: played.listed().map { ($0, try played.serverVersions($0)) })
    for id in try played.play().map(\.id) {
      let (record, versions) = (try played.record(id), try #require(seen[id]))
      for (field, value) in record.row ?? [:] {
        for known in versions.compactMap({ $0[field] }) where known.value != value {
          let onServer = versions.compactMap { $0[field] }.filter { $0.value == value }
          let sent = record.isSent(field) ? try #require(record.metadata).modificationTime : -1
          let newest = max(sent, onServer.compactMap(\.time).max() ?? -1)
          #expect(newest > known.time ?? -1, "\(field)")
          #expect(newest != sent || sent >= played.now, "\(field)")
        }
      }
    }
  }

  @Test(arguments: writing + mending) func undoBringsBackEveryByte(story: EngineStory) throws {
    let played = try PlayedStory(story)
    let before = try played.files.dump()
    _ = try played.play()
    #expect(try played.store.undoLastWrite().allSatisfy { $0.outcome == .fine })
    #expect(try played.files.dump() == before)
  }
}
