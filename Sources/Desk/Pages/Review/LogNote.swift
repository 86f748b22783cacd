import StoreInterface

/// What a write is noted with in the log: of the drafts that were reviewed when it was typed, be they decided otherwise since, or written
/// with others.
struct LogNote: Sendable {
  private(set) var text = ""
  private var drafts: RecordNames = []

  init() {}
  init(_ text: String, of drafts: some Sequence<String>) {
    (self.text, self.drafts) = (text, RecordNames(drafts))
  }

  /// Nothing is noted of drafts that were all none of these.
  mutating func forget(unlessOf drafts: some Sequence<String>) {
    if self.drafts.isDisjoint(with: drafts) { self = LogNote() }
  }
}
