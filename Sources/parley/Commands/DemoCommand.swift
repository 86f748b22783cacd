import ArgumentParser
import CouchDBStores
import Foundation
import Merging
import SQLiteDataStores
import SQLiteFiles
import Samples
import StoreInterface

/// `parley demo`: the desk on a sample store, made on the spot.
struct DemoCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", _superCommandName: Parley.name,
    abstract: "Open the desk on a sample store, made on the spot.",
    discussion: """
      The sample is a real store with conflicts and findings of every kind. It is made in a temporary folder that is \
      removed when the desk closes (or by the next demo, if this one was killed); with --write it stays, but for \
      couchdb, whose server ends with the desk.
      """)

  @Option(
    help:
      "Which kind of store: sqlitedata, cloudant, android (Cloudant Sync there), couchdb (a server of its own), or smsync (an app's container)."
  )
  var store: DemoKind = .sqlitedata

  @Option(help: ArgumentHelp("Only make the store in this new folder, and print its path.", valueName: "dir"))
  var write: String?

  @OptionGroup var desk: DeskOptions
  @OptionGroup var linear: LinearOptions

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    if let write {
      // Before anything is made: there would be a folder without a store.
      if store == .couchdb { throw CommandError.serverNotWritten }
      let path = try surroundings.makeDemo(store, try SampleFolder.make(write), surroundings.now())
      try surroundings.output.print(path)
      try tellOptions(of: request(path, in: write), surroundings)
      return .nothingLeft
    }
    return store == .couchdb ? try openServer(surroundings) : try openFile(surroundings)
  }

  /// On a server that ends with the desk.
  private func openServer(_ surroundings: Surroundings) throws -> ExitStatus {
    let login = ServerAddress.Login(name: "demo", password: UUID().uuidString)
    let server = try CouchDBDemo.start(admin: (login.name, login.password), now: surroundings.now())
    defer { server.stop() }
    let folder = try SampleFolder.makeTemporary()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = "\(server.url)/\(CouchDBDemo.database)"
    return try open(StoreRequest(path: path, access: .writing, login: login, home: folder), surroundings)
  }

  private func openFile(_ surroundings: Surroundings) throws -> ExitStatus {
    let folder = try SampleFolder.makeTemporary()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = try surroundings.makeDemo(store, folder, surroundings.now())
    return try open(request(path, in: folder), surroundings)
  }

  /// With all that is made beside it.
  private func request(_ path: String, in folder: String) -> StoreRequest {
    var request = StoreRequest(path: path, access: .writing)
    if store == .smsync { (request.index, request.ancestors) = ContainerDemoStore.beside(folder) }
    return request
  }

  /// Beside standard output, which has the path alone for scripts.
  private func tellOptions(of request: StoreRequest, _ surroundings: Surroundings) throws {
    guard request.index != nil || request.ancestors != nil else { return }
    try surroundings.errors.print("To open it as parley demo does: parley \(request.quoted)")
    try surroundings.errors.flush()
  }

  private func open(_ request: StoreRequest, _ surroundings: Surroundings) throws -> ExitStatus {
    let opened = try surroundings.open(request)
    if linear.plain { return try askInLines(opened, desk, sample: store, in: surroundings) }
    return try openDesk(
      store: opened, path: request.path, options: desk, keepingNoRules: .sample, sample: store,
      otherwise: otherwise, in: surroundings)
  }

  private var otherwise: String {
    guard let command = store.command else { return "parley demo --store \(store.rawValue) --plain" }
    return
      "\(command.replacing("--write", with: "--plain")), or \(command) FOLDER and parley list with the path it prints"
  }
}

extension DemoKind: ExpressibleByArgument {}

enum SampleFolder {
  /// - Throws: ``CommandError/folderNotEmpty(path:)``, ``CommandError/cannotMakeFolder(path:detail:)``,
  ///   ``StoreError/cannotRead(path:detail:isForbidden:)``
  static func make(_ path: String) throws -> String {
    if let there = FileStatus(path: path) { try checkIsEmpty(path, there) }
    // What makes the files takes a tilde for somebody's home.
    let path = path.hasPrefix("~") ? "./" + path : path
    try MissingFolders.make(path)
    return path
  }

  private static func checkIsEmpty(_ path: String, _ there: FileStatus) throws {
    // What is in it nobody knows then.
    if there.isFolder, access(path, R_OK) != 0 {
      throw StoreError.cannotRead(path: path, detail: systemError(), isForbidden: true)
    }
    let contents = try? FileManager.default.contentsOfDirectory(atPath: path)
    guard contents?.isEmpty == true else { throw CommandError.folderNotEmpty(path: path) }
  }

  /// A folder named after this process. Those of demos that were killed are taken away first.
  static func makeTemporary() throws -> String {
    OwnFolder.removeLeftovers(prefix)
    return try make(OwnFolder.name(prefix).path)
  }

  private static let prefix = "parley-demo-"
}

/// Folders for as long as a process lives, among those of all programs.
enum OwnFolder {
  static func name(_ prefix: String) -> URL {
    FileManager.default.temporaryDirectory
      .appendingPathComponent("\(prefix)\(getpid())-\(UUID().uuidString)")
  }

  /// Those of processes that are gone.
  static func removeLeftovers(_ prefix: String) {
    let temporary = FileManager.default.temporaryDirectory
    let names = (try? FileManager.default.contentsOfDirectory(atPath: temporary.path)) ?? []
    for name in names where isLeftover(name, prefix) {
      // Another user's folder cannot be removed, and need not be.
      try? FileManager.default.removeItem(at: temporary.appendingPathComponent(name))
    }
  }

  static func isLeftover(_ name: String, _ prefix: String) -> Bool {
    // Most of a temporary folder is somebody else's.
    guard name.hasPrefix(prefix) else { return false }
    let parts = name.dropFirst(prefix.count).split(separator: "-", maxSplits: 1)
    guard parts.count == 2, UUID(uuidString: String(parts[1])) != nil,
      let process = pid_t(parts[0]), process > 0
    else { return false }
    return kill(process, 0) != 0 && errno == ESRCH
  }
}
