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
    let ids = tree.noted(tree.repeated)
    return DocumentNote(
      "One revision is stored more than once (\(ids.map(\.written).joined(separator: ", "))): damage, no conflict.",
      naming: ids)
  }

  private var lengthNote: DocumentNote? {
    let names = Set(attachments.filter(\.isTooLongToDecode).map(\.name)).sorted()
    guard let first = names.first.map({ RecordConflict.NotedName.quoted($0) }) else { return nil }
    let words = names.count == 1 ? first.written : "\(first.written) and \(names.count - 1) more"
    return DocumentNote("Too long to be decoded here, so \(howTheyAreTaken): \(words).", naming: [first])
  }

  private var howTheyAreTaken: String {
    attachments.contains { $0.isTooLongToCarry(on: platform) }
      ? "compared as stored, and carried into no revision" : "compared and carried as stored"
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
