import ExactJSON

@testable import CouchDBServers

/// Compares answers by meaning. What only the server that made it understands (sequences, ids it chose, times) is compared
/// by kind, and the same one must stand for the same one from then on.
struct OpaqueValues {
  /// What the recording has, and what stands for it here.
  private var names: [String: String]
  /// Revisions whose ids cannot come out alike: of bodies that are shorter here, and of users with their salts.
  var revisions: Set<String> = []

  init(url: String) { names = ["http://127.0.0.1:5984": url] }

  private static let sequences: Set<String> = [
    "seq", "last_seq", "update_seq", "purge_seq", "source_last_seq", "start_last_seq", "end_last_seq",
    "recorded_seq",
  ]
  private static let texts: Set<String> = [
    "instance_start_time", "session_id", "uuid", "start_time", "end_time", "git_sha", "version",
  ]
  /// What a server tells of itself, and what an error's number is.
  private static let anything: Set<String> = [
    "vendor", "features", "sizes", "cluster", "ref", "bulk_get_docs",
  ]

  /// In the words of this server.
  func translated(_ text: String) -> String {
    var text = text
    for (recorded, ours) in names where text.contains(recorded) {
      text = text.replacing(recorded, with: ours)
    }
    return text
  }

  mutating func learn(_ recorded: String, _ ours: String) -> Bool {
    if let known = names[recorded] { return known == ours }
    names[recorded] = ours
    return true
  }

  /// - Parameter ignored: names whose values are not compared.
  /// - Returns: where they differ; nil if they are equal.
  mutating func difference(_ recorded: JSON, _ ours: JSON, ignoring ignored: Set<String>, name: String = "")
    -> String?
  {
    if ignored.contains(name) || OpaqueValues.anything.contains(name) { return nil }
    switch (recorded, ours) {
    case (.object(let left), .object(let right)):
      let (left, right) = (left.filter { $0.name != "ref" }, right)
      guard left.map(\.name) == right.map(\.name) else {
        return "\(name): \(left.map(\.name)) / \(right.map(\.name))"
      }
      for (left, right) in zip(left, right) {
        if let found = difference(left.value, right.value, ignoring: ignored, name: left.name) {
          return found
        }
      }
      return nil
    case (.array(let left), .array(let right)):
      guard left.count == right.count else { return "\(name): \(left.count) elements / \(right.count)" }
      for (left, right) in zip(left, right) {
        if let found = difference(left, right, ignoring: ignored, name: name) { return found }
      }
      return nil
    case (.string(let left), .string(let right)):
      return isEqual(left, right, name) ? nil : "\(name): \(left) / \(right)"
    case (.literal(let left), .literal(let right)) where left == right: return nil
    default: return "\(name): \(recorded.asWritten) / \(ours.asWritten)"
    }
  }

  private mutating func isEqual(_ recorded: String, _ ours: String, _ name: String) -> Bool {
    if OpaqueValues.sequences.contains(name) {
      // The same place has several names on a cluster.
      names[recorded] = names[recorded] ?? ours
      return recorded.contains("-") && ours.contains("-")
    }
    if OpaqueValues.texts.contains(name) { return !ours.isEmpty }
    let isMade = ["id", "key", "_id", "uuids"].contains(name) && OpaqueValues.isHexadecimal(recorded)
    if isMade || revisions.contains(recorded) { return ours.count == recorded.count && learn(recorded, ours) }
    return translated(recorded).hasSameBytes(as: ours)
  }

  private static func isHexadecimal(_ text: String) -> Bool {
    text.utf8.count == 32 && Hexadecimal.bytes(text) != nil
  }
}
