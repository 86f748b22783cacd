import Merging
import Terminal

extension Privacy {
  /// The name of a field, as the app chose it; but that of an attachment is somebody's file.
  func name(_ field: String) -> String {
    isOn && field.hasPrefix(Field.attachmentPrefix) ? "…/" + Privacy.mark : field.shownName
  }

  /// The same in at most `width` columns: what does not fit is left out of its middle.
  func name(_ field: String, in width: Int) -> String { DisplayText.cutInside(name(field), to: width) }

  func words(_ subject: Subject) -> String {
    switch subject {
    case .record: "the whole record"
    case .field(let name): self.name(name)
    }
  }

  /// What a list tells of a conflict: it begins with a field, or tells how many there are.
  func why(_ words: String) -> String {
    guard isOn, words.hasPrefix("…/") else { return words }
    let parts = words.split(separator: ": ")
    return "…/" + Privacy.mark + (parts.count > 1 ? ": \(parts[parts.count - 1])" : "")
  }
}

extension [String] {
  /// The names of fields: "title, notes, list, +2".
  func inWords(_ privacy: Privacy) -> String {
    (prefix(3).map(privacy.name) + (count > 3 ? ["+\(count - 3)"] : [])).joined(separator: ", ")
  }
}
