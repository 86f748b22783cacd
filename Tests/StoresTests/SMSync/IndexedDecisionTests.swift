import Foundation
import Merging
import Testing

@testable import SMSyncStores
@testable import Samples
@testable import StoreInterface

/// Decisions hold as long as what the server's index tells, be it given or not, is what they were made on.
@Suite("Decisions and the server's index") struct IndexedDecisionTests {
  private static let uuid = ContainerDemoStore.uuid(1)

  /// An upload against version 4, which the app has met, and what the index tells of the file.
  private func container(_ version: Int64, isDeleted: Bool = false) throws -> TestContainer {
    var file = SampleFile(Self.uuid, "note.txt", version: 4)
    (file.uploads, file.download) = ([.file("here\n")], .file(4, Array("there\n".utf8)))
    file.onServer = (version, isDeleted)
    return try TestContainer([file])
  }

  private func decide(_ subject: Subject, _ choice: Choice, in store: SMSyncStore) throws {
    let seen = try store.conflict(Self.uuid)
    let resolution = Resolution(choices: [subject: choice])
    try store.journal.append(seen.decisions(about: [subject], in: resolution, at: 1))
  }

  private static let decisions: [(Subject, Choice)] = [
    (.field("content"), .take(.client)), (.field("content"), .take(.server)),
    (.field("content"), .edit(.text("both\n"))), (.record, .alternative("client")),
  ]

  /// In either order: decided without the index and listed with it, and the other way round.
  @Test(arguments: [
    (4, false, true), (3, false, true), (5, false, false), (4, true, false), (9, true, false),
  ])
  func holdWhereTheIndexTellsNothingElse(version: Int64, isDeleted: Bool, holds: Bool) throws {
    for (subject, choice) in Self.decisions {
      for isDecidedWithIndex in [false, true] {
        let container = try container(version, isDeleted: isDeleted)
        try decide(subject, choice, in: try container.open(isIndexed: isDecidedWithIndex))
        for isIndexed in [false, true] {
          let summary = try #require(try summaries(of: try container.open(isIndexed: isIndexed)).first)
          let isSame = holds || isIndexed == isDecidedWithIndex
          let comment: Comment = "\(choice) decided \(isDecidedWithIndex), listed \(isIndexed)"
          #expect((summary.undecided == 0) == isSame && summary.isMoved == !isSame, comment)
          #expect(summary.outdated == (isSame ? 0 : 1), comment)
        }
      }
    }
  }

  /// The index goes on between two looks, as a desk reads a newer file in its place.
  @Test func areLookedAtAgainWithEachLaterVersion() throws {
    let container = try container(6)
    let (path, store) = (container.folder.path("FileIndex.json"), try container.open(isIndexed: true))
    try decide(.field("content"), .take(.client), in: store)
    #expect(try summaries(of: store).map(\.undecided) == [0])
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let later = text.replacing(#""fileVersion":6"#, with: #""fileVersion":17"#)
    #expect(later != text)
    try Data(later.utf8).write(to: URL(filePath: path))
    #expect(try summaries(of: store).map(\.isMoved) == [true])
  }
}
