import ArgumentParser

/// `parley completions SHELL`: what makes a shell complete commands, options, paths, and what a store has.
struct CompletionsCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions", _superCommandName: Parley.name,
    abstract: "Print what makes a shell complete parley's command lines.",
    discussion: """
      Commands, options and their values, paths, and of the store that is named its records and findings, and for --set the fields \
      of the records that are named, each with the sides. Where shells look for it, zsh with fpath+=~/.zfunc before compinit:
        mkdir -p ~/.local/share/bash-completion/completions
        parley completions bash > ~/.local/share/bash-completion/completions/parley

        mkdir -p ~/.zfunc
        parley completions zsh > ~/.zfunc/_parley

        mkdir -p ~/.config/fish/completions
        parley completions fish > ~/.config/fish/completions/parley.fish
      """)

  @Argument(help: "bash, zsh or fish.")
  var shell: Shell

  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish
  }

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let shell = CompletionShell(rawValue: shell.rawValue) ?? .bash
    try surroundings.output.printExactly(CompletionScript.text(for: shell))
    return .nothingLeft
  }
}
