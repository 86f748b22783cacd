import Merging
import Testing

/// One case of sync-android, whose steps the file tells in prose: a device plays them, with the revisions that the library
/// names at random called by the word in front.
struct AndroidCase: Sendable, CustomTestStringConvertible {
  enum Step: Sendable {
    case create(String, name: String)
    /// forceInsert of the last one with its history.
    case insert([String], name: String, isDeleted: Bool = false)
    case update(String, on: String, name: String)
    case delete(String, on: String)
    case attach(String, to: String)
  }

  enum Decision: Sendable {
    /// The leaf that the resolver returns as it is.
    case keep(String)
    /// A new body.
    case write(name: String)
    /// The resolver throws, or returns nothing.
    case none
  }

  let id: String
  let steps: [Step]
  var decision: Decision?
  /// What the winner has attached after a decision.
  var attached: [String] = []

  var testDescription: String { id }
}

extension AndroidCase {
  static let two: [Step] = [.create("tom", name: "Tom"), .insert(["1-a", "2-a"], name: "Jerry")]
  static let carl = Step.insert(["1-b", "2-b", "3-b", "4-b"], name: "Carl")

  static let all = [
    AndroidCase(id: "and-01", steps: [.create("tom", name: "Tom"), .insert(["1-rev"], name: "Jerry")]),
    AndroidCase(
      id: "and-02",
      steps: [
        .create("tom", name: "Tom"), .insert(["1-a", "2-a", "3-a", "4-a"], name: "Jerry"),
        .insert(["1-b", "2-b", "3-b"], name: "Harry"),
      ]),
    AndroidCase(id: "and-05", steps: two, decision: Decision.none),
    AndroidCase(id: "and-06", steps: two, decision: Decision.none),
    AndroidCase(
      id: "and-08", steps: two + [.attach("att1", to: "tom")], decision: .keep("tom"), attached: ["att1"]),
    AndroidCase(
      id: "and-09",
      steps: two + [
        .update("attached", on: "2-a", name: "Jerry With Attachments"), .attach("att1", to: "attached"),
      ],
      decision: .keep("tom")),
    // The library's resolver adds an attachment too, which a desk cannot: it takes those that are there.
    AndroidCase(id: "and-10", steps: two, decision: .write(name: "mutable")),
    // Of this one the tree only: its resolver adds an attachment and nothing else.
    AndroidCase(id: "and-11", steps: two),
    AndroidCase(id: "and-13", steps: two + [carl], decision: .keep("tom")),
    AndroidCase(
      id: "and-14",
      steps: [
        .create("tom", name: "Tom"), .delete("gone", on: "tom"), .insert(["1-a", "2-a"], name: "Jerry"), carl,
      ], decision: Decision.none),
    AndroidCase(id: "and-16", steps: two, decision: .write(name: "Dave")),
    AndroidCase(
      id: "and-20",
      steps: [
        .insert(["1-x", "2-x", "3-x", "4-x", "5-x", "6-x"], name: "x"), .insert(["1-x", "2-y"], name: "y"),
        .insert(["6-x", "7-x"], name: "", isDeleted: true),
      ]),
    AndroidCase(id: "and-22", steps: [.insert(["1-a"], name: "a"), .insert(["1-b"], name: "b")]),
    AndroidCase(id: "and-23", steps: [.insert(["1-x"], name: "x"), .insert(["1-a"], name: "a")]),
    AndroidCase(
      id: "and-25",
      steps: [
        .insert(["1-rev", "2-rev", "4-rev"], name: "4"), .update("five", on: "4-rev", name: "5"),
        .update("six", on: "five", name: "6"), .delete("seven", on: "six"),
        .insert(["1-rev", "2-rev", "4-rev", "5-rev"], name: "5"),
      ]),
    AndroidCase(
      id: "and-26",
      steps: [
        .insert(["1-rev", "2-rev", "4-rev"], name: "4"), .update("five", on: "4-rev", name: "5"),
        .update("six", on: "five", name: "6"),
        .insert(
          ["1-rev", "2-rev", "4-rev", "5-rev", "6-rev", "7-rev", "8-rev"], name: "", isDeleted: true),
      ]),
  ]
}

extension Replica {
  /// - Returns: the ids by their words.
  func play(_ steps: [AndroidCase.Step], on document: String = "doc") throws -> [String: String] {
    var names: [String: String] = [:]
    func id(_ word: String) -> String { names[word] ?? word }
    for step in steps {
      switch step {
      case .create(let word, let name): names[word] = try create(document, Replica.body(name))
      case .insert(let history, let name, let isDeleted):
        try insert(document, history, isDeleted ? "{}" : Replica.body(name), isDeleted: isDeleted)
      case .update(let word, let parent, let name):
        names[word] = try edit(document, on: id(parent), Replica.body(name))
      case .delete(let word, let parent):
        names[word] = try edit(document, on: id(parent), "{}", isDeleted: true)
      case .attach(let name, let revision):
        try attach(name, Array("content of \(name)".utf8), to: id(revision), of: document)
      }
    }
    return names
  }

  static func body(_ name: String) -> String { #"{"name":"\#(name)"}"# }
}
