import CouchDBServers
import Foundation
import Merging
import Testing

@testable import CouchDBStores
@testable import StoreInterface

/// A database on a server of our own, and where Parley keeps what it keeps of it.
final class CouchDBBench: Sendable {
  let server: LoopbackCouchDB
  let database: LoopbackDatabase
  private let folder: TestFolder

  /// - Parameter documentSize: the largest document, in bytes.
  init(admin: (name: String, password: String)? = nil, documentSize: Int = 8_000_000) throws {
    server = try LoopbackCouchDB(admin: admin, documentSize: documentSize)
    database = try server.makeDatabase("shop")
    folder = try TestFolder()
  }

  deinit { server.stop() }

  var url: String { server.url + "/shop" }
  var environment: [String: String] {
    ["XDG_STATE_HOME": folder.path("state"), "XDG_CACHE_HOME": folder.path("cache")]
  }

  func open(
    _ access: CouchDBStore.Access = .writing, _ credentials: Credentials = .netrc(file: nil),
    url: String? = nil,
    signsTombstones: Bool = false, patience: CouchDBServer.Patience = CouchDBServer.Patience(),
    after seconds: Int64 = 0
  ) throws -> CouchDBStore {
    let address = try #require(ServerAddress(url ?? self.url))
    return try CouchDBStore.open(
      CouchDBServer(address, credentials, patience: patience), access: access, finishing: false,
      signsTombstones: signsTombstones, environment: environment,
      clock: { withExtendedLifetime(self) { StoreBench.time + seconds * 1_000_000_000 } })
  }
}
