import CouchDBServers

/// A CouchDB on loopback with a database of any size, in which every document is in conflict. It lives as long as this value.
public final class LargeCouchDB: Sendable {
  public let url: String
  public static let firstDocument = "document-1"
  private let server: LoopbackCouchDB

  public init(documents: Int) throws {
    server = try LoopbackCouchDB()
    let database = try server.makeDatabase("large")
    for number in 1...documents { try database.graft(LargeCouchDB.revisions(number)) }
    url = server.url + "/large"
  }

  deinit { server.stop() }

  private static func revisions(_ number: Int) -> [String] {
    func body(_ revision: String, _ line: [String], _ stock: Int) -> String {
      let ids = line.map { "\"\($0)\"" }.joined(separator: ",")
      return """
        {"_id":"document-\(number)","_rev":"\(revision)","_revisions":{"start":\(line.count),"ids":[\(ids)]},\
        "stock":\(stock),"title":"Document \(number) of a large database"}
        """
    }
    return [body("1-aa", ["aa"], 1), body("2-bb", ["bb", "aa"], 2), body("2-cc", ["cc", "aa"], 3)]
  }
}
