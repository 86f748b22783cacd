import ExactJSON
import Foundation
import Merging
import Testing

@testable import SMSyncStores
@testable import Samples
@testable import StoreInterface

/// Every case of the facts that concerns the device's store: found by the index, found in the store, decided, sent, and written into
/// a copy.
@Suite("Cases of SMSyncServer", .enabled(if: Shared.has("cases/smsync.json"), "no ../shared/cases here"))
struct ContainerCaseTests {
  @Test func allOfThemAreThere() { #expect(ContainerCase.all.count >= 24) }

  /// The table of who is asked, by the server's index alone.
  @Test(arguments: ContainerCase.all) func isFoundByTheIndexAlone(one: ContainerCase) throws {
    let moment = ContainerMoment(one)
    let store = try TestContainer(moment.map { [$0.plain] } ?? []).open(isIndexed: true)
    // What the framework asks nobody about, and is stopped by, a person decides here.
    let isGap = one.id.hasPrefix("g3-")
    #expect(try summaries(of: store).count == (one.conflict == nil && !isGap ? 0 : 1))
    let found = try findings(of: store).map(\.what)
    switch one.id.prefix(3) {
    case "n06": #expect(found == ["deleted on both sides"])
    case "g3-": #expect(found == ["upload, then deletion"])
    case "g4-": #expect(found == ["undeleted elsewhere"])
    case "g1-", "g2-": #expect(found.contains("upload, then deletion"))
    default: #expect(found.isEmpty, "\(found)")
    }
  }

  /// What the framework leaves of the gaps, once it has gone past them.
  @Test(arguments: ContainerCase.all.filter { $0.id.hasPrefix("g3-") })
  func whatSurvivesADeletionIsFoundAfterwards(one: ContainerCase) throws {
    var file = try #require(ContainerMoment(one)).plain
    file.isDeletedOnServer = true
    file.uploads.removeAll { $0.content == nil }
    let store = try TestContainer([file]).open()
    #expect(try findings(of: store).map(\.what) == ["upload of a deleted file"])
  }

  @Test(arguments: decided) func isSentAsTheFrameworkWould(one: ContainerCase) throws {
    let container = try TestContainer([try lastMoment(of: one)])
    let store = try container.open()
    let planned = try self.planned(one, in: store)
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    let entry = try #require(try OutboxFile(path: store.outboxPath)[ContainerMoment.uuid])
    #expect(try requests(entry) == one.sent)
    #expect(entry.version == planned.version && entry.isDeleted == planned.isDeletedThere)
  }

  @Test(arguments: decided) func leavesInACopyWhatTheFrameworkWould(one: ContainerCase) throws {
    let container = try TestContainer([try lastMoment(of: one)])
    try ContainerCopy.make(of: container.path, in: container.copy)
    let store = try container.openCopy()
    #expect(try store.write([planned(one, in: store)], note: nil).map(\.outcome) == [.fine])
    let (rows, pending) = try rows(in: store)
    let expected = try #require(one.expectedLocalState)
    #expect(rows.version == expected.version && rows.syncState == expected.syncState)
    #expect(pending == one.expectedPendingOperations.map { one.decision == "merge" ? $0.merged(one) : $0 })
    if let download = rows.downloads.first {
      // The app takes it as plain news, and marks the file itself.
      #expect(download.conflict == nil && one.decision == "acceptServer")
    } else {
      #expect(rows.isDeletedOnServer == expected.deletedOnServer)
    }
    #expect(try summaries(of: store).isEmpty)
  }

  /// What was decided about one version is not sent over another.
  @Test(arguments: ContainerCase.all.filter { $0.interference != nil })
  func whoIsOvertakenIsAskedAgain(one: ContainerCase) throws {
    let first = try #require(ContainerMoment(one))
    let conflicts = try #require(one.conflictsRaised)
    let container = try TestContainer([first.met(conflicts[0])])
    let store = try container.open()
    _ = try store.write([planned(one, in: store)], note: nil)
    #expect(try summaries(of: store).allSatisfy { $0.waitingSince != nil })
    let interference = try #require(one.interference?.first)
    try Data(index(interference).utf8).write(to: URL(filePath: container.folder.path("FileIndex.json")))
    let indexed = try container.open(isIndexed: true)
    let again = try #require(try summaries(of: indexed).first)
    #expect(again.notWritable?.contains("by now") == true)
    #expect(try findings(of: indexed).contains { $0.what == "the outbox is old" })
  }

  private static let decided = ContainerCase.all.filter { one in
    one.conflict != nil && one.decision != nil
      && (one.interference == nil || (one.conflictsRaised?.count ?? 0) == 2)
  }
}

extension ContainerCaseTests {
  /// The state in which the last question is asked.
  private func lastMoment(of one: ContainerCase) throws -> SampleFile {
    let first = try #require(ContainerMoment(one))
    guard let interference = one.interference?.first, let conflicts = one.conflictsRaised,
      conflicts.count == 2
    else {
      return first.met(one.conflict)
    }
    return first.kept(conflicts[0], then: interference).met(conflicts[1])
  }

  private func planned(_ one: ContainerCase, in store: SMSyncStore) throws -> PlannedWrite {
    let conflict = try store.conflict(ContainerMoment.uuid)
    let isBoth = conflict.alternative(FileAlternatives.both) != nil
    var resolution = Resolution()
    switch one.decision {
    case "merge": resolution.decide(.field(FileConflict.content), .edit(.text(try #require(one.draft))))
    case "acceptServer": resolution = conflict.taking(.server, in: resolution)
    default:
      resolution =
        isBoth
        ? Resolution(choices: [.record: .alternative(FileAlternatives.both)])
        : conflict.taking(.client, in: resolution)
    }
    return PlannedWrite(seen: conflict, draft: try #require(conflict.draft(resolution)))
  }

  private func requests(_ entry: OutboxFile.Entry) throws -> [ContainerCase.Request] {
    var reader = JSONReader(Array(entry.json.utf8))
    let node = try reader.single()
    return try #require(node["requests"]?.elements).map { request in
      let parameters = try #require(request["parameters"])
      let file = parameters["FilesToDelete"]?.elements?.first ?? parameters
      return ContainerCase.Request(
        request: try #require(request["operation"]?.text),
        fileVersion: file["FileVersion"]?.numeral.flatMap { Int64($0) },
        isUndeletion: parameters["UndeleteFile"]?.bool)
    }
  }

  private func rows(in store: SMSyncStore) throws -> (FileRows, [ContainerCase.Pending]) {
    try store.readFiles { place in
      let rows = try #require(try place.reader.files(named: ContainerMoment.uuid).first)
      let pending = try rows.uploads.map { upload in
        let text =
          upload.isDeletion
          ? nil : String(decoding: try store.files.bytes(archive: upload.url), as: UTF8.self)
        return ContainerCase.Pending(
          op: upload.isDeletion ? "uploadDeletion" : "fileUpload", content: text,
          undelete: upload.undelete == 1)
      }
      return (rows, pending)
    }
  }

  private func index(_ there: ContainerCase.Interference) -> String {
    """
    {"fileId":"\(ContainerMoment.uuid)","fileVersion":{"$numberInt":"\(there.fileVersion)"},\
    "deleted":\(there.op == "uploadDeletion"),"lastModified":{"$date":"2016-08-20T12:00:00Z"}}
    """
  }
}

extension PlannedWrite {
  fileprivate var version: Int64 {
    let digits = (seen.details.serverTag ?? "").drop { !$0.isNumber }.prefix { $0.isNumber }
    return Int64(digits) ?? -1
  }

  fileprivate var isDeletedThere: Bool { seen.versions.server.isGone }
}

extension ContainerCase.Pending {
  /// A draft is the text of the facts, whatever stood there before.
  fileprivate func merged(_ one: ContainerCase) -> Self { ContainerCase.Pending(op: op, content: one.draft) }
}
