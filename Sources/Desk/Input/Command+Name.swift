extension Command {
  /// What the command is called where a person writes it: "take client", "next to decide".
  ///
  /// Made from the cases, so that none can be without a name: the groups that say only where a command is at home are left out.
  package var name: String { Command.names[self] ?? spelled }

  /// Of all that keys do: the palette and the help ask for every one of them with each letter that is typed.
  private static let names: [Command: String] = Keymap.bindings.reduce(into: [:]) { names, binding in
    names[binding.command] = binding.command.spelled
  }

  private var spelled: String {
    let told = String(describing: self).split { "(),".contains($0) || $0 == ":" }.map { part in
      String(part.split(separator: ".").last ?? part)
    }
    let words = told.filter { !Command.groups.contains($0) }.flatMap(\.wordsOfCamelCase)
    return words.joined(separator: " ")
  }

  private static let groups: Set<String> = ["list", "record", "drafts", "story", "line", "anywhere"]
}

extension String {
  /// "nextToDecide" in three words, "showSQL" in two.
  fileprivate var wordsOfCamelCase: [String] {
    var (words, wasUpper) = ([""], false)
    for character in self {
      if character.isUppercase, !wasUpper { words.append("") }
      wasUpper = character.isUppercase
      words[words.count - 1] += character.lowercased()
    }
    return words
  }
}
