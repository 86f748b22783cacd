import Merging
import StoreInterface

/// A date as a value has it, "2026-11-20" with or without a time of day. Digits that differ would stand in it beside those that went: a
/// day, and a time, is another one as a whole.
struct DatePieces {
  private let day: Substring
  private let between: Substring
  private let time: Substring

  /// nil for what is more than a date.
  init?(_ text: String) {
    guard text.utf8.count <= 40, CalendarTime.days(text.prefix(10)) != nil else { return nil }
    day = text.prefix(10)
    between = text.dropFirst(10).prefix(1)
    time = text.dropFirst(11)
    guard between.isEmpty || " T".contains(between), time.allSatisfy({ "0123456789:.+-Z".contains($0) })
    else { return nil }
  }

  static func pieces(from old: String, to new: String) -> [WordDiff.Piece]? {
    guard let old = DatePieces(old), let new = DatePieces(new) else { return nil }
    return pieces(old.day, new.day) + pieces(old.between, new.between) + pieces(old.time, new.time)
  }

  private static func pieces(_ old: Substring, _ new: Substring) -> [WordDiff.Piece] {
    let pieces: [WordDiff.Piece] =
      old == new ? [.kept(String(new))] : [.removed(String(old)), .added(String(new))]
    return pieces.filter { !$0.text.isEmpty }
  }
}
