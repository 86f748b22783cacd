import StoreInterface

/// What a write is noted with in the log, if one of the drafts is in it that were reviewed when it was typed, be they decided otherwise
/// since.
struct LogNote: Sendable {
  private(set) var text = ""
  private var drafts: RecordNames = []

  init() {}
  init(_ text: String, of drafts: some Sequence<String>) {
    (self.text, self.drafts) = (text, RecordNames(drafts))
  }

  /// nil where it was typed for none of these.
  func text(for drafts: some Sequence<String>) -> String? {
    text.isEmpty || self.drafts.isDisjoint(with: drafts) ? nil : text
  }

  /// Nothing is noted of drafts that were all none of these.
  mutating func forget(unlessOf drafts: some Sequence<String>) {
    if self.drafts.isDisjoint(with: drafts) { self = LogNote() }
  }
}
