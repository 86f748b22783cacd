import Merging
import Synchronization

/// All that the state of a document is made of, as it was read.
struct DocumentSource: Sendable, Equatable {
  let rows: DocumentRows
  let rules: MergeRules
  /// Of the live leaves and the common ancestor, by their places in the tree; none of one that is not here.
  let bodies: [Int: [UInt8]]
  let attached: [Int: [Attachment]]
  /// Why nobody can tell what a revision has attached, by its place; none where all is told.
  let untold: [Int: String]
}

/// The document that was made last.
///
/// Who writes one reads it before, to know whether it is decided, and again inside of the transaction. Both times all of it is read; but
/// to take hundreds of bodies apart is most of the work, and what is made of the same bytes is the same.
final class RememberedDocument: Sendable {
  private let last = Mutex<(source: DocumentSource, state: DocumentState)?>(nil)

  func state(of source: DocumentSource, _ make: () -> DocumentState?) -> DocumentState? {
    if let known = last.withLock(\.self), known.source == source { return known.state }
    let made = make()
    last.withLock { $0 = made.map { (source, $0) } }
    return made
  }
}
