import Foundation
import Merging
import Testing

@testable import SQLiteDataStores
@testable import StoreInterface

/// The law: what doctor would tell of a record if nothing waited in the inbox is told by the list or by doctor.
struct ListOrDoctorTests {
  /// Every store of every story that the engine played.
  private static let stores = EngineStory.all.flatMap { story in
    story.stops.map { "\(story.name)/\($0.store)" }
  }

  @Test(.enabled(if: EngineStory.areHere, "needs ../shared/\(EngineStory.place)"), arguments: stores)
  func nothingOfAStoreOfTheEngineIsInNeither(store: String) throws {
    let folder = try TestFolder()
    try folder.copyContents(of: EngineStory.folder + "/" + store)
    #expect(try untold(folder.path("App.sqlite")).isEmpty)
  }

  @Test func nothingOfTheDemoStoreIsInNeither() throws {
    let folder = try TestFolder()
    #expect(try untold(Demo.make(in: folder)).isEmpty)
  }

  /// Only the client changed anything since the ancestor: no conflict, and the edit was never sent.
  @Test func aRecordThatTheListPassesOverIsInspected() throws {
    let bench = try DoctorBench()
    try bench.run("UPDATE reminders SET title = 'Oat milk'")
    try bench.receive(DoctorBench.sent(1, [:], times: [:], tag: "b"))
    try bench.run("UPDATE \(DoctorBench.metadata) SET userModificationTime = \(DoctorBench.now)")
    #expect(try summaries(of: bench.open()).isEmpty)
    #expect(try bench.found() == ["edit never sent: r1"])
  }

  @Test func whatIsInTheListIsNotTwiceThere() throws {
    let bench = try DoctorBench()
    try bench.run("UPDATE reminders SET title = 'Oat milk'")
    try bench.receive(
      DoctorBench.sent(1, ["title": .text("Rye milk")], times: ["title": DoctorBench.now], tag: "b"))
    #expect(try summaries(of: bench.open()).map(\.id) == ["r1:reminders"])
    #expect(try bench.found().isEmpty)
    #expect(try untold(bench.path).isEmpty)
  }

  private func untold(_ path: String) throws -> [Finding.ID] {
    let (listed, found) = try told(path)
    let files = try StoreFilesInspector(path)
    if try files.value("SELECT 1 FROM main.sqlite_master WHERE name = 'parley_inbox'") != nil {
      try files.run("DELETE FROM parley_inbox")
    }
    return try told(path).findings.filter { finding in
      !found.contains(finding) && !listed.contains("\(finding.record):\(finding.table)")
    }.map(\.id)
  }

  private func told(_ path: String) throws -> (listed: Set<String>, findings: [Finding]) {
    let store = try SQLiteDataStore.open(path: path, clock: { Demo.now })
    return (Set(try summaries(of: store).map(\.id)), try findings(of: store))
  }
}
