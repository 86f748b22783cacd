import Merging

/// A story to be played under a set of rules: one record, its table, the devices, and what is done when.
///
/// A scenario is a value and says nothing of what comes out; ``timeline(under:)`` runs it.
public struct Scenario: Sendable, Equatable, Identifiable {
  /// One chapter of the story.
  public struct Chapter: Sendable, Equatable {
    /// "9a", as the picture numbers it.
    public var label: String
    public var title: String
    public var phase: Phase
    /// nil for the scene before anything happened.
    public var moment: Moment?
  }

  public enum Phase: String, Sendable, CaseIterable {
    case create = "Create and upload"
    case update = "Server-side update"
    case conflict = "Concurrent edits"
  }

  /// A short name without spaces, for a command line.
  public var id: String
  public var title: String
  /// What the story shows, in a sentence or two.
  public var about: String
  public var table: Table
  public var record: RecordName
  public var devices: [String]
  /// The device whose side is shown as the client's.
  public var client: String
  public var chapters: [Chapter]
  /// The conflict that the story starts with; nil if it starts with nothing.
  public var start: RecordConflict?
}

extension Scenario {
  /// Plays the story.
  public func timeline(under rules: RuleSet) -> Timeline { Timeline(self, under: rules) }

  /// The same story with other chapters.
  func with(id: String, title: String, about: String, _ chapters: [Chapter]) -> Scenario {
    Scenario(
      id: id, title: title, about: about, table: table, record: record, devices: devices, client: client,
      chapters: chapters)
  }
}
