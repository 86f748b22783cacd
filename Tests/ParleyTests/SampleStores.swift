import Foundation
import StoreInterface
import TerminalTestSupport
import Testing

@testable import parley

extension DemoKind {
  /// Those that can be made in a folder.
  static let ofFiles = allCases.filter { $0 != .couchdb }
}

/// What `parley demo --write` makes. Every test has a copy.
enum SampleStores {
  /// Makes `folder` with a sample store in it, and returns the path of its database.
  static func make(_ kind: DemoKind = .sqlitedata, in folder: String) throws -> String {
    switch kind {
    case .sqlitedata: try sqliteData.copy(to: folder)
    case .cloudant: try cloudant.copy(to: folder)
    case .android: try android.copy(to: folder)
    case .couchdb: throw CommandError.serverNotWritten
    case .smsync: try smsync.copy(to: folder)
    }
  }

  /// Decides all files of a container: as is suggested, and to keep the upload where nothing is.
  static func decideFiles(_ path: String, _ options: [String] = []) throws {
    Live.run(["resolve", path, "--accept", "all"] + options)
    for file in try Live.run(["list", path, "--json"] + options).objects()
    where file["state"] as? String == "open" {
      let id = try #require(file["id"] as? String)
      let kept = Live.run(["resolve", path, id, "--set", "record=client"] + options)
      #expect(kept.status == .nothingLeft, "\(kept)")
    }
  }

  private static let sqliteData = MadeStore { try make(.sqlitedata, $0) }
  private static let cloudant = MadeStore { try make(.cloudant, $0) }
  private static let android = MadeStore { try make(.android, $0) }

  private static let smsync = MadeStore { try make(.smsync, $0) }

  private static func make(_ kind: DemoKind, _ folder: String) throws -> String {
    try Surroundings.live().makeDemo(kind, folder, WallClock.now())
  }
}
