import ArgumentParser
import Foundation
import Merging
import SQLiteDataStores

/// `parley demo`: the desk on a sample store, made on the spot.
struct DemoCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Open the desk on a sample store, made on the spot.",
    discussion: """
      The sample is a real store with conflicts and findings of every kind. It is made in a temporary folder that is \
      removed when the desk closes (or by the next demo, if this one was killed); with --write it stays.
      """)

  @Option(help: "Which kind of store: sqlitedata, cloudant, or android (Cloudant Sync there).")
  var store: DemoKind = .sqlitedata

  @Option(help: ArgumentHelp("Only make the store in this new folder, and print its path.", valueName: "dir"))
  var write: String?

  @OptionGroup var desk: DeskOptions

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    if let write {
      let path = try surroundings.makeDemo(store, try SampleFolder.make(write), surroundings.now())
      try surroundings.output.print(path)
      return .nothingLeft
    }
    let folder = try SampleFolder.makeTemporary()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = try surroundings.makeDemo(store, folder, surroundings.now())
    let request = StoreRequest(path: path, metadatabase: nil, tie: nil, access: .writing)
    return try openDesk(
      store: surroundings.open(request), options: desk,
      otherwise: "parley demo --write FOLDER, then parley list with the path it prints", in: surroundings)
  }
}

extension DemoKind: ExpressibleByArgument {}
