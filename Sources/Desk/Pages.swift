import Merging
import StoreInterface

package struct TreePage: Sendable, Equatable {
  package var id: String
  /// What a person would call the record.
  package var title: String
  /// The line under the cursor.
  package var line = 0
  /// The revision under the cursor, by its place in the branch; nil for the leaf.
  package var place: Int?
  /// The tree that line and place are of, as long as another is being read in its stead.
  var former: DrawnTree?
  /// Whether leaves that are many are drawn one by one.
  package var isUnfolded = false
  /// An id being looked for.
  package var words: InputLine?
}

package struct EditorPage: Sendable, Equatable {
  package var id: String
  package var field: Field
  package var input: InputLine
  package var isNull: Bool
  /// The versions that Up and Down walk through, and what was typed before.
  package var copied: Side?
  package var typed: String
  /// What the store said last, of a value that may have changed since.
  var judgement: Judgement?
  /// Whether it was asked and has not answered.
  var isAsking = false
  /// Whether the value is kept as soon as the store has said that it fits.
  var isKeeping = false
  /// Whether its record is in conflict no longer: nothing can be kept, only read.
  var isSettled = false
  /// See ``RecordPage/leaf``.
  package var leaf: Leaf.ID?
}
