import Digests
import ExactJSON

/// Sequences as clients see them: a number they may show, and a rest that means something to this database alone.
///
/// As in CouchDB one of another database, or of one deleted and made again, starts over without a sign; one that nobody made
/// is refused.
struct Sequences: Sendable {
  private let database: String

  init(of database: String) { self.database = Hexadecimal.text(md5(Array(database.utf8)).prefix(8)) }

  func text(_ number: Int) -> String {
    "\(number)-\(database)\(Sequences.check("\(number)-\(database)"))"
  }

  /// nil for what is no sequence.
  func number(_ text: String) -> Int? {
    if text == "0" { return 0 }
    let parts = text.split(separator: "-", maxSplits: 1)
    guard parts.count == 2, let number = Int(parts[0]) else { return nil }
    let maker = parts[1].prefix(16)
    guard parts[1].dropFirst(16) == Sequences.check("\(number)-\(maker)") else { return nil }
    return maker == database ? number : 0
  }

  private static func check(_ text: String) -> String {
    Hexadecimal.text(md5(Array(("parley " + text).utf8)).prefix(4))
  }
}
