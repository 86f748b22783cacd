import Merging
import StoreInterface

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
