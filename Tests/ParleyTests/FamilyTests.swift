import Foundation
import Merging
import Testing

@testable import parley

/// A parent is decided with its children.
@Suite("resolve --family") struct FamilyTests {
  @Test("decides the record, its parents and all children in conflict, and tells why each belongs")
  func family() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let rehearse = ["--accept", "all", "--dry-run", "--json"]
      let alone = try Live.run(["resolve", path, "Groceries"] + rehearse).objects()
      let run = Live.run(["resolve", path, "Groceries", "--family"] + rehearse)
      let ids = try run.objects().compactMap { $0["id"] as? String }
      #expect(alone.count == 1 && ids.count > 2 && Set(ids).count == ids.count)
      #expect(ids.first?.hasSuffix(":remindersLists") == true)
      let words = Live.run("resolve", path, "Groceries", "--family", "--accept", "all").output
      #expect(words.contains("its remindersListID points to Groceries"), "\(words)")
      let child = try #require(ids.last { $0.hasSuffix(":reminders") })
      let ofChild = Live.run(["resolve", path, child, "--family"] + rehearse)
      #expect(try Set(ofChild.objects().compactMap { $0["id"] as? String }) == Set(ids))
      #expect(Live.run("resolve", path, "--family", "--accept", "all").status == .usage)
    }
  }

  @Test("tells where one would stay and point to one that goes, and keeps the decisions")
  func contradiction() {
    let session = Session([Self.list, Self.reminder])
    _ = session.run("resolve a.sqlite L1 --set record=client")
    let run = session.run("resolve a.sqlite L1 --family --accept all")
    let words = "Garden goes, and Roses stays and would point to nothing (list)."
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.output.contains("child Roses: its list points to Garden"), "\(run.output)")
    #expect(session.store.decisions.count == 2 && run.status == .nothingLeft)
    _ = session.run("resolve a.sqlite L1 --set record=server")
    #expect(session.run("resolve a.sqlite R1 --family --accept all").errors.isEmpty)
  }

  @Test("says so where no record points to another")
  func none() {
    let run = Session().run("resolve a.sqlite D1 --family --accept all")
    #expect(run.status == .usage && run.errors.contains("do not point to each other"), "\(run.errors)")
  }

  private func linear(_ answers: [String], _ session: Session) -> Run {
    var session = session
    session.input = answers.map { $0 + "\n" }.joined()
    return session.run("a.sqlite --plain")
  }

  @Test("is what F does line by line: one answer decides all that is open, and one takes it back")
  func line() {
    let session = Session([Self.list, Self.reminder])
    let run = linear(["F", "c", "no", "F", "c", "yes", "q"], session)
    #expect(run.output.contains("2 records belong together, 2 of them with something to decide.\n"))
    #expect(run.output.contains("Child Roses: its list points to Garden.\n"), "\(run.output)")
    #expect(run.output.contains("Garden gives up name of the server: Yard.\n"), "\(run.output)")
    #expect(run.output.contains("Beware: Garden goes, and Roses stays and would point to nothing (list)."))
    #expect(run.output.contains("Nothing was changed.\n"))
    #expect(run.output.contains("Garden: decided.\nRoses: decided.\nu takes all of it back.\n"))
    #expect(session.store.decisions.map(\.choice) == [.take(.client), .take(.client)])
    let back = linear(["F", "s", "yes", "u", "q"], Session([Self.list, Self.reminder]))
    #expect(
      back.output.contains("Taken back: record of Garden.\nTaken back: notes of Roses.\n"), "\(back.output)")
    #expect(back.output.contains("0 drafts are ready") == false && back.status == .left)
    let alone = linear(["F"], Session([Self.reminder]))
    #expect(
      alone.output.contains("It points to no row in conflict, and none points to it."), "\(alone.output)")
  }

  @Test("keeps all of that at one time, by which u finds it whole in the next session")
  func oneTime() {
    let ticks = Ticks()
    var session = Session([Self.list, Self.reminder])
    session.clock = { ticks.next() }
    _ = linear(["F", "c", "yes", "q"], session)
    #expect(session.store.decisions.count == 2)
    #expect(Set(session.store.decisions.map(\.decidedAt)).count == 1)
  }

  private static let list = RecordConflict(
    id: "L1:lists", table: "lists", primaryKey: "L1", title: "Garden", fields: [Field("name", kind: .text)],
    versions: ThreeWay(
      ancestor: .present(["name": text("Garden", 0)]), client: .deleted(time: Samples.time(1)),
      server: .present(["name": text("Yard", 2)])))

  private static let reminder = RecordConflict(
    id: "R1:reminders", table: "reminders", primaryKey: "R1", title: "Roses",
    fields: [Field("list", kind: .text, referencedTable: "lists"), Field("notes", kind: .text)],
    versions: ThreeWay(
      ancestor: .present(["list": text("L1", 0), "notes": text("", 0)]),
      client: .present(["list": text("L1", 0), "notes": text("Red ones", 1)]),
      server: .present(["list": text("L1", 0), "notes": text("", 0)])))

  private static func text(_ text: String, _ seconds: Int64) -> FieldVersion<Value> {
    FieldVersion(.text(text), time: Samples.time(seconds))
  }
}
