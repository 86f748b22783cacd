import CouchDBServers
import Foundation
import Merging
import RevisionTrees
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

extension CouchDBBench {
  /// A document with a text, as a replicator sends one that another server has packed: here the same text would have another digest.
  func sendPacked(_ text: String, as name: String, of members: String, to path: String) throws {
    var packed = Gzip.packed(Array(text.utf8))
    packed[4] = 1  // The time at which it was packed.
    let (length, packedLength) = (text.utf8.count, packed.count)
    let told =
      #"{"content_type":"text/plain","follows":true,"length":\#(length),"encoding":"gzip","encoded_length":\#(packedLength)}"#
    let head = "--cut\r\n\r\n" + #"{\#(members),"_attachments":{"\#(name)":\#(told)}}"# + "\r\n--cut\r\n\r\n"
    let answer = try LoopbackClient(server.url).ask(
      "PUT", "/shop/" + path, headers: ["Content-Type": "multipart/related; boundary=cut"],
      body: Array(head.utf8) + packed + Array("\r\n--cut--".utf8))
    #expect(answer.status == 201)
  }
}
