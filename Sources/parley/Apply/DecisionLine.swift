import ExactJSON
import Merging
import StoreInterface

// Decisions on their way from one journal to another, one JSON object a line; OUTPUT.md tells of every member.
//
//   {"id":"…:reminders","field":"title","choice":"server","fingerprint":"…","note":"as the customer said"}
//   {"id":"#615e016f:reminders","choice":"keep","fingerprint":"…"}          the record as a whole
//   {"id":"…","field":"title","choice":"value","value":"Milk","fingerprint":"…"}
//   {"mend":"never-uploaded:#615e016f"}                                     a finding of parley doctor

/// One line of such a file.
enum DecisionLine: Equatable {
  case decision(GivenDecision)
  /// A finding, by its id or by the one that a redacted report gives it.
  case mending(Finding.ID)
}

/// A decision as it was given: nobody has looked yet whether there is such a record.
struct GivenDecision: Equatable {
  var record: String
  /// nil for the record as a whole.
  var field: String?
  var choice: Word
  var fingerprint: Fingerprint
  var note: String?

  enum Word: Equatable {
    /// A side, or an alternative.
    case named(String)
    case value(Value, isMerged: Bool)
  }
}

/// The lines of a file.
struct DecisionFile {
  private(set) var lines: [(number: Int, line: DecisionLine)] = []

  /// - Throws: ``CommandError/badDecision(line:reason:)``
  init(_ bytes: [UInt8]) throws(CommandError) {
    var start = 0
    for (number, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .enumerated()
    {
      do {
        if let read = try DecisionLine(bytes, in: start..<start + line.count) {
          lines.append((number + 1, read))
        }
      } catch {
        throw .badDecision(line: number + 1, reason: error.reason)
      }
      start += line.count + 1
    }
  }
}

extension DecisionLine {
  struct Problem: Error {
    var reason: String
  }

  /// nil for an empty line.
  fileprivate init?(_ bytes: [UInt8], in range: Range<Int>) throws(Problem) {
    var rules = JSONReader.Rules()
    (rules.numeral, rules.passesByteOrderMark) = (nil, range.lowerBound == 0)
    var reader = JSONReader(bytes, in: range, rules: rules)
    do {
      guard let node = try reader.next() else { return nil }
      guard try reader.next() == nil else { throw Problem(reason: "one object a line, and here are several") }
      self = try DecisionLine(node)
    } catch let problem as Problem {
      throw problem
    } catch {
      throw Problem(
        reason: (error as? JSONProblem).map { "\($0.reason); each line is one object in JSON" } ?? "\(error)")
    }
  }

  private init(_ node: JSONNode) throws {
    guard let members = node.members else {
      throw Problem(reason: "an object belongs here, not \(node.kind)")
    }
    if let finding = node["mend"]?.text {
      if finding.isEmpty { throw Problem(reason: "“mend” names a finding, as parley doctor --json tells it") }
      self = .mending(finding)
    } else {
      try DecisionLine.check(members.keys.map(\.text))
      self = .decision(try GivenDecision(node))
    }
  }

  private static let known: Set = [
    "id", "field", "choice", "value", "merged", "fingerprint", "note", "answer",
  ]

  /// What is mistyped would else be passed over: a decision about a field would be one about the record.
  private static func check(_ names: [String]) throws(Problem) {
    guard let name = names.sorted().first(where: { !known.contains($0) }) else { return }
    throw Problem(reason: "there is no member \(name); known are \(known.sorted().joined(separator: ", "))")
  }
}

extension GivenDecision {
  fileprivate init(_ node: JSONNode) throws {
    let id = try Self.text("id", of: node)
    let print = try Self.text("fingerprint", of: node)
    guard [32, 64, 96].contains(print.utf8.count), Hexadecimal.bytes(print) != nil else {
      throw DecisionLine.Problem(
        reason: "a fingerprint has 32, 64 or 96 hexadecimal digits, as parley show --json tells it")
    }
    self.init(
      record: id, field: node["field"] == nil ? nil : try Self.text("field", of: node),
      choice: try Self.choice(of: node),
      fingerprint: Fingerprint(stored: print),
      note: node["note"] == nil ? nil : try Self.text("note", of: node))
  }

  private static func text(_ name: String, of node: JSONNode) throws -> String {
    guard let value = node[JSONText(name)] else {
      throw DecisionLine.Problem(reason: "a decision needs “\(name)”, as a string")
    }
    if let text = value.text { return text }
    throw DecisionLine.Problem(reason: "“\(name)” has to be a string")
  }

  private static func choice(of node: JSONNode) throws -> Word {
    let word = try text("choice", of: node)
    guard word == "value" else {
      try refuseValue(beside: word, of: node)
      return .named(word)
    }
    guard let value = node.members?["value"] else {
      throw DecisionLine.Problem(reason: "the choice “value” needs the member “value”")
    }
    return .value(try self.value(of: value), isMerged: node["merged"]?.bool == true)
  }

  /// A number that is no integer stays its digits: its field says what is kept of it, and whether that is the same.
  private static func value(of node: JSONNode) throws -> Value {
    guard let digits = node.numeral, Int64(digits) == nil else { return try RowJSON.value(node) }
    return .opaque(kind: Value.jsonKind, bytes: Array(digits.utf8))
  }

  /// Whoever wrote both meant one of them, and nobody knows which.
  private static func refuseValue(beside word: String, of node: JSONNode) throws {
    guard let name = ["value", "merged"].first(where: { node[JSONText($0)] != nil }) else { return }
    throw DecisionLine.Problem(
      reason: "the member “\(name)” belongs to the choice “value”, and the choice here is “\(word)”")
  }
}

extension JSON {
  /// A decision in force, as ``GivenDecision`` reads it; nil for one that takes back.
  init?(exported decision: Decision) {
    guard let choice = decision.choice, let told = JSON.members(of: choice) else { return nil }
    var members: [(name: String, value: JSON)] = [("id", .string(decision.id))]
    if let field = decision.subject.fieldName { members.append(("field", .string(field))) }
    members += told
    members.append(("fingerprint", .string(decision.fingerprint.stored)))
    members += decision.note.map { [("note", .string($0))] } ?? []
    // For whoever reads it: what is decided is the choice, and who takes it names it anew.
    members += decision.answer.map { [("answer", .string($0))] } ?? []
    self = .object(members)
  }

  /// nil for what is put together by half: it decides nothing.
  private static func members(of choice: Choice) -> [(name: String, value: JSON)]? {
    switch choice {
    case .parts(let parts): parts.value.flatMap { members(of: .merged($0)) }
    case .take(let side): [("choice", .string(side.rawValue))]
    case .alternative(let id): [("choice", .string(id))]
    case .edit(let value): [("choice", .string("value")), ("value", JSON(value))]
    // A person accepted what a policy computed: the draft says so.
    case .merged(let value): [("choice", .string("value")), ("value", JSON(value)), ("merged", .bool(true))]
    }
  }
}
