import Foundation
import GRDB
import Merging

/// The queue inside of the sync engine's own state: the records that wait for upload or deletion since the app ran.
///
///     sqlitedata_icloud_stateSerialization.data   {"data": "…base64…"}
///     root  {pendingRecordModifications: {NS.object.0: {type: 0, recordID: CKRecordID}, NS.object.1: …}, …}
///
/// The layout was measured on a device by others, and is not documented. What is not there is not queued; what cannot be
/// read is told as a finding, as every "never sent" is then in doubt.
struct EngineQueue: Sendable {
  private(set) var recordNames: Set<String> = []
  private(set) var findings: [Finding] = []

  init(in db: Database) throws {
    let exists = "SELECT 1 FROM \(quoted(Metadatabase.schema)).sqlite_master WHERE name = ?"
    guard try db.firstRow(exists, [.text(Metadatabase.state)], { _ in true }) != nil else { return }
    try db.forEachRow("SELECT scope, data FROM \(Metadatabase.sqlName(Metadatabase.state))") { row in
      append(scope: row.text(0), row.text(1))
    }
  }

  /// The names of the records in one state.
  init(state json: String) throws {
    recordNames = try EngineQueue.recordNames(json)
  }

  private mutating func append(scope: String, _ json: String) {
    do {
      recordNames.formUnion(try EngineQueue.recordNames(json))
    } catch {
      findings.append(Finding(unreadable: scope, "\(error)"))
    }
  }

  private static func recordNames(_ json: String) throws -> Set<String> {
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
    guard let text = (object as? [String: Any])?["data"] as? String, let bytes = Data(base64Encoded: text)
    else {
      throw RowJSON.Malformed(description: "it is not the JSON of a keyed archive")
    }
    return try bytes.withUnsafeBytes { bytes in
      var archive = try KeyedArchive(bytes)
      return try archive.queuedRecordNames()
    }
  }
}

extension KeyedArchive {
  fileprivate mutating func queuedRecordNames() throws(ArchiveError) -> Set<String> {
    guard let root = try entry("root", of: top) else { throw ArchiveError(.missing, keys: ["root"]) }
    let state = try object(root)
    var names: Set<String> = []
    for key in ["pendingRecordModifications", "inFlightRecordModifications"] as [StaticString] {
      guard let index = try entry(key, of: state), case .dictionary(let changes) = try target(of: index)
      else { continue }
      for position in 0..<changes.count { try addChange(position, of: changes, to: &names) }
    }
    return names
  }

  /// An ordered set keeps its members under NS.object.0, NS.object.1 and so on; other keys are passed over.
  private mutating func addChange(_ position: Int, of changes: Extent, to names: inout Set<String>)
    throws(ArchiveError)
  {
    let (key, index) = try entry(position, of: changes)
    guard key.text.hasPrefix("NS.object"), case .dictionary(let change) = try target(of: index),
      let recordID = try entry("recordID", of: change)
    else { return }
    names.insert(try self.recordID(recordID).recordName)
  }
}

extension Finding {
  fileprivate init(unreadable scope: String, _ reason: String) {
    self.init(
      id: "engine-state-unreadable:\(scope)", table: Metadatabase.state, record: scope,
      title: "engine state \(scope)",
      what: "engine state unreadable",
      evidence: "The state of the sync engine for the scope \(scope) cannot be read: \(reason).",
      cause: "The system that wrote it keeps it in a form that is not known here, or the file was damaged.",
      remedy: "Nothing has to be done; but a record told as never sent may be queued in there after all.")
  }
}
