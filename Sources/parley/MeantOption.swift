import Desk

/// What somebody means by an option that is none: no slip of the finger, but what other programs call so.
enum MeantOption {
  /// What the command has in its place, in words without their end; nil where it has nothing.
  static func way(for option: String, of command: String) -> String? {
    switch (command, option) {
    case ("doctor", "fix"), ("doctor", "repair"):
      "--mend tells what it would mend, and does so with --yes"
    case ("list", let name) where ListQuery.names.contains(name): words("'\(name):…'")
    case ("list", "state"), ("list", "status"): words("'is:…'")
    case ("list", "filter"), ("list", "search"), ("list", "query"), ("list", "grep"): words("WORDS")
    default: nil
    }
  }

  private static func words(_ example: String) -> String {
    "The list is filtered by words: --find \(example), see parley list --help"
  }
}
