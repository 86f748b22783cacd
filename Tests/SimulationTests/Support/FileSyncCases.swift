import Foundation
import Testing

@testable import Simulation

/// Facts about SMSyncServer outside the project: `cases/smsync.json`, and what its server's own code
/// answered, `cases/smsync-server.json`.
enum FileSyncCases {
  static let exist = ["smsync.json", "smsync-server.json"].allSatisfy {
    FileManager.default.fileExists(atPath: SharedCases.folder.appending(path: $0).path)
  }

  static let cases: [FileCase] = read("smsync.json", as: Cases.self)?.cases ?? []
  static let runs: [ServerRun] = read("smsync-server.json", as: [ServerRun].self) ?? []

  private struct Cases: Decodable {
    let cases: [FileCase]
  }

  private static func read<Content: Decodable>(_ name: String, as type: Content.Type) -> Content? {
    guard exist else { return nil }
    do {
      return try JSONDecoder().decode(
        type, from: Data(contentsOf: SharedCases.folder.appending(path: name)))
    } catch {
      Issue.record("\(name) cannot be read: \(error)")
      return nil
    }
  }
}

struct FileCase: Decodable, Sendable, CustomTestStringConvertible {
  struct Local: Decodable, Sendable {
    let version: Int?
    let deletedOnServer: Bool?
    let syncState: String?
    let pending: [Operation]?
    /// What stops the framework, in its words.
    let error: String?
  }

  struct Operation: Decodable, Sendable, Equatable {
    var op: String
    var queue: String?
    var content: String?
    var undelete: Bool?
  }

  struct Server: Decodable, Sendable, Equatable {
    var version: Int
    var deleted: Bool
    var content: String?
  }

  struct Request: Decodable, Sendable, Equatable {
    var request: String
    var version: Int?
    var undeletes: Bool?

    private enum CodingKeys: String, CodingKey {
      case request
      case version = "FileVersion"
      case undeletes = "UndeleteFile"
    }
  }

  struct Interference: Decodable, Sendable {
    let after: String
    let op: String
    let version: Int
    let content: String?
    let undelete: Bool?

    private enum CodingKeys: String, CodingKey {
      case after, op, content, undelete
      case version = "FileVersion"
    }
  }

  let id: String
  let localState: Local?
  let serverState: Server?
  let conflict: String?
  let decision: String?
  let decisions: [String]?
  let draft: String?
  let expectedLocalState: Local?
  let expectedPendingOperations: [Operation]
  let expectedLocalStateAfterUpload: Local?
  let expectedServerStateAfterUpload: Server?
  let expectedRequests: [Request]
  let interference: [Interference]?
  let conflictsRaised: [String]?
  /// There where the lock has to have been dropped first: with a second file in the same round.
  let precondition: String?

  var testDescription: String { id }

  /// The conflicts a person is asked about, one after the other.
  var raised: [String] { conflictsRaised ?? [conflict].compactMap(\.self) }

  /// The answer to the conflict of this position: the last one holds for all that follow.
  func answer(_ position: Int) -> String? {
    guard let decisions, !decisions.isEmpty else { return decision }
    return decisions[min(position, decisions.count - 1)]
  }
}

/// What the original server answered to one call after the other.
struct ServerRun: Decodable, Sendable, CustomTestStringConvertible {
  struct Step: Decodable, Sendable {
    let step: String
    let result: Result
    let index: Index?
    let locks: [String]
    let drive: [File]
  }

  struct Result: Decodable, Sendable {
    let rc: Int?
    let details: String?
    let index: [Line]?
    let content: String?
    let status: Int?
    let count: Int?
    let error: String?
    let removeOpId: Code?
    let upload: Code?
    let del: Code?
    let commit: Commit?
  }

  struct Code: Decodable, Sendable {
    let rc: Int
  }

  struct Commit: Decodable, Sendable {
    let status: Int
    let count: Int
    let removeOpId: Code?
  }

  struct Line: Decodable, Sendable {
    let cloudFileName: String
    let mimeType: String
    let deleted: Bool
    let fileVersion: Int
    let fileSizeBytes: Int
  }

  struct Index: Decodable, Sendable, Equatable {
    var fileVersion: Int
    var deleted: Bool
    var sizeBytes: Int
  }

  struct File: Decodable, Sendable, Equatable {
    var title: String
    var trashed: Bool
    var content: String
  }

  let id: String
  let steps: [Step]

  var testDescription: String { id }
}
