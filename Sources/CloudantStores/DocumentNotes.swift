import Merging
import RevisionTrees

/// What a person should know before deciding.
struct DocumentNotes {
  let rows: DocumentRows
  let live: [Int]
  let ancestor: Int?
  let platform: DatastoreSchema.Platform
  /// Of the live leaves and the ancestor.
  let attachments: [Attachment]

  private var tree: RevisionTree { rows.tree }

  var all: [String] {
    [ancestorNote, leavesNote, spuriousNote, repeatedNote, flagsNote, lengthNote].compactMap(\.self)
  }

  /// A note is shown with hidden values, too.
  private func short(_ id: String) -> String {
    RevisionName(toTellApart: tree.revisions.map(\.id)).short(id)
  }

  private var ancestorNote: String? {
    guard let ancestor else {
      return "The leaves have no common ancestor: the document was made twice, or its history was cut off."
    }
    let revision = tree.revisions[ancestor]
    if revision.hasBody || revision.isDeleted { return nil }
    let words = "The common ancestor \(short(revision.id)) is not kept (compacted, or never replicated here)."
    guard let nearest = tree.nearestKeptAncestor(of: live) else { return words }
    let id = short(tree.revisions[nearest].id)
    return "\(words) The nearest older one that is kept is \(id); it is a hint only."
  }

  private var leavesNote: String? {
    let deleted = tree.deletedLeaves.count
    let words = deleted == 0 ? "" : ", \(deleted) deleted \(deleted == 1 ? "one" : "ones") beside them"
    return live.count > 2 ? "\(live.count) leaves are live\(words). The suggestion folds all of them." : nil
  }

  private var spuriousNote: String? {
    let spurious = tree.spuriousLeaves.map { short(tree.revisions[$0].id) }
    if spurious.isEmpty { return nil }
    return """
      \(spurious.joined(separator: ", ")) shares nothing with the winner and is older than all that is known of it: a \
      replica that was away for long sent it again, most likely.
      """
  }

  private var repeatedNote: String? {
    tree.repeated.isEmpty
      ? nil
      : "One revision is stored more than once (\(tree.repeated.map(short).joined(separator: ", "))): damage, no conflict."
  }

  private var lengthNote: String? {
    let names = Set(attachments.filter(\.isTooLongToDecode).map(\.name)).sorted()
    guard let first = names.first else { return nil }
    let words = names.count == 1 ? first : "\(first) and \(names.count - 1) more"
    return "Too long to be decoded here, so compared and carried as stored: \(words)."
  }

  private var flagsNote: String? {
    let isRight = tree.revisions.indices.allSatisfy {
      tree.revisions[$0].isCurrent == tree.isCurrent($0, platform)
    }
    return isRight
      ? nil
      : "The marks of leaves and the parents of revisions disagree: the app may show another revision than the winner here."
  }
}
