import Foundation
import GRDB
import Merging
import SQLiteFiles

@testable import SMSyncStores
@testable import Samples
@testable import StoreInterface

/// A container in a folder of its own, and a copy of it where a test wants one.
final class TestContainer: Sendable {
  let folder: TestFolder
  let path: String
  var copy: String { folder.path("copy") }

  /// The demo's.
  init() throws {
    folder = try TestFolder()
    path = try ContainerDemoStore.make(in: folder.path)
  }

  /// With these files.
  init(_ files: [SampleFile], name: String = "Notes") throws {
    folder = try TestFolder()
    let builder = try ContainerBuilder(folder: folder.path, name: name)
    for file in files { try builder.add(file) }
    try builder.close()
    path = builder.path
    try Data(builder.index).write(to: URL(filePath: folder.path("FileIndex.json")))
  }

  var documents: String { (try? ContainerFiles(path: path).documents) ?? "" }
  var database: String { documents + "/" + ContainerFiles.databaseName }
  private var ancestors: String? {
    FileManager.default.fileExists(atPath: folder.path("earlier")) ? folder.path("earlier") : nil
  }

  /// - Parameter meanwhile: what happens whenever somebody asks for the time.
  func open(
    _ access: SMSyncStore.Access = .writing, isIndexed: Bool = false,
    meanwhile: @escaping @Sendable () -> Void = {}
  ) throws -> SMSyncStore {
    try SMSyncStore.open(
      path: path, access: access, index: isIndexed ? folder.path("FileIndex.json") : nil,
      ancestors: ancestors,
      clock: {
        meanwhile()
        return withExtendedLifetime(self) { StoreBench.time }
      })
  }

  func openCopy(
    _ access: SMSyncStore.Access = .writing, isIndexed: Bool = false
  ) throws -> SMSyncStore {
    try SMSyncStore.open(
      path: copy, access: access, index: isIndexed ? folder.path("FileIndex.json") : nil,
      ancestors: ancestors,
      clock: { withExtendedLifetime(self) { StoreBench.time } })
  }

  /// Runs SQL in the copy if there is one, as Parley would, else in the container.
  func run(_ sql: String, _ values: [Value] = []) throws {
    let isCopied = FileManager.default.fileExists(atPath: copy)
    let files = try ContainerFiles(path: isCopied ? copy : path)
    let queue = try DatabaseQueue(path: files.database)
    try queue.write { try $0.run(sql, values) }
    try queue.close()
    if let mark = files.mark {
      try CopyMark.made(in: copy, of: "Notes", bringsFiles: mark.bringsFiles).write()
    }
  }

  /// Every file below the container and its bytes.
  func contents() throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: path)
    return Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        FileManager.default.contents(atPath: path + "/" + name).map { (name, $0) }
      })
  }
}
