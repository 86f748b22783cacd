/// What is said of something that is waited for: it is over as soon as that is there, and would be untrue beside it.
enum PassingWords: String, CaseIterable {
  case rowsAreRead = "Nothing is under the cursor yet: the store is being read."
  case recordIsRead = "One moment: it is being read."
  case commandWaits = "One moment: the record is read first. Esc leaves it."
  case firstKeyIsDone = "One moment: the record is read first, and only the first key is done. Esc leaves it."
  case familyIsRead = "They are still being looked for. Esc goes back."
  case draftsAreRead = "The drafts are being read. One moment."
  case isChecked = "It is being checked. One moment."
  case accessIsAsked = "It is being asked whether the store can be written. One moment."
}

extension DeskState {
  mutating func tell(_ words: PassingWords) -> [DeskEffect] { tell(words.rawValue) }

  /// Takes away those words that are over; what was told beside them stays to be read. Asked after every event.
  mutating func endPassingWords() {
    guard let status else { return }
    let over = PassingWords.allCases.filter { status.text.contains($0.rawValue) && !isWaited(for: $0) }
    for words in over { takeAway(words.rawValue) }
  }

  mutating func takeAway(_ words: String) {
    guard let status, status.text.contains(words) else { return }
    let said = " \(status.text) ".replacing(" \(words) ", with: " ")
    let rest = String(said.dropFirst().dropLast())
    self.status = rest.isEmpty ? nil : Status(text: rest, isFailure: status.isFailure)
  }

  /// Why the store could not be read, or the journal not be heard, is over once it can.
  mutating func endFailure(_ words: WritableKeyPath<DeskState, String?>) {
    guard let told = self[keyPath: words] else { return }
    takeAway(told)
    self[keyPath: words] = nil
  }

  private func isWaited(for words: PassingWords) -> Bool {
    switch words {
    case .rowsAreRead: list.selected == nil && list.isBeingRead
    case .recordIsRead: top.record.map { open[$0] == nil } ?? false
    case .commandWaits, .firstKeyIsDone: waiting != nil
    case .familyIsRead: top(FamilyPage.self)?.isReading(on: self) ?? false
    case .draftsAreRead: top(ReviewPage.self)?.stage == .reading
    case .isChecked: top(ReviewPage.self) != nil && asksNothingYet
    case .accessIsAsked: access == .unknown
    }
  }
}
