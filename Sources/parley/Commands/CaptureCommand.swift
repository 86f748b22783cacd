import ArgumentParser
import ExactJSON
import StoreInterface
import Terminal

/// `parley capture PATH`: the SQL by which an app keeps its conflicts.
struct CaptureCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture", _superCommandName: Parley.name,
    abstract: "Print the SQL by which an app keeps conflicts for Parley.",
    discussion: """
      SQLiteData merges an incoming record at once and keeps nothing of it. This SQL makes five tables, and temporary \
      triggers on the tables that sync: the app runs it on its writer connection at every launch, after its SyncEngine \
      was made. From then on every merge in which the client had a change leaves a row in parley_inbox. Print it again \
      when a table changes, and when Parley does: what is to be run once is told then. Never writes to the store.

      Exits with 0.
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var print: OutputOptions

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let store = try surroundings.open(store.request(.reading))
    guard store.info.can.contains(.capture) else { throw CommandError.cannotCapture(kind: store.info.kind) }
    // SQL has to name a table exactly, and cannot where a name holds what no terminal shows.
    let capture = try store.capture { DisplayText.isSafe($0) }
    if print.json {
      try surroundings.output.print(JSON(capture))
    } else {
      for line in CaptureText.heading(capture) { try surroundings.output.print(line) }
      for statement in capture.statements { try surroundings.output.printExactly(statement) }
    }
    return .nothingLeft
  }
}

extension JSON {
  /// `{"tables":["reminders"],"skipped":[{"table":"…","reason":"…"}],"upgrade":[],"statements":["CREATE TABLE …"]}`
  init(_ capture: Capture) {
    self = JSON(members: [
      "tables": .array(capture.tables.map { .string($0) }),
      "skipped": .array(
        capture.skipped.map {
          JSON(members: ["table": .string($0.table), "reason": .string($0.reason)])
        }),
      "upgrade": .array(capture.upgrade.map { .string($0) }),
      "statements": .array(capture.statements.map { .string($0) }),
    ])
  }
}

/// The lines above the SQL, for whoever finds it in an app.
enum CaptureText {
  static func heading(_ capture: Capture) -> [String] {
    let heading = [
      "-- Keeps conflicts for Parley, in \(capture.tables.isEmpty ? "no table" : capture.tables.joined(separator: ", ")).",
      "-- Run it on the writer connection at every launch, after the SyncEngine was made; it can be run again.",
    ]
    let skipped = capture.skipped.map { "-- Not captured: \($0.table), as \($0.reason)." }
    let upgrade =
      capture.upgrade.isEmpty
      ? []
      : [
        "-- Run this once, in a migration, and not at every launch; without it what is below makes every merge that it keeps fail:"
      ] + capture.upgrade.map { "-- " + $0 }
    return heading + skipped + upgrade
  }
}
