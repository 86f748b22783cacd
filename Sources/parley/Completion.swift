import ArgumentParser
import Foundation
import StoreInterface
import Telling

/// What the shells complete. The argument parser knows commands, options and files; that a path in the place of a command opens
/// the desk on it, and what records a store has, is put in here.
enum CompletionScript {
  static func text(for shell: CompletionShell) -> String {
    let script = Parley.completionScript(for: shell)
    return switch shell {
    case .bash: bash(script)
    case .zsh: zsh(script)
    case .fish: fish(script)
    default: script
    }
  }

  /// In the branch of what is no command.
  private static func bash(_ script: String) -> String {
    let commands = "        COMPREPLY+=($(compgen -W 'open "
    let paths = """
              if [[ "${COMP_CWORD}" -gt 1 ]]; then
                  # A path opens the desk on it, and what follows are the desk's options.
                  unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")
                  COMPREPLY=()
                  _parley_open
                  return
              fi
              __parley_add_completions -f

      """
    return helped(
      script.replacing(commands, with: paths + commands, maxReplacements: 1), of: "_parley_help() {\n",
      [
        ("(--version)", "(\(ManualPage.arguments[1]) --version)"),
        (
          "    __parley_offer_flags_options -1\n",
          """
              __parley_offer_flags_options -1
              if [[ "${positional_number}" -eq 1 ]]; then
                  COMPREPLY+=($(compgen -W '\(topics)' -- "${cur}"))
              fi

          """
        ),
      ]
    ).replacing(
      "_parley_resolve() {\n",
      with: """
        _parley_resolve() {
            # bash parts a word at =, so that behind it none is taken for the value of an option.
            if [[ "${COMP_LINE::COMP_POINT}" =~ [[:space:]]--set([[:space:]]+|=)[^[:space:]]*$ ]]; then
                __parley_add_completions -W "$(__parley_custom_complete ---completion resolve -- --set \
                    "${COMP_CWORD}" "$(__parley_cursor_index_in_current_word)")"
                return
            fi

        """, maxReplacements: 1)
  }

  /// What `help` tells of, which the parser does not know of its own command.
  private static let topics = Parley.commandNames.joined(separator: " ")

  /// With each of these put in the place of the first of its kind behind a line.
  private static func helped(_ script: String, of line: String, _ changes: [(String, String)]) -> String {
    guard let start = script.firstRange(of: line)?.upperBound else { return script }
    return script[..<start]
      + changes.reduce(String(script[start...])) { $0.replacing($1.0, with: $1.1, maxReplacements: 1) }
  }

  private static func zsh(_ script: String) -> String {
    helped(script, of: "_parley_help() {\n", [("'*:subcommands:'", "':subcommand:(\(topics))'")])
      .replacing(
        "        _describe -V subcommand subcommands",
        with: "        _files && ret=0\n        _describe -V subcommand subcommands",
        maxReplacements: 1
      )
      .replacing(
        "            \"_parley_${words[1]}\" && ret=0\n            ;;\n",
        with: """
                      "_parley_${words[1]}" && ret=0
                      ;;
                  *)
                      words=(open "${words[@]}")
                      ((CURRENT += 1))
                      _parley_open && ret=0
                      ;;

          """, maxReplacements: 1)
  }

  private static func fish(_ script: String) -> String {
    let first = "complete -c 'parley' -n '__parley_should_offer_completions_for_positional \"parley\" -eq 1'"
    let open =
      script.split(separator: "\n").first { $0.contains("__parley_parse_subcommand 1 'metadata='") } ?? ""
    // The parser's script ends without a line break.
    return
      (script.hasSuffix("\n") ? script : script + "\n")
      .appending(
        "complete -c 'parley' -n '__parley_should_offer_completions_for_positional \"parley help\" -eq 1' "
          + "-fka '\(topics)'\n"
      )
      .replacing(first, with: first + " -F\n" + first, maxReplacements: 1)
      .replacing(
        "            __parley_parse_subcommand -r 1 'version'\n        end\n",
        with: """
                      __parley_parse_subcommand -r 1 'version'
                  case '*'
                      if test (count $unparsed_tokens) -gt 0
                          set unparsed_tokens open $unparsed_tokens
              \(open)
                      end
                  end

          """, maxReplacements: 1)
  }
}

/// What the store that a command line names has, as far as it is one: at most so many that a person looks through them.
enum RecordCompletion {
  static let ofConflicts = kind { store, typed in try conflicts(store, typed.begun) }
  static let ofWrites = kind { store, typed in try writes(store, typed.begun) }
  static let ofFindings = kind { store, _ in try findings(store) }
  static let ofChoices = kind { store, typed in try choices(store, typed) }

  private static let most = 200

  private static func kind(
    _ found: @escaping @Sendable (any ConflictStore, TypedWords) throws -> [String]
  ) -> CompletionKind {
    .custom { words, index, begun in
      let typed = TypedWords(words, index, begun, areParted: CompletionShell.requesting == .bash)
      return names(typed) { try found($0, typed) }.compactMap(typed.rest)
    }
  }

  /// Nothing is told where there is no such store: somebody is typing.
  private static func names(_ typed: TypedWords, _ found: (any ConflictStore) throws -> [String]) -> [String]
  {
    guard let path = path(typed.others), (try? OpenFileLimit.check()) != nil else { return [] }
    let nowhere = LineWriter { _ in }
    let surroundings = Surroundings.live(output: nowhere, errors: nowhere, isWatched: false, pause: 0)
    let store = try? surroundings.open(StoreRequest(path: path, access: .reading))
    let names = (try? store.map(found)) ?? []
    // For zsh what follows a colon says what the name before it is.
    return CompletionShell.requesting == .zsh ? names.map { $0.replacing(":", with: "\\:") } : names
  }

  private static func conflicts(_ store: any ConflictStore, _ begun: String) throws -> [String] {
    let summaries = try store.conflicts().next(limit: most)?.summaries ?? []
    return whole(summaries.map(\.id), begun)
      ?? offered(summaries.map { "\($0.table)/\($0.primaryKey)" }, summaries.map(\.title))
  }

  /// Of a store with many records nobody waits until all were looked at.
  private static func findings(_ store: any ConflictStore) throws -> [String] {
    let (walk, clock) = (store.findings(), ContinuousClock())
    let end = clock.now + .seconds(1)
    var ids: [String] = []
    while ids.count < most, clock.now < end, let page = try walk.next(limit: most) {
      ids += page.map(\.id).filter(isPlain)
    }
    return ids
  }

  /// What `--set` can say of all the records that are named; where none is, it would be of all there are.
  private static func choices(_ store: any ConflictStore, _ typed: TypedWords) throws -> [String] {
    let names = typed.records
    if names.isEmpty { return [] }
    let ids = try store.recordIDs(named: names, Redaction { RedactionKey() })
    let choices = try store.conflicts(ids).map(\.choicesOfSides)
    let common = choices.first?.filter { choice in choices.allSatisfy { $0.contains(choice) } } ?? []
    return common.filter(isPlain).map { typed.optionOfBegun + $0 }
  }

  /// The names that the store has, for who begins to type one as `list` prints it; nil for anybody else, who would see each record twice.
  static func whole(_ ids: [String], _ begun: String) -> [String]? {
    let found = begun.isEmpty ? [] : ids.unique.filter { $0.hasPrefix(begun) && isPlain($0) }
    return found.isEmpty ? nil : found
  }

  /// Keys and titles; of a title that several have nobody could tell which is meant.
  private static func offered(_ keys: [String], _ titles: [String]) -> [String] {
    let counts = Dictionary(titles.map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
    return keys.filter(isPlain) + titles.filter { counts[$0.lowercased()] == 1 && isTitle($0) }
  }

  private static func writes(_ store: any ConflictStore, _ begun: String) throws -> [String] {
    let entries = try store.journal.entries(limit: most).filter { $0.kind == .write }
    if let ids = whole(entries.map(\.record), begun) { return ids }
    let info = store.info
    let candidates = entries.map { RecordSearch.Candidate($0.record, titles: [], in: info) }
    let titles = ByRecord(entries.map { ($0.record, $0.title) }) { newest, _ in newest }
    return offered(
      candidates.map { "\($0.table)/\($0.primaryKey)" }.unique, titles.values.compactMap(\.self).sorted())
  }

  /// A shell that quotes a name would have to be asked how.
  private static func isPlain(_ name: String) -> Bool { shellQuoted(name) == name }

  /// A shell puts backslashes before blanks by itself. What else it would read as its own is in none that is offered: bash takes what
  /// is between its marks for a command.
  private static func isTitle(_ title: String) -> Bool {
    let isSafe = title.allSatisfy { $0.isLetter || $0.isNumber || " -_.,+%@/".contains($0) }
    return isSafe && title.first?.isLetter == true && title.last != " " && title.count <= 60
  }

  /// The first word after the command that is a file, as shells have it: quoted, or with a tilde. A server is not asked while
  /// somebody types.
  static func path(_ words: [String]) -> String? {
    let environment = ProcessInfo.processInfo.environment
    let typed = words.dropFirst(2).filter { !$0.hasPrefix("-") }
    // fish gives them without its quotes.
    let names = typed.flatMap { [unquoted($0), $0] }
    return names.lazy.map { expandingHome($0, environment) }.first {
      FileManager.default.fileExists(atPath: $0)
    }
  }

  /// A word without the quotes and backslashes by which a shell takes it for one.
  static func unquoted(_ word: String) -> String {
    var plain = ""
    var quote: Character?
    var isEscaped = false
    for character in word {
      if isEscaped {
        // Between double quotes it is a backslash before anything else.
        if quote != nil, !"\"\\$`".contains(character) { plain.append("\\") }
        plain.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      } else {
        plain.append(character)
      }
    }
    return plain
  }
}
