import Merging

/// All versions of a document kept: the winner stays under the document's name, and what each other live leaf has becomes a
/// document of its own.
///
///     milk    2-bb, the winner    stays milk
///             2-aa, a live leaf   becomes milk-copy-2-aa, and ends
///
/// - The winner, and no draft: of a document that nobody merged nothing has to be decided field by field.
/// - A name follows from the document's and the leaf's, and not from chance or a count. So two desks that decide alike make one
///   document, not two; who keeps another leaf makes another document, and no conflict; and the name tells where it comes from.
/// - What the winner has, or a leaf before it, is kept once.
/// - Not of a design document: its copy would be an application that runs.
package struct KeptApart: Sendable, Equatable {
  package struct Copy: Sendable, Equatable {
    package let leaf: Leaf.ID
    /// The name of the new document.
    package let document: String
  }

  package static let id = "both"
  /// Nobody wants hundreds of documents called alike.
  package static let most = 8

  package let copies: [Copy]
  private let leafCount: Int

  /// nil where there is nothing to keep apart, or nobody knows what.
  package init?(_ conflict: RecordConflict) {
    let live = conflict.liveLeaves
    if conflict.id.hasPrefix("_") || live.contains(where: \.version.isUnknown) { return nil }
    guard let losing = KeptApart.losing(live), !losing.isEmpty else { return nil }
    leafCount = live.count
    let suffixes = KeptApart.suffixes(losing)
    copies = zip(losing, suffixes).map { Copy(leaf: $0, document: "\(conflict.id)-copy-\($1)") }
  }

  /// The first leaf of each version that the winner has not; nil if they are too many, and then nobody compares the rest.
  private static func losing(_ live: [Leaf]) -> [Leaf.ID]? {
    var different = Array(live.prefix(1))
    for leaf in live.dropFirst() where !different.contains(where: { $0.version == leaf.version }) {
      if different.count > most { return nil }
      different.append(leaf)
    }
    return different.dropFirst().map(\.id)
  }

  /// Eight digits tell revisions apart, but for those that somebody made by hand.
  private static func suffixes(_ revisions: [Leaf.ID]) -> [String] {
    let short = revisions.map { id in
      let revision = RevisionID(id)
      return revision.generation == 0 ? id : "\(revision.generation)-\(revision.suffix.prefix(8))"
    }
    return Set(short).count == short.count ? short : revisions
  }

  package var alternative: Alternative {
    Alternative(
      id: KeptApart.id, words: words, outcome: .own, newRecords: copies.map(\.document))
  }

  private var words: String {
    let others = leafCount > 2 ? "the other \(leafCount - 1) leaves" : "leaf 2"
    let all = leafCount > 2 ? "all \(leafCount)" : "both"
    return copies.count == 1
      ? "keep \(all): the winner here, and \(others) as the new document"
      : "keep \(all): the winner here, and \(others) as the new documents"
  }
}
