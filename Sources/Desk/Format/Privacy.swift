import Merging
import StoreInterface

/// Whether values are hidden (`P`), and what stands in their place. Whatever names a record, holds a value of it or may quote one
/// passes through here on its way to the screen.
package struct Privacy: Sendable, Equatable {
  package var isOn = false

  static let mark = "***"

  /// A title, a key, a device, or words of the store that may hold one.
  func shown(_ words: String) -> String { isOn && !words.isEmpty ? Privacy.mark : words }

  /// A value in one line. That there is none is no secret.
  func line(_ value: Value?) -> String {
    switch value {
    case nil, .null?: ValueText.line(value)
    case let value?: isOn ? Privacy.mark : ValueText.line(value)
    }
  }

  /// The value of a field; a key that points to another record is shown with that record's title.
  func line(_ value: Value?, of field: String, in conflict: RecordConflict) -> String {
    let text = line(value)
    guard !isOn, let value, let title = conflict.details.references[field]?[value] else { return text }
    return text.count <= 6 ? "\(text) \(title)" : title
  }

  /// The revision that a column shows. All of its digits say what a document holds to somebody who guesses that.
  func revision(_ side: Side, of shown: ShownRecord) -> String? {
    isOn ? shown.shortRevision(side) : shown.revision(side)
  }

  /// What the files show of a finding; without any name, where values are hidden.
  func evidence(of finding: Finding) -> String {
    words(finding.shown)
  }

  func words(_ evidence: Evidence) -> String { evidence.words { isOn ? Privacy.mark : $0 } }
}
