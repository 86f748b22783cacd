import Merging
import StoreInterface
import Testing

@testable import parley

@Suite("--plain, asked about what was decided before")
struct LinearAgainTests: AnsweredInLines {
  private let invoice = Samples.invoice.withWays

  @Test("a record that was decided as a whole is asked about by its fields again when that is taken back")
  func wholeAgain() {
    let session = Session([Samples.dentist.withWays])
    let run = run(["o", "2", "u", "c", "b", "s", "q"], session)
    let again = run.output.components(separatedBy: "Taken back: record of Call dentist.\n").last ?? ""
    let asked = again.split(separator: "\n").dropFirst().first ?? ""
    #expect(asked.hasPrefix("Field weight. Ancestor: 1.0."), "\(run.output)")
    #expect(
      !again.contains("decided as a whole") && again.contains("Decided: weight, server taken"), "\(again)")
  }

  @Test(
    "what was decided about a field that is no more in conflict is asked about, and not counted and passed over"
  )
  func lookAgain() throws {
    func milk(_ client: String, _ server: String) -> RecordConflict {
      Samples.edited(
        "M2", title: "Milk", ancestor: ["title": .text("Milk"), "priority": .integer(1)],
        client: ["title": .text(client), "priority": .integer(1)],
        server: ["title": (.text(server), 60), "priority": (.integer(2), 60)])
    }
    let seen = milk("Oat milk", "Soy milk")
    let choices: [Subject: Choice] = [
      .field("title"): .edit(.text("typed")), .field("priority"): .take(.server),
    ]
    let session = Session([milk("Milk", "Milk")])
    try session.store.journal.append(
      seen.decisions(about: seen.subjects, in: Resolution(choices: choices), at: 1))
    let told = run(["c", "q"], session).output
    #expect(told.contains("What was decided about title no longer holds"), "\(told)")
    #expect(told.contains("Record 1 of 1. reminders, Milk. To look at again."), "\(told)")
    #expect(told.contains("Field title.") && told.contains("Decided: title, client taken"), "\(told)")
    #expect(try session.run("list a.sqlite --json").objects().map { $0["state"] as? String } == ["ready"])
  }

  @Test("Enter takes no suggestion over what is decided otherwise; the letter does")
  func enterOnADecision() {
    let session = Session([Samples.dentist])
    let told = run(["c", "c", "h", "", "h", "t", "q"], session).output
    let asked =
      "Decided so far: client taken, Call dentist today.\nSuggestion: server newer by 5m 00s. t takes server.\n"
      + "Choose c client, s server, a ancestor, e edit, m merge its changes, t for the suggestion, "
      + "Enter leaves it so, n skip, ? help:\nThat is decided already.\n"
    #expect(told.contains(asked), "\(told)")
    #expect(told.contains("Decided: title, server taken: Call Dr. Wu."), "\(told)")
    let kept = Session([Samples.dentist])
    _ = run(["c", "c", "h", "", "q"], kept)
    #expect(kept.store.decisions.map(\.choice) == [.take(.client), .take(.client)])
    #expect(self.told(after: ["c", "c", "h"], Session([Samples.dentist])).contains("Enter"))
  }

  @Test("what was decided by clock at once is asked again singly, with both values, when it is taken back")
  func byClockAgain() {
    let run = run(["c", "A", "u", "", "u", "q"], Session([Samples.dentist]))
    let back = "Taken back: priority, title of Call dentist.\n"
    let again = run.output.components(separatedBy: back).last ?? ""
    #expect(again.contains("Field title. Ancestor: Call dentist. Client, "), "\(run.output)")
    #expect(!run.output.contains("fields are sure"))
    #expect(run.output.components(separatedBy: "Field title.").count == 4, "\(run.output)")
  }

  @Test("several fields are sure together only while each of them is")
  func sureNoMore() {
    let sure = Samples.edited(
      "S1", title: "Sure", ancestor: ["title": .text("old"), "priority": .integer(1)], client: [:],
      server: ["title": (.text("new"), 11_340), "priority": (.integer(2), 11_340)])
    let moved = Samples.edited(
      "S1", title: "Sure", ancestor: ["title": .text("old"), "priority": .integer(1)],
      client: ["title": .text("mine")],
      server: ["title": (.text("new"), 11_340), "priority": (.integer(2), 11_340)])
    var session = Session([sure])
    let store = session.store
    var answers = ["", "q"]
    session.reader = LineReader {
      if answers.count == 2 { store.replace(moved) }
      return answers.isEmpty ? [] : Array((answers.removeFirst() + "\n").utf8)
    }
    let told = session.run("a.sqlite --plain").output
    #expect(told.contains("2 fields are sure.") && told.contains("It has changed since"), "\(told)")
    #expect(told.components(separatedBy: "fields are sure").count == 2, "\(told)")
    #expect(told.contains("Field title. Ancestor: old. Client"), "\(told)")
  }

  @Test("what a write refused is asked again in a later session, and stays until it is decided otherwise")
  func refusedByWrite() {
    let no = CheckedWrite.Outcome.refused(field: "priority", "a priority is at most 1")
    let session = Session(store: WatchedStore([Samples.milk], outcomes: ["M2:reminders": no]))
    _ = run(["", "w", "q"], session)
    let again = run(["", "t", "s", "c", "q"], session).output
    #expect(
      again.contains("Decided so far: server taken, 2; the store refused it: a priority is at most 1.\n"),
      "\(again)")
    let words =
      "That is decided already, and not written: the store refused it: a priority is at most 1. "
      + "Decide it otherwise, or n leaves it.\n"
    #expect(again.contains(words + words + words + "Decided: priority, client taken: 1.\n"), "\(again)")
    #expect(again.contains("reminders, Milk. All is decided, and not written.\n"))
  }

  @Test("so does a record that was decided as a whole")
  func refusedWhole() {
    let no = CheckedWrite.Outcome.refused(field: nil, "another record points to it")
    let session = Session(store: WatchedStore([invoice], outcomes: ["I3:reminders": no]))
    _ = run(["2", "w", "q"], session)
    let again = run(["2", "1", "q"], session).output
    #expect(
      again.contains("Decided so far: delete it; the store refused it: another record points to it.\n"),
      "\(again)")
    #expect(
      again.contains("That is decided already, and not written: ")
        && again.contains("Decided: keep the edit"),
      "\(again)")
  }

  @Test("A record that was ready when the records were read is counted once it is asked about again")
  func countedAgain() {
    var session = Session([Samples.milk, Samples.dentist])
    _ = run(["", "q"], session)
    session.now += 60 * 1_000_000_000
    let told = run(["u", "q"], session).output
    #expect(
      told.contains("1 record is open: 1 to decide.")
        && told.contains("Record 1 of 1. reminders, Call dentist."),
      "\(told)")
    #expect(told.contains("Record 1 of 2. reminders, Milk."), "\(told)")
  }

  @Test("of a record that was decided as a whole each field says so, and Enter leaves it so")
  func fieldsOfAWhole() {
    let session = Session([Samples.dentist.withWays])
    let told = run(["o", "2", "h", "", "q"], session).output
    let asked =
      "All is decided.\nField weight. Ancestor: 1.0. Client, TIME: 2.0. Server, TIME: 4.0.\n"
      + "Decided so far: take the server's record.\nTo decide by you: same time. t takes client.\n"
      + "Choose c client, s server, a ancestor, e edit, t for the suggestion, Enter leaves it so, n skip, ? help:\n"
      + "That is decided already.\n"
    let timeless = told.replacing(/[0-9:]{8}/, with: "TIME").replacing(
      /2026-11-20 TIME|[A-Z][a-z]{2} TIME/, with: "TIME")
    #expect(timeless.contains(asked), "\(timeless)")
    #expect(session.store.decisions.map(\.choice) == [.alternative("server")])
    #expect(self.told(after: ["o", "2", "h"], Session([Samples.dentist.withWays])).first == "Enter")
  }

  @Test("so do those that are sure together")
  func sureFieldsOfAWhole() {
    let sure = Samples.edited(
      "S1", title: "Sure", ancestor: ["title": .text("old"), "priority": .integer(1)], client: [:],
      server: ["title": (.text("new"), 11_340), "priority": (.integer(2), 11_340)])
    let session = Session([sure.withWays])
    let told = run(["o", "1", "h", "", "q"], session).output
    #expect(
      told.contains(
        "Decided so far: take the client's record.\n"
          + "t takes them all, Enter leaves it so, f asks one by one, n skip, ? help:\nThat is decided already.\n"
      ),
      "\(told)")
    #expect(session.store.decisions.map(\.choice) == [.alternative("client")])
  }

  private static let many = (0..<12).map { number in
    Samples.edited(
      "M\(number)", title: "Milk \(number)", ancestor: ["priority": .integer(1)],
      client: ["priority": .integer(1)], server: ["priority": (.integer(2), 60)])
  }

  /// As after an earlier session in which all of them were decided at once.
  private func decidedAtOnce(_ records: [RecordConflict]) throws -> Session {
    var session = Session(records)
    let (taken, now) = (Resolution(choices: [.field("priority"): .take(.server)]), session.now)
    try session.store.journal.append(
      records.flatMap { $0.decisions(about: [.field("priority")], in: taken, at: now) })
    session.now += 60 * 1_000_000_000
    return session
  }

  @Test("what another desk decided at once of many records is taken back at once, and told by their number")
  func manyAgain() throws {
    let session = try decidedAtOnce(Self.many)
    let told = run(["u", "yes", "q"], session).output
    #expect(told.contains("Taken back: what was decided at once of 12 records, decided "), "\(told)")
    #expect(told.contains("Record 1 of 12."), "\(told)")
    #expect(session.store.decisions.allSatisfy { $0.choice == nil })
  }

  @Test("how many drafts follow is told where they are many", arguments: [(12, true), (2, false)])
  func manyDrafts(count: Int, isTold: Bool) throws {
    let told = run(["w", "no", "q"], try decidedAtOnce(Array(Self.many.prefix(count)))).output
    #expect(told.contains("\n12 drafts follow.\nDraft 1. ") == isTold, "\(told)")
    #expect(told.contains("Draft \(count)."), "\(told)")
  }

  @Test(
    "before that it is asked about, by their number and time, or by their titles",
    arguments: [(12, ""), (2, ": Milk 0, Milk 1")])
  func askedBefore(count: Int, titles: String) throws {
    let session = try decidedAtOnce(Array(Self.many.prefix(count)))
    let told = run(["u", "no", "q"], session).output
    #expect(told.contains("The last decision was of \(count) records at once, made "), "\(told)")
    #expect(told.contains(" in an earlier session\(titles).\nOnce it is taken back, no answer"), "\(told)")
    #expect(told.contains("Type yes, or Y, to take it back; anything else leaves all as it is:"), "\(told)")
    #expect(told.contains("Nothing was changed.") && !told.contains("Taken back"), "\(told)")
    #expect(session.store.decisions.count == count && session.store.decisions.allSatisfy { $0.choice != nil })
  }
}
