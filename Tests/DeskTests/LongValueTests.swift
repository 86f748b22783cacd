import Merging
import Terminal
import Testing

@testable import Desk

/// Values of kilobytes and megabytes: no key may wait for them. The limits are for a debug build on a slow machine; what
/// they rule out took seconds to minutes a key.
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

  /// What one key and its frame take at most, of a few.
  private func worst(_ desk: inout TestDesk, _ keys: [String]) -> Duration {
    keys.map { key in
      ContinuousClock().measure {
        desk.type(key)
        _ = desk.screen
      }
    }.max() ?? .zero
  }

  @Test func aLongPasteIsOneEditAndTypingGoesOn() throws {
    var desk = TestDesk().typing("<enter>je<c-u>")
    let pasted = Self.text(100_000)
    let paste = ContinuousClock().measure {
      desk.take(.terminal(.paste(pasted)))
      _ = desk.screen
    }
    let typing = worst(&desk, ["x", "<left>", "y", "<backspace>", "<home>", "<right>", "<delete>", "<end>"])
    #expect(paste < .seconds(1) && typing < .milliseconds(500), "\(paste), \(typing)")
    desk.type("<enter>")
    #expect(
      desk.journal.last?.choice
        == .edit(.text(String((pasted + "x").enumerated().filter { $0.offset != 1 }.map(\.element)))))
  }

  @Test(arguments: [10_000, 2_000_000]) func everyScreenOfALongValueIsQuick(bytes: Int) {
    for (columns, rows) in [(80, 24), (200, 50)] {
      var desk = Self.desk(bytes, columns: columns, rows: rows)
      let keys = worst(
        &desk,
        [
          "<enter>", "=", "j", "j", "k", "c", "<enter>", "j", "<pagedown>", "]", "m", "c", "s", "=", "e", "x",
          "<esc>", "<esc>", "<esc>", "w", "<esc>",
        ])
      #expect(keys < .seconds(1), "\(keys)")
      let editing = worst(&desk, ["e", "x", "<esc>"])
      #expect(editing < .seconds(1), "\(editing)")
    }
  }

  /// A megabyte in which every fortieth line differs is compared by lines, and no key takes long.
  @Test func changesAllOverALongTextAreQuick() {
    func text(_ word: String, _ place: Int) -> Value {
      let lines = (0..<20_000).map { line in
        "Line \(line): \(line % 40 == place ? word : "the quick brown") fox jumps over it.\n"
      }
      return .text(lines.joined())
    }
    let record = Sample.record(
      "6:reminders", title: "Long", ancestor: ["notes": text("", -1)], client: ["notes": text("mine", 1)],
      server: ["notes": text("theirs", 2)])
    for (columns, rows) in [(80, 24), (120, 40)] {
      var desk = TestDesk([record], columns: columns, rows: rows)
      let keys = worst(
        &desk, ["<enter>", "<enter>", "]", "m", "s", "]", "=", "e", "x", "<esc>", "u", "A", "<esc>"])
      #expect(keys < .seconds(10), "\(keys)")
      #expect(desk.typing("m").screen.description.contains("long: by lines"))
    }
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
    #expect(desk.state.status?.text == "2.0 MB are long for one line, so this opens $EDITOR.")
    #expect(desk.screen.description.contains("2.0 MB are long"))
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
