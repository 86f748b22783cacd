import Merging

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
