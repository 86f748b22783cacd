import Terminal
import Testing

@testable import Desk

/// A keymap of one's own.
@Suite struct OwnKeysTests {
  private func keys(_ lines: (String, String, [String])...) throws -> OwnKeys {
    try OwnKeys(lines.map { OwnKeys.Entry(screen: $0.0, command: $0.1, keys: $0.2) })
  }

  private func refusal(_ lines: (String, String, [String])...) -> String? {
    do {
      _ = try OwnKeys(lines.map { OwnKeys.Entry(screen: $0.0, command: $0.1, keys: $0.2) })
      return nil
    } catch { return error.description }
  }

  @Test func everyCommandOfAScreenHasANameOfItsOwn() {
    for topic in Keymap.screens {
      let commands = Set(Keymap.bindings(on: topic).map(\.command))
      let names = Set(commands.map(\.name))
      #expect(names.count == commands.count && !names.contains(""), "\(topic)")
    }
    #expect(Command.record(.nextToDecide).name == "next to decide")
    #expect(Command.drafts(.showSQL).name == "show sql" && Command.drafts(.showJSON).name == "show json")
    #expect(Command.take(.client).name == "take client" && Command.story(.whatIf(2)).name == "what if 2")
  }

  @Test func everyKeyIsFoundByItsName() {
    for key in Set(Keymap.bindings.flatMap(\.keys)) { #expect(Key(named: key.name) == key, "\(key)") }
    #expect(Key(named: "nothing") == nil && Key(named: "") == nil)
  }

  @Test func aKeyIsGivenToACommandAndToldEverywhere() throws {
    var desk = TestDesk()
    desk.state.keys = try keys(("List", "review", ["F12"]), ("record", "take server", ["z", "5"]))
    #expect(desk.typing("<f12>").state.status == TestDesk().typing("w").state.status)
    #expect(desk.typing("<enter>z").journal.map(\.choice) == [.take(.server)])
    #expect(desk.typing("<enter>s").journal.map(\.choice) == [.take(.server)], "the old one holds, too")
    #expect(desk.typing("<enter>").screen.description.contains("z server"))
    #expect(desk.typing("<enter>?").screen.description.contains("take server"))
    #expect(desk.typing(":review and").screen.description.contains("F12"))
  }

  @Test func aKeyThatIsGivenIsNoOtherCommandsThere() throws {
    var desk = TestDesk()
    desk.state.keys = try keys(("list", "history", ["u"]))
    #expect(desk.typing("u").state.topic == .walkthrough)
    #expect(desk.state.keys.bindings(on: .list).first { $0.command == .undo }?.keys == [.function(8)])
    #expect(desk.state.keys.bindings(on: .record).first { $0.command == .undo }?.keys == ["u", .function(8)])
  }

  /// At the start, and in the help of its screen.
  @Test func aKeyThatACommandLostIsToldInTheDesk() throws {
    var desk = TestDesk()
    #expect(desk.state.keys.notice == nil)
    desk.state.keys = try keys(("list", "history", ["u"]))
    #expect(
      desk.state.keys.notice == "On the screen List “u” is “history” now, and no longer “undo”.")
    #expect(desk.typing("?undo").screen.description.contains("history, not undo"), "\(desk.screen)")
    #expect(!desk.typing("<enter>?undo").screen.description.contains("history, not undo"))
    desk.state.keys = try keys(("list", "history", ["u"]), ("record", "undo", ["n"]))
    #expect(
      desk.state.keys.notice
        == "By your settings 2 keys are other commands' than usual (List, Record): ? tells which.")
  }

  @Test func whatCannotBeIsRefusedWithTheReason() {
    for (key, other) in [
      ("Ctrl-H", "Backspace"), ("Ctrl-I", "Tab"), ("Ctrl-J", "Enter"), ("Ctrl-M", "Enter"),
    ] {
      #expect(
        refusal(("list", "undo", [key])) == "\(key) is \(other) to a terminal: no program can tell them apart"
      )
    }
    #expect(
      refusal(("bulk", "confirm", ["B"])) == "“confirm” has Y alone there, and no other command has Y")
    #expect(
      refusal(("review", "mark", ["z"]))?.hasPrefix("there is no command “mark” of Review to give") == true)
    #expect(
      refusal(("input", "back", ["z"])) == "the keys of Input are fixed: they are those of a line of text")
    #expect(refusal(("shelf", "undo", ["z"]))?.hasPrefix("there is no screen “shelf”: list, record,") == true)
    #expect(
      refusal(("list", "fly", ["z"]))
        == "there is no command “fly” of List to give a key: parley keys tells their names")
    #expect(
      refusal(("list", "umdo", ["z"]))
        == "there is no command “umdo” of List to give a key. Did you mean “undo”? parley keys tells their names"
    )
    #expect(refusal(("list", "undo", ["zz"])) == "there is no key “zz”: parley keys tells their names")
    #expect(refusal(("list", "undo", ["z"]), ("list", "redo", ["z"])) == "z is given to “undo” already")
    #expect(refusal(("list", "undo", ["U"])) == Self.leavesNone)
    #expect(refusal(("review", "confirm", ["z"]))?.hasPrefix("“confirm” has Y alone there") == true)
    #expect(refusal(("list", "undo", ["U"]), ("list", "redo", ["u"])) == nil, "they change places")
  }

  /// Who presses it once too often behind a review has decided nothing by that.
  @Test func theKeyThatWritesIsNoOtherCommandsOnAnyScreen() {
    let words = "Y is “confirm”, and nothing else on any screen"
    for (screen, command) in [("review", "note"), ("list", "accept"), ("record", "accept")] {
      #expect(refusal((screen, command, ["Y"])) == words, "\(screen)")
    }
  }

  private static let leavesNone =
    "it leaves no key for “redo” of List: give “redo” another in a line of its own"

  @Test func whatLeavesACommandWithoutAKeyIsTheLineThatTookIt() {
    let lines = [("list", "history", ["z"]), ("list", "undo", ["U"])].map {
      OwnKeys.Entry(screen: $0.0, command: $0.1, keys: $0.2)
    }
    #expect(throws: OwnKeys.Problem(description: Self.leavesNone, entry: 1)) {
      try OwnKeys(lines)
    }
  }

  @Test func sentencesNameTheKeysThatCount() throws {
    var desk = TestDesk([Sample.sure])
    desk.state.keys = try keys(("record", "undo", ["z"]), ("list", "review", ["Z"]), ("list", "undo", ["z"]))
    #expect(desk.typing("A").state.status?.text.contains(" Z reviews and writes.") == true, "\(desk.screen)")
    let taken = desk.typing("<enter>c").state.status?.text ?? ""
    #expect(taken.contains(": z takes it back."), "\(taken)")
  }
}
