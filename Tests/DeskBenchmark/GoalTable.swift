import Foundation

/// What was measured against what is promised, told as it comes and once more as a table at the end.
struct GoalTable {
  private struct Row {
    let what: String
    let measured: String
    let goal: String
    let isMet: Bool
  }

  private var rows: [Row] = []

  var isKept: Bool { rows.allSatisfy(\.isMet) }

  mutating func expect(_ what: String, _ value: Double, _ unit: String = "", atMost bar: Double) {
    let row = Row(
      what: what, measured: value.text + unit, goal: bar.text + unit, isMet: value <= bar && !value.isNaN)
    rows.append(row)
    say("  \(what): \(row.measured), promised at most \(row.goal) \(row.isMet ? "✓" : "✗")")
  }

  func tell() {
    say("\n| what | measured | promised | |\n|---|---|---|---|")
    for row in rows {
      say("| \(row.what) | \(row.measured) | \(row.goal) | \(row.isMet ? "kept" : "missed") |")
    }
    let missed = rows.count { !$0.isMet }
    say(missed == 0 ? "\nAll \(rows.count) are kept." : "\n\(missed) of \(rows.count) are missed.")
  }
}
