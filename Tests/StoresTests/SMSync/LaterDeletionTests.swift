import ExactJSON
import Merging
import Testing

@testable import SMSyncStores
@testable import Samples
@testable import StoreInterface

/// The server has deleted a later version than this device knows: somebody has edited the file there, and deleted it then.
@Suite("A deletion of a later version") struct LaterDeletionTests {
  private static let uuid = "5EED0000-0000-4000-8000-00000000DE1E"

  private func container(isMet: Bool) throws -> TestContainer {
    var file = SampleFile(LaterDeletionTests.uuid, "diary.txt", version: 2)
    (file.uploads, file.onServer) = ([.file("Wednesday")], (5, true))
    if isMet { file.download = .deletion() }
    return try TestContainer([file])
  }

  private func planned(_ side: Side, in store: SMSyncStore) throws -> PlannedWrite {
    let conflict = try store.conflict(LaterDeletionTests.uuid)
    let draft = try #require(conflict.draft(conflict.taking(side, in: Resolution())))
    return PlannedWrite(seen: conflict, draft: draft)
  }

  @Test(arguments: [true, false]) func isUndeletedByARequestThatFits(isMet: Bool) throws {
    let store = try container(isMet: isMet).open(isIndexed: true)
    let conflict = try store.conflict(LaterDeletionTests.uuid)
    #expect(conflict.details.notWritable == nil && conflict.details.serverTag == "version 5, deleted")
    #expect(
      conflict.details.notes.contains { $0.contains("is sent as version 3, at which the framework stops") })
    #expect(conflict.alternative("client")?.words.hasSuffix("undeletes the file as version 6") == true)
    #expect(try store.write([planned(.client, in: store)], note: nil).map(\.outcome) == [.fine])
    let entry = try #require(try OutboxFile(path: store.outboxPath)[LaterDeletionTests.uuid])
    #expect(entry.version == 5 && entry.isDeleted)
    #expect(entry.json.contains(#""FileVersion":6"#) && entry.json.contains("no answer there does this"))
    #expect(!entry.json.contains("rather than sending"))
  }

  /// Who opens it without the index knows less, and nothing else.
  @Test func waitsInTheOutboxAlsoWithoutTheIndex() throws {
    let container = try container(isMet: true)
    let indexed = try container.open(isIndexed: true)
    _ = try indexed.write([planned(.client, in: indexed)], note: nil)
    for store in [indexed, try container.open()] {
      #expect(try summaries(of: store).map { $0.waitingSince != nil } == [true])
      let told = try store.conflict(LaterDeletionTests.uuid).alternative("client")?.words
      #expect(told?.hasSuffix("undeletes the file as version 6") == true, "as it was written")
      #expect(try !findings(of: store).contains { $0.what == "the outbox is old" })
    }
  }

  /// Decided before the index told of it: what was seen was a deletion of version 2.
  @Test(arguments: [Side.client, .server]) func isLookedAtAgain(side: Side) throws {
    let container = try container(isMet: true)
    let (plain, indexed) = (try container.open(), try container.open(isIndexed: true))
    for (decided, opened) in [(plain, indexed), (indexed, plain)] {
      let seen = try decided.conflict(LaterDeletionTests.uuid)
      let resolution = seen.taking(side, in: Resolution())
      try decided.journal.append(seen.decisions(about: [.record], in: resolution, at: 1))
      #expect(try summaries(of: decided).map(\.isReady) == [true], "as it was decided")
      let again = try #require(try summaries(of: opened).first)
      #expect(again.outdated == 1 && again.isMoved && again.undecided == 1)
      #expect(seen.moved(to: try opened.conflict(LaterDeletionTests.uuid)) != nil)
    }
  }

  @Test(arguments: [(Side.client, false), (.server, true)])
  func isKeptInNoCopyAndAcceptedInEach(side: Side, isFine: Bool) throws {
    let container = try container(isMet: true)
    try ContainerCopy.make(of: container.path, in: container.copy)
    let store = try container.openCopy(isIndexed: true)
    let outcome = try store.write([planned(side, in: store)], note: nil)[0].outcome
    guard !isFine else { return #expect(outcome == .fine) }
    guard case .refused(nil, let words) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(words.contains("undelete it with version 3, at which its framework stops"))
  }
}
