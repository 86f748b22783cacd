import Merging

extension RecordVersion {
  /// Whether a field was set after `time`, which is later than now: a clock was wrong.
  func isAhead(of time: Int64?) -> Bool {
    guard let time else { return false }
    if case .deleted(let deletedAt?) = self { return deletedAt > time }
    return fields?.values.contains { $0.time.map { $0 > time } ?? false } ?? false
  }
}

extension ThreeWay<RecordVersion> {
  /// What a person should know of clocks that were wrong.
  func notesOfTimesAhead(of time: Int64?) -> [String] {
    [("client", client), ("server", server)].filter { $0.1.isAhead(of: time) }.map { side, _ in
      "a time of the \(side) lies in the future: a device's clock was wrong, and it does not prove that edit to be the newer"
    }
  }
}
