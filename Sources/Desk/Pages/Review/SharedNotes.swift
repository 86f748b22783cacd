/// What is said of several drafts in the same words is told once, with the first of them: twenty files of one round have one lock.
struct SharedNotes {
  private var counts: [String: Int] = [:]
  private var first: [String: String] = [:]

  init(_ drafts: some Sequence<ReviewedDraft>) {
    for draft in drafts {
      for note in draft.record.conflict.details.notes {
        counts[note, default: 0] += 1
        if first[note] == nil { first[note] = draft.id }
      }
    }
  }

  func notes(of draft: ReviewedDraft) -> [String] {
    draft.record.conflict.details.notes.compactMap { note in
      guard first[note] == draft.id else { return nil }
      let count = counts[note] ?? 1
      return count > 1 ? "\(count) of these: \(note)" : note
    }
  }
}
