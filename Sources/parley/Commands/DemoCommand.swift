import ArgumentParser
import Foundation
import Merging

/// `parley demo`: the desk on a sample store, made on the spot.
struct DemoCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Open the desk on a sample store, made on the spot.",
    discussion: """
      The sample is a real store with conflicts and findings of every kind. It is made in a temporary folder that is \
      removed when the desk closes; with --write it stays.
      """)

  @Option(help: ArgumentHelp("Only make the store in this new folder, and print its path.", valueName: "dir"))
  var write: String?

  @OptionGroup var desk: DeskOptions

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    if let write {
      let path = try surroundings.makeDemo(try SampleFolder.make(write), surroundings.now())
      try surroundings.output.print(path)
      return .nothingLeft
    }
    let folder = try SampleFolder.makeTemporary()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = try surroundings.makeDemo(folder, surroundings.now())
    let request = StoreRequest(path: path, metadatabase: nil, tie: nil, access: .writing)
    return try openDesk(store: surroundings.open(request), options: desk, in: surroundings)
  }
}

/// Where a sample store is made.
private enum SampleFolder {
  /// - Throws: ``CommandError/folderNotEmpty(path:)``, ``CommandError/cannotMakeFolder(path:detail:)``
  static func make(_ path: String) throws -> String {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
      let contents = try? FileManager.default.contentsOfDirectory(atPath: path)
      guard contents?.isEmpty == true else { throw CommandError.folderNotEmpty(path: path) }
    }
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw CommandError.cannotMakeFolder(path: path, detail: systemError())
    }
    return path
  }

  static func makeTemporary() throws -> String {
    try make(
      FileManager.default.temporaryDirectory.appendingPathComponent("parley-demo-\(UUID().uuidString)").path)
  }
}
