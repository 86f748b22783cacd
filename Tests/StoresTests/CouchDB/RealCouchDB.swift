import ExactJSON
import Foundation
import Testing

@testable import CouchDBStores
@testable import StoreInterface

/// A database of its own on a real server, as long as a test holds it.
final class RealCouchDB: Sendable {
  /// With the name and password of somebody who may make databases.
  static let url = ProcessInfo.processInfo.environment["PARLEY_COUCHDB_URL"]

  private let address: ServerAddress
  private let folder: TestFolder

  init() throws {
    let server = try #require(RealCouchDB.url.flatMap { ServerAddress($0.hasSuffix("/") ? $0 : $0 + "/") })
    address = server.naming("parley-test-" + UUID().uuidString.lowercased())
    folder = try TestFolder()
    try ask("PUT", "")
  }

  deinit { _ = try? ask("DELETE", "") }

  private var credentials: Credentials { address.login.map(Credentials.password) ?? .netrc(file: nil) }

  func open(_ access: CouchDBStore.Access = .writing) throws -> CouchDBStore {
    try CouchDBStore.open(
      CouchDBServer(address, credentials), access: access, finishing: false,
      environment: ["XDG_STATE_HOME": folder.path("state"), "XDG_CACHE_HOME": folder.path("cache")],
      clock: { withExtendedLifetime(self) { StoreBench.time } })
  }

  func graft(_ documents: [String]) throws {
    for document in documents {
      try ask("POST", "/_bulk_docs", #"{"new_edits":false,"docs":[\#(document)]}"#)
    }
  }

  func edit(_ document: String) throws { try ask("POST", "", document) }

  @discardableResult
  private func ask(_ method: String, _ path: String, _ body: String? = nil) throws -> CouchDBServer.Answer {
    let answer = try CouchDBServer(address, credentials).ask(
      method, address.url + path, body.map { try JSONValue(parsing: $0) })
    try #require(answer.isFine, "\(method) \(path): \(answer.status) \(answer.reason)")
    return answer
  }
}

/// So that a run shows whether the contract was played on a real server, too.
@Suite(
  "The contract on a real CouchDB", .enabled(if: RealCouchDB.url != nil, "PARLEY_COUCHDB_URL names no server")
)
struct RealCouchDBTests {
  @Test func itIsOneAndTheContractIsPlayedOnIt() throws {
    #expect(try RealCouchDB().open().info.kind.contains(/\d/))
    #expect(StoreKind.allCases.contains(.realCouchDB))
  }
}
