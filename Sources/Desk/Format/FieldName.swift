import Merging
import Terminal

extension String {
  /// The name of a field in at most `width` columns: what does not fit is left out of its middle.
  func fieldName(in width: Int) -> String { DisplayText.cutInside(shownName, to: width) }
}
