import ExactJSON
import Merging

/// How the versions of a document spell the names of their fields.
///
/// Names that differ in their Unicode normal form alone are one field, as String has it, and two keys to every store. Under one of the
/// spellings all versions can be shown; written so, a leaf's own key would be renamed without a word.
struct NameSpellings: Sendable {
  /// Each name once, as the first version that has it spells it.
  private(set) var names: Set<String> = []
  /// Those that a later leaf spells otherwise.
  private(set) var twofold: Set<String> = []

  /// - Parameters:
  ///   - leaves: the winner first.
  ///   - ancestor: its keys are written nowhere, so it may spell them as it likes.
  init(leaves: [RecordVersion], ancestor: RecordVersion?) {
    for fields in leaves.lazy.compactMap(\.fields) {
      for name in fields.keys { add(name) }
    }
    names.formUnion(ancestor?.fields?.keys ?? [])
  }

  private mutating func add(_ name: String) {
    let (isNew, known) = names.insert(name)
    if !isNew, !known.hasSameBytes(as: name) { twofold.insert(known) }
  }
}
