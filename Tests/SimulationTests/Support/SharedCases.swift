import Foundation
import Merging
import StoreInterface
import Testing

@testable import Simulation

/// What the SQLiteData community and its tests agree on, kept as facts outside the project: `cases/sqlitedata.json`.
///
/// Tests of it are skipped where the facts are not beside the repository. `PARLEY_SHARED` names another folder.
enum SharedCases {
  /// The folder of all case files.
  static let folder: URL = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let shared = ProcessInfo.processInfo.environment["PARLEY_SHARED"].map { URL(filePath: $0) }
    return (shared ?? root.appending(path: "../shared")).appending(path: "cases").standardized
  }()

  static let file = folder.appending(path: "sqlitedata.json")

  static let exist = FileManager.default.fileExists(atPath: file.path)

  static let all: Cases = {
    guard exist else { return Cases(scenarios: [], lifecycleScenarios: []) }
    do {
      return try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file))
    } catch {
      Issue.record("\(file.path) cannot be read: \(error)")
      return Cases(scenarios: [], lifecycleScenarios: [])
    }
  }()

  static var played: [FieldCase] { all.scenarios.filter { $0.expectedCurrentBehaviour != nil } }
}

struct Cases: Decodable, Sendable {
  let scenarios: [FieldCase]
  let lifecycleScenarios: [LifecycleCase]
}

struct LifecycleCase: Decodable, Sendable {
  let id: String
  let then: String
}

struct FieldCase: Decodable, Sendable, CustomTestStringConvertible {
  struct Column: Decodable, Sendable {
    let name: String
    let ancestor: Version?
    let client: Version
    let server: Version
  }

  struct Version: Decodable, Sendable {
    let value: CaseValue
    let time: Int64?
    let derivedTime: Int64?

    var field: FieldVersion<Value> { FieldVersion(value.value, time: derivedTime ?? time) }
  }

  struct Merged: Decodable, Sendable {
    let values: [String: CaseValue]
    let tieRule: String
    let valuesPR370TieServer: [String: CaseValue]?
  }

  struct Today: Decodable, Sendable {
    let localRow: [String: CaseValue]
    let serverRecord: [String: Version]
    let userModificationTime: Int64?
    let stillPending: Bool
    let dates: String?
    let processingTime: Int64?

    var recordDates: RuleSet.RecordDates { dates?.hasPrefix("main mock") == true ? .absent : .present }
  }

  let id: String
  let table: String
  let primaryKey: String?
  let fields: [Column]
  let path: String
  let sendOrder: String?
  let processingTime: Int64?
  let expectedThreeWay: Merged
  let expectedCurrentBehaviour: Today?
  let expectedCurrentBehaviourProductionClock: Today?
  private let rowTime: RowTime?

  private enum CodingKeys: String, CodingKey {
    case id, table, primaryKey, fields, path, sendOrder, processingTime, expectedThreeWay
    case expectedCurrentBehaviour, expectedCurrentBehaviourProductionClock
    case rowTime = "clientTime"
  }

  var testDescription: String { id }

  /// nil where the facts give each field a time of its own.
  var clientTime: Int64? { rowTime?.time }
}

/// A number, or a sentence that says there is none.
private struct RowTime: Decodable, Sendable {
  let time: Int64?

  init(from decoder: any Decoder) throws { time = try? decoder.singleValueContainer().decode(Int64.self) }
}

/// A value as the facts write it: texts, numbers, null, Booleans as 0 and 1, and blobs as `{"blob": "sha256:X"}`.
struct CaseValue: Decodable, Sendable {
  let value: Value

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      value = .null
    } else if let flag = try? container.decode(Bool.self) {
      value = .integer(flag ? 1 : 0)
    } else if let integer = try? container.decode(Int64.self) {
      value = .integer(integer)
    } else if let real = try? container.decode(Double.self) {
      value = .real(real)
    } else if let text = try? container.decode(String.self) {
      value = .text(text)
    } else {
      let blob = try container.decode([String: String].self)
      value = .blob(Blob(bytes: Array((blob["blob"] ?? "").utf8)))
    }
  }
}
