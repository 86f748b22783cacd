import Desk
import Testing

@testable import parley

@Suite("parley help --man") struct ManualPageTests {
  let run = Session().run("help --man")

  @Test("It tells of every command, key and exit status")
  func everything() {
    #expect(run.status == .nothingLeft && run.errors.isEmpty)
    #expect(run.lines.first?.hasPrefix(".TH PARLEY 1 ") == true)
    for name in Parley.commandNames { #expect(run.lines.contains(".SS " + name)) }
    let words = run.lines.map { $0.replacing("\\-", with: "-") }
    for binding in Keymap.bindings {
      #expect(words.contains { $0.hasSuffix("  " + binding.label) }, "\(binding.label)")
    }
    for status in Status.allCases { #expect(words.contains(status.words), "\(status)") }
  }

  @Test("An option stands under its command, with its values")
  func options() throws {
    let start = try #require(run.lines.firstIndex(of: ".SS list"))
    let section = run.lines[(start + 1)...].prefix { !$0.hasPrefix(".SS") }
    let tie = try #require(section.firstIndex(of: "\\fB\\-\\-tie <tie>\\fR"))
    #expect(section[tie - 1] == ".TP" && section[tie + 1].hasSuffix("client or server."))
    #expect(run.lines.contains("\\fB\\-\\-outbox, \\-\\-direct\\fR"))
    #expect(!section.contains { $0.contains("\\-\\-version") })
  }

  @Test("The rows of a table stay rows, and what goes on below itself stays there")
  func tables() throws {
    let first = try #require(run.lines.firstIndex { $0.hasPrefix("  milk ") })
    let table = run.lines[first...].prefix { $0 != ".fi" }
    #expect(run.lines[first - 1] == ".nf")
    #expect(table.count == 12 && table.allSatisfy { $0.hasPrefix("  ") }, "\(table)")
    #expect(table.contains { $0.hasPrefix("  age:<2h ") }, "\(table)")
    let stories = try #require(run.lines.firstIndex { $0.hasPrefix("  lifecycle, creation, ") })
    #expect(run.lines[stories - 1] == ".nf" && run.lines[stories + 1].hasPrefix("  "))
  }

  @Test("It is roff: no request is unknown, and no text is taken for one")
  func requests() {
    let known: Set = [".TH", ".SH", ".SS", ".PP", ".TP", ".br", ".nf", ".fi", ".nh", ".ad"]
    for line in run.lines {
      #expect(!line.hasPrefix("'"), "\(line)")
      if line.hasPrefix(".") { #expect(known.contains(String(line.prefix(3))), "\(line)") }
    }
    #expect(run.lines.filter { $0 == ".nf" }.count == run.lines.filter { $0 == ".fi" }.count)
  }
}
