import Desk
import Merging
import SQLiteDataStores
import StoreInterface
import Testing

@testable import parley

@Suite struct DraftTextTests {
  /// The engine has taken the server's meanwhile, so to keep what was there before is a change.
  @Test func whatIsThereIsWhatTheRowHasByNow() throws {
    try withTemporaryFolder { folder in
      let store = try SQLiteDataStore.open(path: SampleStores.make(in: folder + "/demo"))
      var conflict = try store.conflict("5eed0000-0000-4000-8000-000000000012:reminders")
      let kept = conflict["title"]?.client?.value ?? .null
      func lines(_ row: Value) -> [String] {
        conflict.details.mergedRow = ["title": row]
        let decided = DecidedConflict(conflict, conflict.taking(.client, in: Resolution()))
        return DraftText(decided: decided, record: "row").lines(width: nil)
      }
      #expect(
        lines(.text("Milk 3%")).contains("  title: Milk 3% → Milk 2%  (client)"), "\(lines(.text("Milk 3%")))"
      )
      #expect(!lines(kept).contains { $0.hasPrefix("  title:") }, "\(lines(kept))")
    }
  }

  /// Behind what comes its origin stands, which leaves that less room than what is there has: it began like that, and was cut before the two
  /// differ. Where it has next to none the origin stands below.
  @Test(arguments: [
    (34, ["  a: …about the wisdom tooth", "    → …tomorrow ab›  (from leaf 3)"]),
    (24, ["  a: …about the wisdom ›", "    → …tomorrow about t›", "      (from leaf 3)"]),
  ])
  func whatComesIsCutSoThatItIsSeenWhereItDiffers(width: Int, lines: [String]) {
    let texts = (
      old: "Call the dentist about the wisdom tooth", new: "Call the dentist tomorrow about the tooth"
    )
    let line = ChangeLine(
      head: "  a: ", values: (.text(texts.old), .text(texts.new)), texts: texts, told: texts,
      end: "  (from leaf 3)")
    #expect(line.lines(width: width) == lines)
  }

  /// A line has room for 40 columns, or for what is named.
  @Test(arguments: [
    ("1", "Call the dentist about the wisdom tooth", 40, ["  a: 1 → Call the dentist about the wis›"]),
    ("Call the dentist about the wisdom tooth", "1", 40, ["  a: Call the dentist about the wis› → 1"]),
    (
      "Call the dentist about the tooth today", "Call the dentist about the tooth tomorrow", 40,
      ["  a: …today → …tomorrow"]
    ),
    ("Call the dentist", "Call Dr. Wu", 40, ["  a: Call the dentist → Call Dr. Wu"]),
    (
      "Call the dentist about the wisdom", "Call the dentist about the tooth", 24,
      ["  a: …the wisdom", "    → …the tooth"]
    ),
    // Letters that look alike are told behind them.
    (
      "Call the dentist about the wisdom tooth at the caf\u{E9}",
      "Call the dentist about the wisdom tooth at the cafe\u{301}", 80,
      ["  a: …caf\u{E9} (U+00E9) → …cafe\u{301} (U+0065 U+0301)"]
    ),
  ])
  func bothHaveAShareOfALine(old: String, new: String, width: Int, lines: [String]) {
    let texts = (old: old, new: new)
    let values: (old: Value?, new: Value?) = (.text(old), .text(new))
    let told = UnseenDifference.telling(texts, of: values.old, values.new)
    let line = ChangeLine(head: "  a: ", values: values, texts: texts, told: told)
    #expect(line.lines(width: width) == lines)
    #expect(line.lines(width: nil) == ["  a: \(told.old) → \(told.new)"])
  }
}
