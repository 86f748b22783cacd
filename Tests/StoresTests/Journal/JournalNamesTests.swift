import Testing

@testable import Journals

/// Which records the journal has anything of.
@Suite struct JournalNamesTests {
  let folder: TestFolder
  let journal: Journal

  init() throws {
    folder = try TestFolder()
    journal = Journal(path: folder.path("names.parley.sqlite"), clock: { Demo.now })
  }

  private func end(_ record: String) throws {
    var intent = journal.intent(undoes: nil, note: nil)
    let kept = Payload(kind: "import", bytes: [1])
    try intent.append(RecordIntent(id: record, title: record, payload: nil, kept: kept))
    try journal.append([Receipt(record, .written)], of: try #require(try intent.flush()))
  }

  @Test func ofWhatWasNeverWrittenThereIsNothing() throws {
    #expect(try !journal.names(among: ["a"]).hasEnded("a"))
    try end("a")
    let names = try journal.names(among: ["a", "b"])
    #expect(names.hasEnded("a") && names.isKept("a"))
    #expect(!names.hasEnded("b") && !names.isKept("b"))
  }

  @Test func ofWhatWasNotAskedForThereMayBeAnything() throws {
    try end("c")
    let names = try journal.names(among: ["a"])
    #expect(names.hasEnded("b") && names.isKept("b"))
  }

  @Test func ofAJournalThatHasNothingNobodyIsAskedFor() throws {
    let names = try journal.names(among: ["a"])
    #expect(!names.hasEnded("b") && !names.isKept("b"))
  }

  @Test func allOfManyAreAskedFor() throws {
    try end("1500")
    let names = try journal.names(among: (0..<2000).map(String.init))
    #expect((0..<2000).filter { names.hasEnded(String($0)) } == [1500])
  }
}
