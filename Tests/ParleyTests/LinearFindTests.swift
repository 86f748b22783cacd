import Merging
import StoreInterface
import Testing

@testable import parley

@Suite("/ in --plain")
struct LinearFindTests {
  private let session = Session([Samples.dentist, Samples.milk, Samples.invoice])

  private func told(_ answers: String...) -> String {
    var session = session
    session.input = (answers + ["q"]).map { $0 + "\n" }.joined()
    return session.run("a.sqlite --plain").output
  }

  /// The titles of the records in the order they were asked about.
  private func asked(_ told: String) -> [String] {
    told.matches(of: /Record [0-9] of [0-9]\. reminders, (.*?)\. [0-9A-Z]/).map { String($0.1) }
  }

  @Test("a record is found by the words of the list's filter, and those passed over come at the end")
  func found() {
    let told = told("/ invoice", "n", "N", "n")
    #expect(told.contains("One record has “invoice”.\n\nRecord 3 of 3. reminders, Old invoice."), "\(told)")
    #expect(asked(told) == ["Call dentist", "Old invoice", "Call dentist", "Milk"], "\(told)")
    #expect(told.contains("3 are left open, and were skipped."), "\(told)")
    for words in ["/kind:deleted", "find is:decide field:title invo", "  /  id:I3"] {
      #expect(asked(self.told(words)) == ["Call dentist", "Old invoice"], "\(words)")
    }
  }

  @Test(
    "/ alone goes on to the next that has the words, past the last to the first, and asks for words where there were none"
  )
  func next() {
    let told = told("/", "table:rem", "/", "/", "/")
    #expect(
      told.contains("The words to find; Enter leaves it:\n3 records have “table:rem”. Number 2; / goes"))
    #expect(asked(told) == ["Call dentist", "Milk", "Old invoice", "Call dentist", "Milk"], "\(told)")
    #expect(self.told("/", "", "c").contains("Decided: weight, client taken"))
  }

  @Test("b goes back to where it was looked for, and what is found is to be skipped as ever")
  func back() {
    let told = told("c", "/ milk", "b", "s")
    #expect(
      asked(told) == ["Call dentist", "Milk", "Call dentist"] && told.contains("Decided: title, server taken")
    )
  }

  @Test("what was decided is found and asked about again, field by field")
  func decided() {
    let told = told("c", "", "", "/ dentist", "t", "c", "", "/dentist", "N")
    #expect(
      asked(told) == ["Call dentist", "Milk", "Call dentist", "Milk", "Call dentist", "Milk"], "\(told)")
    let again = told.components(separatedBy: "One record has “dentist”.").dropFirst().first ?? ""
    #expect(again.contains("Decided so far: client taken, 2.0.\n"), "\(told)")
    #expect(again.contains("That is decided already.\nField title."), "\(told)")
    #expect(again.contains("Decided: title, client taken: Call dentist today."), "\(told)")
  }

  @Test(
    "where nothing has them, that is told, and the question stays",
    arguments: [
      ("/ zzz", "No record in conflict has “zzz”.\n"), ("/ dentist", "Only this record has “dentist”.\n"),
      (
        "/ is:wrong", "There is no is:wrong; after is: goes decide, clock, sure, ready, waiting or refused.\n"
      ),
    ])
  func nothing(answer: String, words: String) {
    let told = told(answer, "c")
    #expect(told.contains(words + "Decided: weight, client taken: 2.0.\n"), "\(told)")
  }
}
