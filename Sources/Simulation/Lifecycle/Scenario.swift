import Merging

/// A story to be played under a set of rules: one record, its table, the devices, and what is done when.
///
/// A scenario is a value and says nothing of what comes out; ``timeline(under:)`` runs it.
package struct Scenario: Sendable, Equatable, Identifiable {
  /// One chapter of the story.
  package struct Chapter: Sendable, Equatable {
    /// "9a", as the picture numbers it.
    package var label: String
    package var title: String
    package var phase: Phase
    /// nil for the scene before anything happened.
    package var moment: Moment?
  }

  package enum Phase: String, Sendable, CaseIterable {
    case create = "Create and upload"
    case update = "Server-side update"
    case conflict = "Concurrent edits"
  }

  /// A short name without spaces, for a command line.
  package var id: String
  package var title: String
  /// What the story shows, in a sentence or two.
  package var about: String
  package var table: Table
  package var record: RecordName
  package var devices: [String]
  /// The device whose side is shown as the client's.
  package var client: String
  package var chapters: [Chapter]
  /// The conflict that the story starts with; nil if it starts with nothing.
  package var start: RecordConflict?
}

extension Scenario {
  /// Plays the story.
  package func timeline(under rules: RuleSet) -> Timeline { Timeline(self, under: rules) }

  /// The same story with other chapters.
  func with(id: String, title: String, about: String, _ chapters: [Chapter]) -> Scenario {
    Scenario(
      id: id, title: title, about: about, table: table, record: record, devices: devices, client: client,
      chapters: chapters)
  }
}
