import ArgumentParser
import Desk
import Foundation

/// The manual page of the program, in roff. Commands, keys and exit statuses are what the argument parser and the keymap know, so that
/// nothing of these can be out of date; files and variables are listed here:
///
///     parley help --man | man -l -
///
/// Of man(7) and roff it needs `.TH`, `.SH`, `.SS`, `.PP`, `.TP`, `.nf`, `.fi` and `.br`; no word is hyphenated (`.nh`) and no line
/// filled up with blanks (`.ad l`), for commands are copied from it. A backslash is `\e` there, a hyphen that is meant to be
/// copied `\-`, and a line that begins with a dot or an apostrophe needs `\&` before it.
enum ManualPage {
  /// The arguments that ask for it.
  static let arguments = ["help", "--man"]

  /// - Throws: `DecodingError`, if the argument parser describes itself otherwise than it did.
  static func text() throws -> String {
    let tool = try JSONDecoder().decode(Tool.self, from: Data(Parley._dumpHelp().utf8))
    let root = Parley.configuration
    let synopsis = (root.usage ?? "").split(separator: "\n").map { plain(String($0)) }
    let sections: [(title: String, lines: [String])] = [
      ("NAME", ["parley \\- " + plain(root.abstract)]),
      ("SYNOPSIS", [".nf"] + synopsis + [".fi"]),
      ("DESCRIPTION", paragraphs(Parley.about)),
      ("COMMANDS", tool.command.subcommands.filter(\.isTold).flatMap(section)),
      ("KEYS", Topic.allCases.flatMap(section)),
      ("EXIT STATUS", ExitStatus.allCases.flatMap { entry("\($0.rawValue)", $0.words) }),
      ("FILES", files.flatMap { entry($0.0, $0.1) }),
      ("ENVIRONMENT", environment.flatMap { entry($0.0, $0.1) }),
    ]
    let lines: [String] = sections.flatMap { [".SH \($0.title)"] + $0.lines }
    let head = ".TH PARLEY 1 \"\" \"Parley \(root.version)\" \"Parley\""
    return ([head, ".nh", ".ad l"] + lines).joined(separator: "\n")
  }

  private static let files = [
    ("NAME.parley.sqlite", "The journal, beside the database NAME: decisions, intents, receipts, imports."),
    (
      "$XDG_STATE_HOME/parley/, ~/.local/state/parley/",
      "Journals of stores beside which nothing can be written; redaction.key, by which the hashes of --redact are made."
    ),
    ("$XDG_CONFIG_HOME/parley/config.yaml, ~/.config/parley/config.yaml", "The configuration."),
    ("$XDG_CONFIG_HOME/parley/themes/, ~/.config/parley/themes/", "Themes of your own."),
    (
      "NAME.parley.sqlite.lock",
      "Beside a journal of SMSyncServer, or of a database on a server: held by the one Parley that writes. It is empty, stays, and keeps nobody out once that has ended."
    ),
    ("NAME.parley-outbox.json", "The requests to a server of SMSyncServer that wait, beside the journal."),
    (
      "$XDG_CACHE_HOME/parley/, ~/.cache/parley/",
      "Which documents of a database on a server are in conflict, so that they need not all be asked for again."
    ),
    (
      "$XDG_RUNTIME_DIR/parley/copied.txt",
      "What was copied last, for terminals that take none of it; in the folder of journals where that names no folder."
    ),
  ]

  private static let environment = [
    (
      "NO_COLOR",
      "Not empty: no colours, unless --color, or else color: in the configuration, says always; --color wins over both."
    ),
    ("LC_ALL, LC_CTYPE, LANG", "Where they name no UTF-8, a terminal is sent ASCII alone."),
    ("COLORFGBG", "The background, where the terminal does not tell it."),
    ("VISUAL, EDITOR", "The editor for long values; vi without either."),
    (
      "PARLEY_USER, PARLEY_PASSWORD, PARLEY_TOKEN, PARLEY_IAM_KEY, PARLEY_IAM_URL",
      "Who asks a database on a server; never to be seen in a list of processes."
    ),
    ("NETRC", "The file with names and passwords of servers; ~/.netrc without it."),
    (
      "XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, XDG_RUNTIME_DIR",
      "The folders above, if they are absolute paths."
    ),
  ]
}

extension ManualPage {
  /// What `_dumpHelp` tells; ArgumentParser has types for it, in a module that it does not offer.
  private struct Tool: Decodable {
    var command: Root
  }

  private struct Root: Decodable {
    var subcommands: [Subcommand]
  }

  private struct Subcommand: Decodable {
    var commandName: String
    var abstract: String?
    var discussion: String?
    var arguments: [Argument]?
    var shouldDisplay: Bool?

    /// `help` is the parser's own.
    var isTold: Bool { shouldDisplay != false && commandName != "help" }
  }

  private struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String

      var words: String { (kind == "long" ? "--" : "-") + name }
    }

    var kind: String
    var names: [Name]?
    var valueName: String?
    var defaultValue: String?
    var allValues: [String]?
    var abstract: String?
    var shouldDisplay: Bool

    /// Every command has `--help` and `--version`.
    var isTold: Bool { shouldDisplay && !["help", "version"].contains(valueName) }

    var words: String {
      let value = "<\(valueName ?? "value")>"
      let names = (names ?? []).map(\.words).joined(separator: ", ")
      return kind == "positional" ? value : kind == "option" ? names + " " + value : names
    }

    var meaning: String {
      let isNamed = allValues?.allSatisfy { abstract?.contains($0) == true }
      let values = isNamed == false ? allValues.map { "One of " + $0.joined(separator: ", ") + "." } : nil
      let usual = defaultValue.map { "Without it: \($0)." }
      return [abstract, values, usual].compactMap(\.self).joined(separator: " ")
    }
  }

  private static func section(_ command: Subcommand) -> [String] {
    let type = Parley.configuration.subcommands.first { $0.configuration.commandName == command.commandName }
    let usage = type.map { Parley.usageString(for: $0) } ?? "parley " + command.commandName
    let head = [".SS " + plain(command.commandName), plain(command.abstract ?? ""), ".PP"]
    let discussion = command.discussion.map { [".PP"] + paragraphs($0) } ?? []
    let arguments = (command.arguments ?? []).filter(\.isTold)
    return head + ["\\fB\(plain(usage))\\fR"] + discussion + entries(arguments)
  }

  /// Flags that choose one of several things have one meaning between them.
  private static func entries(_ arguments: [Argument]) -> [String] {
    var told: [(words: String, meaning: String)] = []
    for argument in arguments {
      if told.last?.meaning == argument.meaning {
        told[told.count - 1].words += ", " + argument.words
      } else {
        told.append((argument.words, argument.meaning))
      }
    }
    return told.flatMap { entry($0.words, $0.meaning) }
  }

  private static func section(_ topic: Topic) -> [String] {
    let bindings = Keymap.told(on: topic)
    if bindings.isEmpty { return [] }
    let lines = bindings.map { binding in
      let keys = binding.keys.map(\.name).joined(separator: "  ")
      let gap = String(repeating: " ", count: max(2, 20 - keys.count))
      return plain(keys + gap + binding.label)
    }
    return [".SS " + topic.rawValue, ".nf"] + lines + [".fi"]
  }

  private static func entry(_ name: String, _ meaning: String) -> [String] {
    [".TP", "\\fB\(plain(name))\\fR", plain(meaning)]
  }

  /// A help text: paragraphs, lines in capitals as headings, and indented lines as they are, however long: filled, the rows of a table
  /// are one paragraph.
  private static func paragraphs(_ text: String) -> [String] {
    var lines: [String] = []
    var staysAsItIs = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let stays = line.hasPrefix("  ")
      if stays != staysAsItIs { lines.append(stays ? ".nf" : ".fi") }
      staysAsItIs = stays
      if line.isEmpty {
        lines.append(".PP")
      } else if line.allSatisfy({ $0.isUppercase || $0 == " " }) {
        lines += ["\\fB\(line)\\fR", ".br"]
      } else {
        lines.append(plain(String(line)))
      }
    }
    return staysAsItIs ? lines + [".fi"] : lines
  }

  private static func plain(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}
