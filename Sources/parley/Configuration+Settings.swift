import Merging
import Terminal

/// What a configuration can say. The default one that `parley config` prints is made of this, and so is what a mistake is told to
/// be instead: neither can be out of date.
extension Configuration {
  struct Setting {
    var name: String
    /// What holds without the line; of what nothing stands for, an example.
    var value: String
    var meaning: String
    /// The lines below it, each with its own words behind it.
    var lines: [(line: String, meaning: String)] = []
  }

  static func settings(themes: [String]) -> [Setting] {
    let rules = MergeRule.allCases.map(\.rawValue).joined(separator: ", ")
    return [
      Setting(
        name: "theme", value: "auto",
        meaning:
          "What the desk looks like: \(themes.joined(separator: ", ")), or the path of a file, which has a /: ~/mine.yaml."
      ),
      Setting(
        name: "color", value: "auto",
        meaning: "Colours: \(words(ColourChoice.self)); auto is as the terminal and NO_COLOR say."),
      Setting(name: "mouse", value: "true", meaning: "Whether clicks and the wheel are heard: true, false."),
      Setting(
        name: "ascii", value: "auto",
        meaning: "Whether the desk is drawn with ASCII alone: true, false; auto is as the locale says."),
      Setting(
        name: "advance", value: "true",
        meaning: "Whether the cursor goes to what is to decide next after a choice: true, false."),
      Setting(
        name: "tombstones", value: "plain",
        meaning:
          "What a write leaves on the leaves that lost, on a server: \(words(Tombstones.self)) (who resolved it)."
      ),
      Setting(
        name: "tie", value: "client",
        meaning: "Which side is suggested where both edits carry the same time: \(words(TieRule.self))."),
      Setting(
        name: "margin", value: "0",
        meaning:
          "How far apart clocks may be (500ms, 2s, 5m): what is newer by less is to decide. 0: nothing is."),
      Setting(
        name: "log", value: "~/parley.log",
        meaning: "A file that tells every call, for bug reports, without values. None without the line."),
      Setting(
        name: "keys", value: "",
        meaning:
          "More keys for commands, by screen; parley keys names all. One that is given is no other command's there.",
        lines: [("  #list:", ""), ("  #  accept: [z, F11]", "")]),
      Setting(
        name: "policies", value: "",
        meaning: "How what both sides changed is merged: \(rules). The most specific line counts.",
        lines: [
          ("  default: latest", "of every store"), ("  #counters: maximum", "of a table"),
          ("  #posts.likes: counter", "of a field"),
        ]),
      Setting(
        name: "stores", value: "",
        meaning: "The same, tie and margin, for one store only, by the name of its file or its folder.",
        lines: [
          ("  #Reminders.sqlite:", ""), ("  #  tie: server", ""),
          ("  #  policies:", ""), ("  #    reminders.notes: text", ""),
        ]),
    ]
  }

  static let names = settings(themes: []).map(\.name)

  private static func words<Choice: CaseIterable & RawRepresentable<String>>(_ type: Choice.Type) -> String {
    Choice.allCases.map(\.rawValue).joined(separator: ", ")
  }

  /// A configuration in which every line is a comment: those with nothing between the mark and the name say what holds without
  /// them.
  static func defaultText(themes: [String]) -> String {
    let head = [
      "What Parley is set to. Every line here holds as it is; take the # before one away, and change it.",
      "The command line wins. A mistake is told with its line. Themes: parley themes. Policies: parley help config.",
    ].flatMap(comment)
    let lines = head + settings(themes: themes).flatMap(\.asComments)
    return lines.joined(separator: "\n") + "\n"
  }

  /// In lines that any terminal shows whole.
  fileprivate static func comment(_ text: String) -> [String] {
    BrokenLine.lines(text, width: 76).map { "# " + $0 }
  }
}

extension Configuration.Setting {
  fileprivate var asComments: [String] {
    let line = "#\(name):" + (value.isEmpty ? "" : " " + value)
    let below = lines.map { $0.meaning.isEmpty ? "#" + $0.line : "#\($0.line)   # \($0.meaning)" }
    return [""] + Configuration.comment(meaning) + [line] + below
  }
}
