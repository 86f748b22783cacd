import Merging
import Terminal
import Testing

@testable import Desk

/// Values of kilobytes and megabytes. How long a key takes on them is measured by `Tests/benchmark`.
@Suite struct LongValueTests {
  private static let line = "The quick brown fox jumps over the lazy dog. Größe 買い物\n"

  private static func text(_ bytes: Int) -> String {
    String(repeating: line, count: bytes / line.utf8.count + 1)
  }

  /// The client changed a word in the middle of a long note.
  private static func desk(_ bytes: Int, columns: Int = 80, rows: Int = 24) -> TestDesk {
    let half = text(bytes / 2)
    var conflict = Sample.edit(
      "5:reminders", title: "Long", client: ["notes": .text(half + "a cat " + half)], at: Sample.now,
      server: ["notes": (.text(half + "two dogs " + half), Sample.now)])
    var row = Sample.ancestorRow
    row["title"] = .text("Long")
    row["notes"] = .text(half + "a dog " + half)
    let ancestor = RecordVersion.present(row.mapValues { FieldVersion($0, time: Sample.synced) })
    conflict = RecordConflict(
      id: conflict.id, table: conflict.table, primaryKey: "5", title: "Long", fields: Sample.fields,
      versions: ThreeWay(
        ancestor: ancestor, client: conflict.versions.client, server: conflict.versions.server))
    return TestDesk([conflict], columns: columns, rows: rows)
  }

  /// Far from each other in one text: below the list each side begins at its own.
  @Test func bothChangesAreSeenBelowTheList() {
    let pages = Self.text(2_000)
    var conflict = Sample.edit(
      "5:reminders", title: "Long", client: ["notes": .text("a cat " + pages + "a dog")], at: Sample.now,
      server: ["notes": (.text("a dog " + pages + "two geese"), Sample.now)])
    var row = Sample.ancestorRow
    row["notes"] = .text("a dog " + pages + "a dog")
    let ancestor = RecordVersion.present(row.mapValues { FieldVersion($0, time: Sample.synced) })
    conflict = RecordConflict(
      id: conflict.id, table: conflict.table, primaryKey: "5", title: "Long", fields: Sample.fields,
      versions: ThreeWay(
        ancestor: ancestor, client: conflict.versions.client, server: conflict.versions.server))
    let screen = TestDesk([conflict], columns: 120, rows: 40).screen.description
    #expect(screen.contains("a cat") && screen.contains("two geese"), "\(screen)")
  }

  @Test func aLongPasteIsOneEditAndTypingGoesOn() throws {
    var desk = TestDesk().typing("<enter>je<c-u>")
    let pasted = Self.text(100_000)
    desk.take(.terminal(.paste(pasted)))
    desk.type("x<left>y<backspace><home><right><delete><end><enter>")
    #expect(
      desk.journal.last?.choice
        == .edit(.text(String((pasted + "x").enumerated().filter { $0.offset != 1 }.map(\.element)))))
  }

  /// A note of a page and one of megabytes look alike at every key, but for the lengths that are told.
  @Test(arguments: [(80, 24), (200, 50)]) func everyScreenOfALongValueIsThatOfAShorterOne(
    columns: Int, rows: Int
  ) {
    var (short, long) = (
      Self.desk(10_000, columns: columns, rows: rows), Self.desk(500_000, columns: columns, rows: rows)
    )
    for key in ["<enter>", "j", "j", "k", "c", "<enter>", "j", "]", "s", "<esc>", "<esc>"] {
      short.type(key)
      long.type(key)
      #expect(Self.words(short.screen) == Self.words(long.screen), "\(key)")
    }
  }

  /// A screen without its numbers, which tell how much is left out.
  private static func words(_ screen: Grid) -> String {
    screen.description.filter { !$0.isNumber && !$0.isWhitespace && !".,".contains($0) }
  }

  /// Where every fortieth line differs the text is compared by lines.
  @Test func changesAllOverALongTextAreComparedByLines() {
    func text(_ word: String, _ place: Int) -> Value {
      let lines = (0..<8_000).map { line in
        "Line \(line): \(line % 40 == place ? word : "the quick brown") fox jumps over it.\n"
      }
      return .text(lines.joined())
    }
    let record = Sample.record(
      "6:reminders", title: "Long", ancestor: ["notes": text("", -1)], client: ["notes": text("mine", 1)],
      server: ["notes": text("theirs", 2)])
    let desk = TestDesk([record]).typing("<enter><enter>]ms]m")
    #expect(desk.screen.description.contains("long: by lines"))
  }

  @Test func ofALongTextIsShownWhatDiffers() {
    let desk = Self.desk(2_000_000).typing("<enter><enter>")
    let screen = desk.screen.description
    #expect(screen.contains("a cat") && screen.contains("two dogs"), "\(screen)")
    #expect(screen.contains(" lines the same"), "\(screen)")
    let all = desk.typing("=g").screen.description
    #expect(all.contains("lines the same"), "all of 2 MB is shown")
  }

  @Test func whatIsTooLongForALineOpensTheEditorAndSaysSo() {
    let desk = Self.desk(2_000_000).typing("<enter>e")
    guard case .editOutside(let scratch)? = desk.effects.last else {
      Issue.record("no editor was opened")
      return
    }
    #expect(scratch.contains("a dog"))
    #expect(desk.state.status?.text == "2.0 MB are too much for this box, so this opens $EDITOR.")
    #expect(desk.screen.description.contains("2.0 MB are too much"))
  }

  /// Cut at code points, whatever the bytes.
  @Test func anExcerptIsMadeOfWholeCharactersAndLosesNoDifference() {
    let (old, new) = ("ä" + Self.text(9_000) + "ö!", "ä" + Self.text(9_000) + "ü!")
    let excerpt = Excerpt(from: old, to: new, atMost: 1_000)
    #expect(excerpt.new.hasSuffix("ü!") && excerpt.old.hasSuffix("ö!"))
    #expect(excerpt.sameBefore + excerpt.new.utf8.count == new.utf8.count && excerpt.more == 0)
    #expect(!excerpt.new.contains("\u{FFFD}"))
    let begun = Excerpt(of: "äää", atMost: 3)
    #expect(begun.new == "ä" && begun.more == 4)
    let all = Excerpt(from: "a", to: Self.text(9_000), atMost: 1_000)
    #expect(all.new.utf8.count <= 1_000 && all.more + all.new.utf8.count == Self.text(9_000).utf8.count)
  }
}
