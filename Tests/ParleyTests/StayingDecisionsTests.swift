import StoreInterface
import Testing

@testable import parley

@Suite("What stays decided behind an undo")
struct StayingDecisionsTests {
  /// A server that is silent again once the write was taken back: only what was interrupted before could still be asked for.
  private func undo(_ options: String, failing: Bool) -> Run {
    let session = Session(store: WatchedStore([Samples.dentist, Samples.milk]))
    _ = session.run("resolve a.sqlite M2 --accept all")
    _ = session.run("write a.sqlite M2 --yes")
    if failing { session.store.fail(with: .noAnswer(path: "a.sqlite"), after: 1) }
    return session.run("undo a.sqlite --yes\(options)")
  }

  @Test(
    "is told as not known where the store cannot be read again, with the way to take it back",
    arguments: ["", " --json"])
  func unknown(options: String) {
    let run = undo(options, failing: true)
    #expect(run.status == .nothingLeft)
    #expect(
      run.errors == """
        parley: It is not known whether parley write would write this again: a.sqlite gave no answer in time. Ask again, or \
        look whether it can be reached. To take back what was decided: parley resolve a.sqlite --forget M2:reminders

        """, "\(run)")
    #expect(!run.output.contains("The decisions stay"))
    #expect(
      options.isEmpty
        ? run.output == "undone: M2:reminders  Milk\n"
        : run.output.hasSuffix(#""decisionsStay":null}"# + "\n"))
  }

  @Test("is told where it can be read, and then nothing else")
  func known() {
    let run = undo("", failing: false)
    #expect(run.errors.isEmpty && run.output.contains("The decisions stay: "), "\(run)")
  }
}
