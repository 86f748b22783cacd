import Foundation
import Merging
import Testing

/// Merges that the SQLiteData community agreed on, kept as facts outside the project: `cases/sqlitedata.json`.
///
/// Skipped where the facts are not beside the repository: they are no part of it. `PARLEY_SHARED` names another folder.
@Suite(.enabled(if: SharedCases.exist, "\(SharedCases.file.path) is missing"))
struct ConformanceTests {
  @Test(arguments: SharedCases.scenarios)
  func theDraftHoldsTheExpectedValues(scenario: Scenario) {
    let merge = scenario.expectedThreeWay
    let conflict = scenario.conflict(tie: merge.tieRule.hasPrefix("server") ? .server : .client)
    expect(conflict, toGive: merge.values)
  }

  @Test(arguments: SharedCases.scenarios.filter { $0.expectedThreeWay.valuesPR370TieServer != nil })
  func withTiesToTheServerTheDraftHoldsTheirValues(scenario: Scenario) throws {
    let values = try #require(scenario.expectedThreeWay.valuesPR370TieServer)
    expect(scenario.conflict(tie: .server), toGive: values)
  }

  @Test(arguments: SharedCases.scenarios)
  func eachFieldIsDecidedAsExpected(scenario: Scenario) {
    let conflict = scenario.conflict(
      tie: scenario.expectedThreeWay.tieRule.hasPrefix("server") ? .server : .client)
    for field in conflict.fields {
      let word = scenario.expectedThreeWay.decision[field.name] ?? ""
      guard var expected = Expected(word) else { continue }
      // Upstream lets the clock decide without an ancestor too; here a person does, and the newer is suggested.
      if !scenario.hasAncestor, expected.certainty == .byClock { expected.certainty = .yours }
      #expect(Expected(field) == expected, "\(field.name): \(word)")
    }
  }

  @Test func mostDecisionsAreCompared() {
    let words = SharedCases.scenarios.flatMap { $0.expectedThreeWay.decision.values }
    let compared = words.filter { Expected($0) != nil }
    #expect(SharedCases.scenarios.count >= 29)
    #expect(
      words.count - compared.count <= 3,
      "sentences about the client's times: \(words.filter { Expected($0) == nil })")
  }

  @Test(arguments: SharedCases.scenarios.filter { $0.clientTime != nil && $0.hasAncestor })
  func theClientsTimesAreDerivedAsExpected(scenario: Scenario) {
    let derived = RecordVersion.client(
      row: scenario.client.fields?.mapValues(\.value) ?? [:], modificationTime: scenario.clientTime,
      ancestor: scenario.ancestor ?? .absent)
    #expect(derived == scenario.client)
  }

  private func expect(_ conflict: RecordConflict, toGive values: [String: Value]) {
    #expect(conflict.fields.count == values.count)
    for field in conflict.fields {
      #expect(field.suggestion.value == values[field.name], "\(field.name)")
    }
  }
}

/// What a decision of the facts says in our words.
private struct Expected: Equatable {
  var change: Change
  var source: Source?
  var certainty: Certainty?

  init(_ field: FieldConflict) {
    (change, source, certainty) = (field.change, field.suggestion.source, field.suggestion.certainty)
  }

  /// nil for a sentence about something else.
  init?(_ word: String) {
    switch word {
    case "unchanged": (change, source, certainty) = (.unchanged, nil, nil)
    case "clientOnly": (change, source, certainty) = (.onlyClient, .client, .sure)
    case "serverOnly": (change, source, certainty) = (.onlyServer, .server, .sure)
    case "clientNewer": (change, source, certainty) = (.different, .client, .byClock)
    case "serverNewer": (change, source, certainty) = (.different, .server, .byClock)
    case "tie", "tieNoAncestor": (change, source, certainty) = (.different, .client, .yours)
    case "tie -> server": (change, source, certainty) = (.different, .server, .yours)
    case "clientNewerNoAncestor": (change, source, certainty) = (.different, .client, .yours)
    case "serverNewerNoAncestor": (change, source, certainty) = (.different, .server, .yours)
    case "equalNoAncestor", "equal values short-circuit, policy not called", "bothSameValue",
      "bothSameValue, policy is consulted":
      (change, source, certainty) = (.same, .both, .sure)
    default: return nil
    }
  }
}

enum SharedCases {
  static let file: URL = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let shared = ProcessInfo.processInfo.environment["PARLEY_SHARED"].map { URL(filePath: $0) }
    return (shared ?? root.appending(path: "../shared")).appending(path: "cases/sqlitedata.json").standardized
  }()

  static let exist = FileManager.default.fileExists(atPath: file.path)

  static let scenarios: [Scenario] = {
    struct Cases: Decodable { let scenarios: [Scenario] }
    guard exist else { return [] }
    do {
      return try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file)).scenarios
    } catch {
      Issue.record("\(file.path) cannot be read: \(error)")
      return []
    }
  }()
}

struct Scenario: Decodable, Sendable, CustomTestStringConvertible {
  struct Field: Decodable, Sendable {
    let name: String
    let ancestor: Version?
    let client: Version
    let server: Version
  }

  struct Version: Decodable, Sendable {
    let value: Value
    let time: Int64?
    let derivedTime: Int64?

    var field: FieldVersion<Value> { FieldVersion(value, time: derivedTime ?? time) }
  }

  struct Merge: Decodable, Sendable {
    let values: [String: Value]
    let decision: [String: String]
    let tieRule: String
    let valuesPR370TieServer: [String: Value]?
  }

  let id: String
  let table: String
  let primaryKey: String?
  let fields: [Field]
  let expectedThreeWay: Merge
  private let rowTime: RowTime?

  private enum CodingKeys: String, CodingKey {
    case id, table, primaryKey, fields, expectedThreeWay
    case rowTime = "clientTime"
  }

  var testDescription: String { id }

  /// nil where the facts give each field a time of its own.
  var clientTime: Int64? { rowTime?.time }
  var hasAncestor: Bool { ancestor != nil }

  var client: RecordVersion { version(\.client) }

  /// A record either has an ancestor or none; a field that lacks one makes the whole record lack it.
  var ancestor: RecordVersion? {
    let known = fields.compactMap { field in field.ancestor.map { (field.name, $0.field) } }
    return known.count == fields.count ? .present(Dictionary(uniqueKeysWithValues: known)) : nil
  }

  func conflict(tie: TieRule) -> RecordConflict {
    RecordConflict(
      id: "1:\(table)", table: table, primaryKey: "1", title: id,
      fields: fields.map { Merging.Field($0.name, isPrimaryKey: $0.name == primaryKey) },
      versions: ThreeWay(ancestor: ancestor, client: client, server: version(\.server)),
      rules: MergeRules(tie: tie))
  }

  private func version(_ side: (Field) -> Version) -> RecordVersion {
    .present(Dictionary(uniqueKeysWithValues: fields.map { ($0.name, side($0).field) }))
  }
}

/// A number, or a sentence that says there is none.
private struct RowTime: Decodable, Sendable {
  let time: Int64?

  init(from decoder: any Decoder) throws { time = try? decoder.singleValueContainer().decode(Int64.self) }
}

/// As the facts write values: texts, numbers, null, Booleans as 0 and 1, and blobs as `{"blob": "sha256:X"}`.
extension Value: Decodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .integer(flag ? 1 : 0)
    } else if let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else if let real = try? container.decode(Double.self) {
      self = .real(real)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      let blob = try container.decode([String: String].self)
      self = .blob(Blob(sha256: Array((blob["blob"] ?? "").utf8)))
    }
  }
}
