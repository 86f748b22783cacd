import Desk

/// What somebody means by an option that is none: no slip of the finger, but what other programs call so.
enum MeantOption {
  /// What the command has in its place, in words without their end; nil where it has nothing.
  static func way(for option: String, of command: String) -> String? {
    switch (command, option) {
    case ("doctor", "fix"), ("doctor", "repair"):
      "--mend tells what it would mend, and does so with --yes"
    case ("list", _): words(for: option).map { "The list is filtered by words: \($0)" }
    case ("show", _), ("resolve", _), ("write", _):
      words(for: option).map { "Records are found by words: \($0)" }
    default: nil
    }
  }

  private static func words(for option: String) -> String? {
    let example: String? =
      switch option {
      case let name where ListQuery.names.contains(name): "'\(name):…'"
      case "state", "status": "'is:…'"
      case "filter", "search", "query", "grep": "WORDS"
      default: nil
      }
    return example.map { "--find \($0), see parley list --help" }
  }
}
