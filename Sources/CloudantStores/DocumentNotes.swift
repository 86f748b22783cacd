import Merging
import RevisionTrees

/// What a person should know before deciding, beside what the tree tells: what the rows show.
struct DocumentNotes {
  let rows: DocumentRows
  let platform: DatastoreSchema.Platform
  /// Of the live leaves and the ancestor.
  let attachments: [Attachment]

  private var tree: RevisionTree { rows.tree }

  var all: [DocumentNote] { [repeatedNote, flagsNote, lengthNote].compactMap(\.self) }

  private var repeatedNote: DocumentNote? {
    if tree.repeated.isEmpty { return nil }
    // A note is shown with hidden values, too.
    let names = RevisionName(toTellApart: tree.revisions.map(\.id))
    let ids = tree.repeated.map(names.short)
    return DocumentNote(
      "One revision is stored more than once (\(ids.joined(separator: ", "))): damage, no conflict.",
      naming: ids)
  }

  private var lengthNote: DocumentNote? {
    let names = Set(attachments.filter(\.isTooLongToDecode).map(\.name)).sorted()
    guard let first = names.first.map({ "“\($0)”" }) else { return nil }
    let words = names.count == 1 ? first : "\(first) and \(names.count - 1) more"
    return DocumentNote(
      "Too long to be decoded here, so compared and carried as stored: \(words).", naming: [first])
  }

  private var flagsNote: DocumentNote? {
    let isRight = tree.revisions.indices.allSatisfy {
      tree.revisions[$0].isCurrent == tree.isCurrent($0, platform)
    }
    return isRight
      ? nil
      : DocumentNote(
        "The marks of leaves and the parents of revisions disagree: the app may show another revision than the winner here."
      )
  }
}
