import ExactJSON
import Foundation
import Merging
import Testing

@testable import SMSyncStores
@testable import Samples
@testable import StoreInterface

/// What an app has said of a file goes back to the server as it was written, whatever it is.
@Suite("Metadata in a request") struct MetadataRequestTests {
  private func file(_ number: Int, metadata: String) -> SampleFile {
    var file = SampleFile(ContainerDemoStore.uuid(number), "list\(number).txt", version: 2)
    file.metadata = metadata
    file.uploads = [.file("Milk")]
    file.download = .file(3, Array("Bread".utf8))
    return file
  }

  private func write(_ store: SMSyncStore) throws -> [CheckedWrite] {
    let kept = try summaries(of: store).map { summary in
      let conflict = try store.conflict(summary.id)
      let draft = conflict.draft(conflict.taking(.client, in: Resolution()))
      return PlannedWrite(seen: conflict, draft: try #require(draft))
    }
    return try store.write(kept, note: nil)
  }

  @Test(arguments: [
    #"{"weight":1.0e400}"#, #"{"weight":-0.10}"#, #"{"id":\#(String(repeating: "9", count: 900))}"#,
    #"{"half":"\ud83d"}"#, String(repeating: "[", count: 199) + String(repeating: "]", count: 199),
  ])
  func itIsKeptAsItIsWritten(metadata: String) throws {
    let container = try TestContainer([file(1, metadata: metadata), file(2, metadata: "{}")])
    #expect(try write(container.open()).map(\.outcome) == [.fine, .fine])
    let again = try container.open()
    let outbox = try OutboxFile(path: again.outboxPath)
    #expect(outbox.entries.count == 2)
    #expect(outbox[ContainerDemoStore.uuid(1)]?.json.contains(#""AppMetaData":\#(metadata)"#) == true)
    #expect(try again.undoLastWrite().map(\.outcome) == [.fine, .fine])
  }

  @Test(arguments: [
    ("{", "its appMetaData is no JSON that can be sent (a name in quotation marks belongs here at byte 1)"),
    (
      #"{"a":1,"a":2}"#,
      "its appMetaData is no JSON that can be sent (the object has this name twice at byte 7)"
    ),
  ])
  func whatIsNoneRefusesThatFileAloneAndSaysWhy(metadata: String, words: String) throws {
    let container = try TestContainer([file(1, metadata: metadata), file(2, metadata: "{}")])
    let outcomes = try write(container.open()).map(\.outcome)
    let reason = words + ", and would be lost on the server"
    #expect(outcomes.count == 2 && outcomes.contains(.refused(field: nil, reason)), "\(outcomes)")
    #expect(outcomes.contains(.fine))
    #expect(try OutboxFile(path: container.open().outboxPath).entries.count == 1)
  }

  /// The other files of the account have their conflicts all the same.
  @Test func anIndexWithSuchANumberIsRead() throws {
    let index = #"[{"fileId":"a","fileVersion":3,"deleted":false,"appMetaData":{"weight":1.0e400}}]"#
    #expect(throws: Never.self) { try ServerIndex(path: "index", bytes: Array(index.utf8)) }
  }
}
