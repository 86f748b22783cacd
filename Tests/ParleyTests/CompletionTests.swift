import Foundation
import TerminalTestSupport
import Testing

@testable import parley

@Suite("completions")
struct CompletionTests {
  @Test(
    "The scripts have every command, and the paths that the parser does not know of",
    arguments: ["bash", "zsh", "fish"])
  func scripts(shell: String) {
    let run = Session().run("completions \(shell)")
    #expect(run.status == .nothingLeft && run.errors.isEmpty)
    for name in Parley.commandNames { #expect(run.output.contains(name)) }
    for asked in ["show -- positional@1", "resolve -- --set", "doctor -- positional@1"] {
      #expect(run.output.contains("---completion \(asked)"), "\(asked)")
    }
    let paths = [
      "bash": "_parley_open\n            return", "zsh": "_files && ret=0\n        _describe",
      "fish": "-eq 1' -F\n",
    ]
    let desk = ["bash": "COMP_CWORD}\" -gt 1", "zsh": "words=(open", "fish": "set unparsed_tokens open"]
    let help = [
      "bash": "compgen -W 'open demo list", "zsh": ":(open demo list", "fish": "-fka 'open demo list",
    ]
    for text in [paths[shell], desk[shell], help[shell]] {
      #expect(run.output.contains(text ?? "?"), "\(text ?? "")")
    }
    #expect(!run.output.contains("'complete -c"), "two commands in one line")
    #expect(Session().run("completions tcsh").status == .usage)
  }

  /// As bash parts a word, be it one to the program.
  private func parted(_ word: Substring) -> [String] {
    word.reduce(into: [""]) { parts, letter in
      let isSign = "=:".contains(letter)
      if isSign || parts.last.map({ ["=", ":"].contains($0) }) == true, parts.last != "" { parts.append("") }
      parts[parts.count - 1].append(letter)
    }
  }

  /// The words that bash would offer.
  private func offered(_ line: String, _ script: String, in folder: String) throws -> [String] {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).flatMap(parted)
    let begun = words.last.map { ["=", ":"].contains($0) ? "" : $0 } ?? ""
    let shell = """
      source \(script); cd \(folder)
      COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " "))); COMP_CWORD=\(words.count - 1)
      COMP_LINE='\(line)'; COMP_POINT=\(line.count); COMP_WORDS[0]=$PARLEY
      _parley parley '\(begun)' '\(words.dropLast().last ?? "")'
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    try write(shell, to: folder + "/ask.bash")
    let result = try Binary.shell("exec bash \(folder)/ask.bash")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test("bash offers paths and commands first, then options, files and the records of the store")
  func bash() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let script = folder + "/parley.bash"
      try write(Session().run("completions bash").output, to: script)
      let first = try offered("parley ", script, in: folder)
      #expect(first.contains("demo") && first.contains("list") && first.contains("parley.bash"))
      #expect(try offered("parley de", script, in: folder) == ["demo", "demo"])
      #expect(try offered("parley \(path) --th", script, in: folder) == ["--theme"])
      #expect(try offered("parley \(path) --theme no", script, in: folder) == ["nord"])
      let themes = try offered("parley --theme ", script, in: folder)
      #expect(themes.contains("nord") && !themes.contains { $0.hasPrefix("-") }, "\(themes)")
      #expect(try offered("parley list par", script, in: folder) == ["parley.bash"])
      let records = try offered("parley show \(path) reminders/", script, in: folder)
      #expect(records.count > 5 && records.allSatisfy { $0.hasPrefix("reminders/5eed") })
      let ids = try offered("parley show \(path) 5eed0000-0000-4000-8000-0000000000", script, in: folder)
      #expect(ids.count > 5 && ids.contains("5eed0000-0000-4000-8000-000000000042:reminders"), "\(ids)")
      #expect(try offered("parley show \(path) Paint", script, in: folder) == ["Paint the fence"])
      #expect(try offered("parley show \(path) Milk", script, in: folder) == ["Milk 2%"])
      // What a shell would read as its own.
      #expect(try offered("parley show \(path) Pa", script, in: folder) == ["Paint the fence"])
      #expect(try offered("parley help wa", script, in: folder) == ["walkthrough"])
      #expect(try offered("parley help --", script, in: folder) == ["--man", "--version"])
      #expect(try offered("parley help walkthrough ", script, in: folder).isEmpty)
      #expect(try offered("parley walkthrough --story fred", script, in: folder) == ["fred-first"])
      #expect(try offered("parley show \(folder)/none reminders/", script, in: folder).isEmpty)
    }
  }

  @Test("bash offers what --set can say of the record that is named, and of none nothing")
  func choices() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let script = folder + "/parley.bash"
      try write(Session().run("completions bash").output, to: script)
      func offered(_ words: String) throws -> [String] {
        try self.offered("parley resolve \(path) \(words)", script, in: folder)
      }
      let all = try offered("Bread --set ")
      #expect(all.contains("title=client") && all.contains("title=server"), "\(all)")
      #expect(all.contains("record=accept") && !all.contains { $0.hasPrefix("notes=") }, "\(all)")
      #expect(try offered("Bread --set ti") == all.filter { $0.hasPrefix("title=") })
      let sides = all.filter { $0.hasPrefix("title=") }.map { String($0.dropFirst("title=".count)) }
      #expect(try offered("Bread --set title=") == sides)
      for words in ["Bread --set title=s", "Bread --set=title=s", "--accept sure Bread --set title=s"] {
        #expect(try offered(words) == ["server"], "\(words)")
      }
      #expect(try offered("Bread --set title=client --set title=c") == ["client"])
      let both = try offered("Bread Coffee --set ")
      #expect(!both.isEmpty && both.allSatisfy { $0.hasPrefix("record=") }, "\(both)")
      for words in ["--set ", "--set title=", "--note Bread --set ", "nosuch --set "] {
        #expect(try offered(words).isEmpty, "\(words)")
      }
    }
  }

  @Test("bash offers the findings of the store, also behind a colon, at which it parts their ids")
  func findings() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let script = folder + "/parley.bash"
      try write(Session().run("completions bash").output, to: script)
      let row = "5eed0000-0000-4000-8000-000000000207:reminders"
      let ids = try offered("parley doctor \(path) ", script, in: folder).filter { $0.contains(":") }
      #expect(ids.count > 5 && ids.contains("no-row:" + row), "\(ids)")
      #expect(try offered("parley doctor \(path) no-r", script, in: folder) == ["no-row:" + row])
      #expect(try offered("parley doctor \(path) no-row:", script, in: folder) == [row])
      #expect(try offered("parley doctor \(path) no-row:5eed", script, in: folder) == [row])
    }
  }

  @Test(
    "what bash parts is one word again, but for the one that is being typed behind a blank",
    arguments: [
      (
        ["p", "resolve", "a", "b", ":", "c", "--set", "t", "="], "=", "t=",
        ["p", "resolve", "a", "b:c", "--set"]
      ),
      (["p", "resolve", "a", "t", "=", "s"], "s", "t=s", ["p", "resolve", "a"]),
      (["p", "resolve", "a", "t", "=", ""], "", "", ["p", "resolve", "a", "t="]),
      (["p", "show", "a=b", "c"], "c", "c", ["p", "show", "a=b"]),
    ])
  func joined(words: [String], typed: String, begun: String, before: [String]) {
    let joined = TypedWords(words, words.count - 1, typed, areParted: true)
    #expect(joined.begun == begun && joined.before == before, "\(joined)")
    #expect(joined.rest(begun + "x") == (typed == "=" ? "x" : typed + "x"))
    #expect(TypedWords(words + ["--json"], words.count - 1, "-", areParted: true).begun == begun)
    let whole = TypedWords(words, words.count - 1, typed, areParted: false)
    #expect(whole.begun == typed && whole.before == words.dropLast() && whole.rest("x") == "x")
  }

  @Test(
    "The store is the first word that is one, however it is quoted",
    arguments: [("%@", true), ("\"%@\"", true), ("'%@'", true), ("--json %@", true), ("nosuch", false)])
  func path(word: String, isFound: Bool) throws {
    try withTemporaryFolder { folder in
      try write("", to: folder + "/a b.db")
      let words = ["parley", "show"] + [word.replacing("%@", with: folder + "/a b.db")]
      let split = word.hasPrefix("--") ? ["parley", "show", "--json", folder + "/a b.db"] : words
      #expect(RecordCompletion.path(split) == (isFound ? folder + "/a b.db" : nil))
      #expect(RecordCompletion.path(["parley", "show", folder + "/a\\ b.db"]) == folder + "/a b.db")
    }
  }

  @Test(
    "The path of a store may have quotes of its own", arguments: ["Ann's.db", "6\" and 7\".db", "a\\b.db"])
  func quotes(name: String) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/" + name
      try write("", to: path)
      let escaped = path.map { "'\"\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
      // The last is as fish gives it.
      for word in [escaped, shellQuoted(path), path] {
        #expect(RecordCompletion.path(["parley", "show", word]) == path, "\(word)")
      }
    }
  }
}
