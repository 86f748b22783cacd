import Foundation
import Merging
import Testing

@testable import SMSyncStores
@testable import Samples
@testable import StoreInterface

/// What no framework leaves, or hardly: it is told for what it is.
@Suite("Odd containers") struct OddContainerTests {
  private let container: TestContainer

  init() throws { container = try TestContainer() }

  private func found(_ what: String, in store: SMSyncStore) throws -> Finding? {
    try findings(of: store, limit: 100).first { $0.what == what }
  }

  @Test func ofTwoDownloadsNobodyTakesTheFirst() throws {
    let uuid = ContainerDemoStore.uuid(1)
    try container.run(
      """
      INSERT INTO ZSMDOWNLOADOPERATION (Z_PK, Z_ENT, Z_OPT, ZQUEUE, ZLOCALFILE, Z_FOK_QUEUE, ZSERVERVERSION, ZINTERNALCONFLICTTYPE1)
      SELECT 999, Z_ENT, 1, 1, ZLOCALFILE, 1, 3, 'FileUpload' FROM ZSMDOWNLOADOPERATION
      WHERE ZLOCALFILE = (SELECT Z_PK FROM ZSMLOCALFILE WHERE ZUUID = ?)
      """, [.text(uuid)])
    let store = try container.open()
    let finding = try #require(try found("damaged rows", in: store))
    #expect(finding.record == uuid && "\(finding.evidence)".contains("2 downloads wait at once"))
    #expect(
      try store.conflict(uuid).details.notWritable
        == "2 downloads wait at once, where a round makes one, which is damage")
  }

  /// A wrapup and a startup belong to a round, and to no file; everything else does.
  @Test(arguments: [("SMUploadFile", "ZSMUPLOADOPERATION"), ("SMDownloadDeletion", "ZSMDOWNLOADOPERATION")])
  func anOperationOfNoFileIsFound(entity: String, table: String) throws {
    #expect(try found("operations without a file", in: container.open()) == nil)
    for entity in ["(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)')", "77", "NULL"] {
      let container = try TestContainer()
      try container.run("INSERT INTO \(table) (Z_PK, Z_ENT, Z_OPT) VALUES (999, \(entity), 1)")
      let finding = try #require(try found("operations without a file", in: container.open()))
      #expect("\(finding.evidence)" == "1 operation belongs to no file, or to one that is not there.")
    }
  }

  /// Only what is seen of a round is told.
  @Test func ofARoundInFlightNothingIsCountedThatIsNotThere() throws {
    let store = try container.open()
    let preferences = try #require(store.files.preferences) + "/com.example.notes.plist"
    try Data(ContainerBuilder.preferences(operation: "57B3")).write(to: URL(filePath: preferences))
    let stored = try #require(try found("a round is in flight", in: container.open()))
    #expect("\(stored.evidence)" == "SMUploadFiles.OperationId is stored.")
    let sending = try TestContainer([
      {
        var file = SampleFile(ContainerDemoStore.uuid(1), "a.txt")
        file.uploads = [.file("a", .inFlight)]
        return file
      }()
    ])
    let sent = try #require(try found("a round is in flight", in: sending.open()))
    #expect("\(sent.evidence)" == "2 operations are being sent.")
  }

  /// SQLite opens no such file, and says that it may not; another reader would follow it.
  @Test(arguments: ["-wal", "-journal"]) func aLinkInThePlaceOfALogIsNamed(suffix: String) throws {
    let database = container.database
    unlink(database + suffix)
    let target = container.folder.path("elsewhere")
    try Data("x".utf8).write(to: URL(filePath: target))
    try FileManager.default.createSymbolicLink(
      atPath: database + suffix, withDestinationPath: target)
    for path in [container.path, database] {
      let error = #expect(throws: StoreError.self) { try SMSyncStore.open(path: path) }
      #expect(
        "\(error.debugDescription)".contains("the \(suffix) beside its store is a symbolic link"), "\(path)")
    }
    #expect(throws: StoreError.self) { try ContainerCopy.make(of: container.path, in: container.copy) }
    #expect(!FileManager.default.fileExists(atPath: container.copy))
  }
}
