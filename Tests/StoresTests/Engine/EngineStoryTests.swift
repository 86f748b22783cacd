import Merging
import Testing

@testable import SQLiteDataStores

/// Stores that SQLiteData's own engine made, and what its rules make of them once Parley wrote there.
///
/// The engine runs nowhere here, so what it does next is told by the rules it was found to follow: a field goes up if the row
/// differs from the ancestor and the ancestor's time is not later; another device takes it if its time is later than the one
/// that device knows; one record has one change in the queue.
@Suite(.enabled(if: EngineStory.areHere, "needs ../shared/\(EngineStory.place)"))
struct EngineStoryTests {
  private static let writing = EngineStory.telling { $0.hasPrefix("write") && $0.hasSuffix("--direct") }
    .filter { !$0.name.hasPrefix("import") && $0.name != bytesNowhere }
  private static let mending = EngineStory.telling { $0.contains("--mend") }
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

  @Test(arguments: mending) func otherDevicesTakeWhatWasMended(story: EngineStory) throws {
    let played = try PlayedStory(story)
    for id in try played.play().map(\.id) where RecordName(id) != nil {
      let record = try played.record(id)
      for (field, known) in record.ancestor where record.isSent(field) {
        #expect(try #require(record.metadata).modificationTime > known.time ?? -1, "\(field)")
      }
    }
  }

  @Test(arguments: [
    ("never-uploaded", "1-a", "r3:reminders", "never uploaded"),
    ("never-uploaded-archive", "1-a", "r3:reminders", "never uploaded"),
    ("deleted-and-made-again", "1-a", "r2:reminders", "deletion over a row"),
    ("divergence-seen-from-b", "1-b", "l1:remindersLists", "refused from the server"),
    ("neither-list-nor-doctor", "2-a", "r1:reminders", "same time"),
  ])
  func doctorFindsIt(story: String, store: String, record: String, what: String) throws {
    #expect(try PlayedStory(story, at: store).found(record) == [what])
  }

  @Test func aConflictAboutADeletionIsDecidedByMendingIt() throws {
    let played = try PlayedStory("deleted-here-edited-there-server")
    let id = "r1:reminders"
    #expect(try played.listed() == [id])
    #expect(try played.store.mend(["deletion-over-row:" + id], note: nil).map(\.outcome) == [.fine])
    #expect(try played.listed().isEmpty)
    #expect(try played.found(id) == ["waiting for upload"])
  }

  @Test func theRowThatTheEngineTookAwayIsToldToBeGone() throws {
    let played = try PlayedStory("edited-here-deleted-there-client-fetch")
    let conflict = try played.store.conflict("r1:reminders")
    #expect(conflict.versions.client.isPresent && !conflict.hasRow)
  }

  @Test(arguments: writing + mending) func undoBringsBackEveryByte(story: EngineStory) throws {
    let played = try PlayedStory(story)
    let before = try played.files.dump()
    _ = try played.play()
    #expect(try played.store.undoLastWrite().allSatisfy { $0.outcome == .fine })
    #expect(try played.files.dump() == before)
  }

  /// Both devices set the fields at the same time, and each kept its own. Neither of them is sure.
  @Test(arguments: [Side.client, .server]) func whatWasRefusedIsDecidedOnceTheServersRecordIsHere(
    side: Side
  ) throws {
    let (other, here) = (
      try PlayedStory("diverging-client", at: "1-a"), try PlayedStory("diverging-client", at: "2-b")
    )
    let id = "l1:remindersLists"
    #expect(try here.found(id) == ["refused from the server"])
    #expect(try here.store.importRecords(from: [other.store.info.path], isRehearsal: false).new == 1)
    let conflict = try here.store.conflict(id)
    #expect(conflict["title"]?.suggestion.certainty == .yours)
    let planned = try plan(id, in: here.store, [.field("title"): .take(side), .field("color"): .take(side)])
    #expect(try here.store.write([#require(planned)], note: nil).map(\.outcome) == [.fine])
    let record = try here.record(id)
    #expect(record.row?["title"] == .text(side == .client ? "B" : "A"))
    #expect(record.isSent("title") == (side == .client))
    #expect(try here.found(id) == (side == .client ? ["waiting for upload"] : []))
  }
}
