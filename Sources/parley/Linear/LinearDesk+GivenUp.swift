import Merging
import StoreInterface
import Telling

/// `D`: what `parley log --given-up any` tells, newest first.
extension LinearDesk {
  private static let most = 100

  func sayGivenUp() throws {
    let all = try store.journal.givenUp().withoutWritten
    if all.isEmpty { return try tell(GivenUp.none()) }
    let entries = try store.namingAnswers(Array(all.prefix(Self.most)))
    let titles = store.titles(of: entries)
    for entry in entries {
      try tell(heading(entry, titles[entry.record]))
      try tell(lost(entry))
    }
    if all.count > Self.most {
      try tell(
        "\(all.count - Self.most) older acts gave something up, too. parley log --given-up any tells all.")
    }
  }

  private func heading(_ entry: JournalEntry, _ title: String?) -> String {
    let named = entry.title == nil ? title.map { "\($0): " } : nil
    return "\(text.time.long(entry.time)). \(named ?? "")\(entry.text(.open))".ended
  }

  private func lost(_ entry: JournalEntry) -> [String] {
    entry.givenUp?.map { "Given up: \(text.lost($0))".ended } ?? entry.givenUpWords(.open).map(\.ended)
  }
}
