import Telling

/// What is said of several drafts in the same words is told once, with the first of them: twenty files of one round have one lock.
struct SharedNotes {
  private var counts: [String: Int] = [:]
  private var first: [String: String] = [:]
  private let privacy: Privacy

  init(_ drafts: some Sequence<ReviewedDraft>, _ privacy: Privacy) {
    self.privacy = privacy
    for draft in drafts {
      for note in privacy.notes(of: draft.record.conflict) {
        counts[note, default: 0] += 1
        if first[note] == nil { first[note] = draft.id }
      }
    }
  }

  func notes(of draft: ReviewedDraft) -> [String] {
    privacy.notes(of: draft.record.conflict).compactMap { note in
      guard first[note] == draft.id else { return nil }
      let count = counts[note] ?? 1
      return count > 1 ? "\(count) of these: \(note)" : note
    }
  }
}
