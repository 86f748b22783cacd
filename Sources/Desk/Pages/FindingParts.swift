import Merging
import StoreInterface
import Telling
import Terminal

extension Finding {
  /// What is told of it wherever it is shown, each under its heading.
  ///
  /// - Parameters:
  ///   - width: of a line of these texts.
  ///   - most: in lines, of what a field has and what would take its place.
  func parts(_ desk: DeskState, width: Int, most: Int = 4) -> [(String, String)] {
    let values = differences.map { words(of: $0, desk, room: most * width) }.joined(separator: "\n")
    let told = differences.first.map { [($0.headingOfFinding, values)] } ?? []
    return [("Shown by", evidence)] + told + [("Because", cause), ("Mended by", remedy)]
  }

  /// "notes, server: two → here: three"; of what would be ended "notes: two".
  private func words(of field: LastWrite.FieldChange, _ desk: DeskState, room: Int) -> String {
    let name = desk.privacy.wholeName(field.label)
    if field.after == nil {
      let value = DisplayText.safe(desk.privacy.told(field).old)
      return "\(name): " + DisplayText.cut(value, to: max(8, room - DisplayText.width(name) - 2))
    }
    let (first, second) = ("\(name), \(parties.before): ", " → \(parties.after): ")
    let width = max(8, (room - DisplayText.width(first + second)) / 2)
    let texts = desk.privacy.texts(field, widths: (width, width), lines: 1, isASCII: desk.isASCII)
    let cut = { DisplayText.cut(DisplayText.safe($0), to: width) }
    return first + cut(texts.old) + second + cut(texts.new)
  }

  /// Of what is wrong: what only waits is no failure.
  var ink: Ink { isWaiting ? .dim : .failed }
}

extension Privacy {
  /// What was there, and what took its place, cut so that it is seen where they differ.
  func texts(
    _ field: LastWrite.FieldChange, widths: (old: Int, new: Int), lines: Int, isASCII: Bool
  ) -> (old: String, new: String) {
    let (old, new) = (field.before, field.after)
    guard field.titles.isEmpty else {
      return (line(old, titles: field.titles), line(new, titles: field.titles))
    }
    let texts = pair(old, new, widths: widths, lines: lines, isASCII: isASCII)
    return quoting(texts, of: old, new, isASCII: isASCII) { quoted($0, kind: field.kind) }
  }
}
