import Merging
import Testing

@testable import CouchDBStores
@testable import StoreInterface

/// A rehearsal asks the server nothing about its function for users.
@Suite struct UserDocumentTests {
  private let bench: CouchDBBench
  private static let id = "org.couchdb.user:zoe"

  init() throws { bench = try CouchDBBench() }

  private func planned(
    in database: String, _ edits: [Subject: Choice]
  ) throws -> (store: CouchDBStore, write: PlannedWrite) {
    let members = #""name":"zoe","type":"user","roles":[]"#
    for (suffix, mail) in [("bb", "a"), ("aa", "b")] {
      try bench.server.database(database).graft(
        #"{"_id":"\#(Self.id)","_rev":"1-\#(suffix)",\#(members),"mail":"\#(mail)"}"#)
    }
    let store = try bench.open(url: bench.server.url + "/" + database)
    let choices = edits.merging([.field("mail"): .take(.client)]) { edit, _ in edit }
    return (store, try #require(try plan(Self.id, in: store, choices)))
  }

  private func note(in database: String = "_users", _ edits: [Subject: Choice] = [:]) throws -> String? {
    let (store, write) = try planned(in: database, edits)
    let checked = try store.check([write])
    #expect(checked.map(\.outcome) == [.fine])
    return try #require(checked.first).note
  }

  @Test(arguments: [
    ("type", Value.text("person"), "type has to be user"),
    ("name", .text("bob"), "name has to be what stands behind org.couchdb.user: in the document's name"),
    ("roles", .text("x"), "roles has to be a list"),
  ])
  func whatItRefusesIsToldBeforeTheWrite(field: String, value: Value, why: String) throws {
    let words = "the function that CouchDB puts into _users refuses that, unless it was changed: " + why
    #expect(try note([.field(field): .edit(value)]) == words)
  }

  @Test func whatItTakesIsToldAsEver() throws {
    #expect(try note() == nil)
  }

  @Test func noOtherDatabaseHasUsers() throws {
    #expect(try note(in: "shop", [.field("type"): .edit(.text("person"))]) == nil)
  }
}
