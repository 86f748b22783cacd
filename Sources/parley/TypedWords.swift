import ArgumentParser

/// A command line while somebody types it, as a shell asks what may come next.
struct TypedWords {
  /// With the program and the command, and without what is being typed.
  let before: [String]
  private let after: [String]
  /// What is being typed, as far as it is.
  let begun: String
  /// What of that the shell takes for words before it: it is no part of what is offered.
  private let parted: String

  /// - Parameters:
  ///   - index: of the word that is being typed.
  ///   - begun: what the argument parser takes for that, which is the last, wherever it is.
  ///   - areParted: whether words are parted at `=` and `:`, as bash does, be they one word to the parser. Nothing tells a blank between
  ///     them there, but before the one that is being typed.
  init(_ words: [String], _ index: Int, _ begun: String, areParted: Bool) {
    let index = min(max(index, 0), words.count)
    let begun = index < words.count - 1 ? words[index] : begun
    let typed = words[..<index] + [begun]
    var joined = areParted ? Self.joined(typed) : Array(typed)
    // There is one, as it was put in.
    self.begun = joined.popLast() ?? ""
    before = joined
    after = Array(words.dropFirst(index + 1))
    parted = Self.isSign(begun) && areParted ? self.begun : String(self.begun.dropLast(begun.count))
  }

  var others: [String] { before + after }

  /// The part of what is offered that goes in the place of the last word; nil where that is none of it.
  func rest(_ offered: String) -> String? {
    offered.hasPrefix(parted) ? String(offered.dropFirst(parted.count)) : nil
  }

  private static func isSign(_ word: String) -> Bool {
    !word.isEmpty && word.allSatisfy { "=:".contains($0) }
  }

  private static func joined(_ words: some Sequence<String>) -> [String] {
    var (joined, isOpen) = ([String](), false)
    for word in words {
      if !word.isEmpty, isOpen || isSign(word), let last = joined.popLast() {
        joined.append(last + word)
      } else {
        joined.append(word)
      }
      isOpen = isSign(word)
    }
    return joined
  }
}

extension TypedWords {
  private static let set = "--set"

  /// Where it is one word with what is being typed.
  var optionOfBegun: String { begun.hasPrefix(Self.set + "=") ? Self.set + "=" : "" }

  /// Those that a `resolve` names of which what is being typed is a `--set`.
  var records: [String] {
    var words = before.dropFirst(2)
    if words.last == Self.set { words.removeLast() }
    // fish gives them without its quotes.
    let isBare = CompletionShell.requesting == .fish
    let plain = (words + after).map { isBare ? $0 : RecordCompletion.unquoted($0) }
    return (try? ResolveCommand.parse(plain))?.records.names ?? []
  }
}
