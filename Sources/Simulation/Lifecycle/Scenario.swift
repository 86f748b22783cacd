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
  package var record: RecordID
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
}

/// The place of a story at which a person decides.
extension Scenario {
  /// The same story, in which a person decides so.
  package func deciding(_ resolution: Resolution) -> Scenario {
    guard let index = decisionIndex, case .device(let device, .resolve(let record, _))? = step(index) else {
      return self
    }
    var story = self
    story.chapters[index].moment?.step = .device(device, .resolve(record, resolution))
    return story
  }

  fileprivate var decisionIndex: Int? {
    chapters.firstIndex { if case .device(_, .resolve)? = $0.moment?.step { true } else { false } }
  }

  fileprivate func step(_ index: Int) -> Step? { chapters[index].moment?.step }
}

extension Timeline {
  /// The conflict that waits for a person, and the step in which it is decided; nil in a story without one.
  package var decision: (step: Int, conflict: RecordConflict)? {
    guard let index = scenario.decisionIndex, index > 0, case .device(let device, _)? = scenario.step(index),
      let conflict = entries[index - 1].world.standing(of: scenario.record, on: device).conflict
    else { return nil }
    return (index, conflict)
  }
}
