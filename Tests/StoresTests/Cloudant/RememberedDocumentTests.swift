import Merging
import Testing

@testable import CloudantStores
@testable import Samples
@testable import StoreInterface

/// What was made of a document before counts only as long as every byte of it is there.
@Suite struct RememberedDocumentTests {
  private static let changes = [
    "UPDATE revs SET json = CAST('{\"a\":1,\"b\":3}' AS BLOB) WHERE revid = '2-q'",
    "UPDATE revs SET json = NULL WHERE revid = '1-x'",
    "UPDATE revs SET revid = '2-r' WHERE revid = '2-q'",
    "UPDATE revs SET parent = NULL WHERE revid = '2-p'",
  ]

  @Test(arguments: changes) func whatChangedIsMadeAnew(sql: String) throws {
    let datastore = try Datastore([("milk", DocumentWriteTests.milk)])
    let store = try datastore.open()
    let before = try store.conflict("milk")
    #expect(try store.conflict("milk") == before)
    try datastore.sql(sql)
    let after = try store.conflict("milk")
    #expect(after != before)
    #expect(try after == datastore.open().conflict("milk"))
  }

  @Test(arguments: changes) func whatChangedIsNotWrittenAsItWas(sql: String) throws {
    let datastore = try Datastore([("milk", DocumentWriteTests.milk)])
    let store = try datastore.open()
    let seen = try store.conflict("milk")
    let draft = try #require(seen.draft(seen.accepting(.yours, in: Resolution())))
    try datastore.sql(sql)
    let written = try store.write([PlannedWrite(seen: seen, draft: draft)], note: nil)
    #expect(written.allSatisfy { if case .moved = $0.outcome { true } else { false } })
  }

  @Test func otherRulesMakeAnotherConflict() throws {
    let store = try Datastore([("milk", DocumentWriteTests.milk)]).open()
    let before = try store.conflict("milk")
    var rules = before.rules
    rules.margin += 1
    store.ruleBook.use(rules)
    #expect(try store.conflict("milk").rules.margin == rules.margin)
  }
}
