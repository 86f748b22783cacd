import Foundation
import Merging
import SMSyncStores
import Samples
import StoreInterface

@testable import Desk

/// A desk on the container that `parley demo --store smsync` makes: what its store says is on the screen, word for word.
enum ContainerDesk {
  /// - Parameters:
  ///   - hasAncestors: whether texts of earlier versions are at hand, as where `parley demo` opens it.
  ///   - waits: whether all is decided, and waits in the outbox.
  static func desk(
    isIndexed: Bool = false, hasAncestors: Bool = false, waits: Bool = false, columns: Int = 80,
    rows: Int = 24
  ) throws -> TestDesk {
    let folder = NSTemporaryDirectory() + "parley-container-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = try ContainerDemoStore.make(in: folder)
    let beside = ContainerDemoStore.beside(folder)
    let store = try SMSyncStore.open(
      path: path, index: isIndexed ? beside.index : nil, ancestors: hasAncestors ? beside.ancestors : nil)
    var records = try records(of: store)
    if waits { for place in records.indices { records[place].details.waitingSince = Sample.now } }
    return TestDesk(
      records, findings: try findings(of: store), columns: columns, rows: rows,
      store: store.info)
  }

  private static func records(of store: SMSyncStore) throws -> [RecordConflict] {
    let walk = store.conflicts()
    var records: [RecordConflict] = []
    while let page = try walk.next(limit: 100) {
      records += try page.summaries.map { try store.conflict($0.id) }
    }
    return records
  }

  private static func findings(of store: SMSyncStore) throws -> [Finding] {
    let walk = store.findings()
    var findings: [Finding] = []
    while let page = try walk.next(limit: 100) { findings += page }
    return findings
  }
}
