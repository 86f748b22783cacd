import Merging
import Testing

@testable import SMSyncStores
@testable import Samples
@testable import StoreInterface

/// A row that is not as the framework writes it is told by its place, and nothing is written for its file.
@Suite("Damaged rows of a container") struct RowDamageTests {
  private static let entity = "has an entity number that none of its operations has"

  /// What nobody can read must not vanish: without its deletion an upload and a deletion would be a plain conflict, and without its upload
  /// a conflict would count as accepted.
  @Test(arguments: [
    (4, "ZSMUPLOADOPERATION", "Z_ENT = 45", entity), (4, "ZSMUPLOADOPERATION", "Z_ENT = NULL", entity),
    (1, "ZSMUPLOADOPERATION", "Z_ENT = 77", entity), (1, "ZSMDOWNLOADOPERATION", "Z_ENT = 99", entity),
    (1, "ZSMDOWNLOADOPERATION", "ZSERVERVERSION = 'abc'", "ZSERVERVERSION in row"),
    (1, "ZSMDOWNLOADOPERATION", "ZSERVERVERSION = 0.5", "ZSERVERVERSION in row"),
    (4, "ZSMUPLOADOPERATION", "ZQUEUE = 'abc'", "ZQUEUE in row"),
    (3, "ZSMLOCALFILE", "ZLOCALVERSION = 'abc'", "ZLOCALVERSION in row"),
  ]) func isFoundAndNothingIsWritten(number: Int, table: String, change: String, words: String) throws {
    let container = try TestContainer()
    let uuid = ContainerDemoStore.uuid(number)
    let owner = table == "ZSMLOCALFILE" ? "Z_PK" : "ZLOCALFILE"
    let file = "SELECT Z_PK FROM ZSMLOCALFILE WHERE ZUUID = ?"
    let row = "SELECT max(Z_PK) FROM \(table) WHERE \(owner) = (\(file))"
    try container.run("UPDATE \(table) SET \(change) WHERE Z_PK = (\(row))", [.text(uuid)])
    try ContainerCopy.make(of: container.path, in: container.copy)
    for store in [try container.open(), try container.openCopy()] {
      let found = try findings(of: store, limit: 100).filter { $0.record == uuid }
      #expect(found.map(\.what) == ["damaged rows"] && found.allSatisfy { $0.canBeMended == nil })
      #expect("\(found)".contains(words) && "\(found)".contains(table), "\(found)")
      #expect(try store.mend(["half-way:\(uuid)"], note: nil).allSatisfy { $0.outcome != .fine })
      guard let conflict = try? store.conflict(uuid) else { continue }
      #expect(conflict.details.notWritable?.hasSuffix(", which is damage") == true)
      let draft = try #require(conflict.draft(conflict.taking(.server, in: Resolution())))
      let written = try store.write([PlannedWrite(seen: conflict, draft: draft)], note: nil)
      #expect(written.allSatisfy { $0.outcome == .refused(field: nil, conflict.details.notWritable ?? "") })
    }
    #expect(try findings(of: TestContainer().open(), limit: 100).allSatisfy { $0.what != "damaged rows" })
  }
}
