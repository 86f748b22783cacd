import ExactJSON
import Foundation
import Merging
import StoreInterface

/// The requests of a decision, in the server's own parameter names (FORMAT.md, "Requests").
///
///     UploadFile    FileUUID, FileVersion = index + 1, CloudFileName, FileMIMEType, AppMetaData, UndeleteFile = true or absent
///     DeleteFiles   FilesToDelete: [{FileUUID, FileVersion = index}]
///
/// The server checks little of it, and some too late: a stale deletion trashes the file before it fails. So each stands under a
/// condition of its own that whoever sends it has to check, under the server's lock: of several the later ones expect what the
/// earlier have made.
struct OutboxRequests {
  private let file: FileConflict
  private let files: ContainerFiles

  init(_ file: FileConflict, _ files: ContainerFiles) { (self.file, self.files) = (file, files) }

  private var news: FileStanding.News { file.standing.news }
  private var rows: FileRows { file.standing.rows }

  /// - Throws: ``Refusal`` if what is to be sent cannot be read.
  func requests(_ decision: FileDecision) throws -> [JSON] {
    switch decision {
    case .accept: return []
    case .draft(let bytes): return [try upload(bytes, 1, undeletes: news.isDeletion)]
    case .keepUpload: return try uploads
    case .keepDeletion: return [deletion(after: 0)]
    case .keep:
      return try uploads + (rows.deletions.isEmpty ? [] : [deletion(after: Int64(rows.files.count))])
    }
  }

  /// What has to be so for the first of them to be sent.
  var precondition: JSON { precondition(after: 0) }

  /// - Parameter steps: how many were sent before.
  private func precondition(after steps: Int64) -> JSON {
    JSON(members: [
      "FileVersion": .integer(news.version &+ steps), "Deleted": .bool(news.isDeletion && steps == 0),
    ])
  }

  /// Each upload that waits, one version after the other.
  private var uploads: [JSON] {
    get throws {
      try rows.files.enumerated().map { index, upload in
        do {
          let bytes = try files.bytes(archive: upload.url)
          return try self.upload(bytes, Int64(index + 1), undeletes: undeletes(upload, index))
        } catch let unreadable as UnreadableFile {
          throw Refusal(FileConflict.content, unreadable.reason)
        }
      }
    }
  }

  /// One that was to undelete already still does: another device may have been faster, and then it does no harm.
  private func undeletes(_ upload: FileRows.Upload, _ index: Int) -> Bool {
    news.isDeletion && index == 0 || upload.undelete == 1
  }

  private func upload(_ bytes: [UInt8], _ step: Int64, undeletes: Bool) throws -> JSON {
    guard let name = rows.name, let type = rows.mimeType else {
      throw Refusal(nil, "the store does not tell its name on the server and its type, which an upload needs")
    }
    var parameters: [(name: String, value: JSON)] = [
      ("FileUUID", .string(rows.uuid)), ("FileVersion", .integer(news.version &+ step)),
      ("CloudFileName", .string(name)), ("FileMIMEType", .string(type)),
    ]
    parameters += try metadata.map { [("AppMetaData", $0)] } ?? []
    if undeletes { parameters.append(("UndeleteFile", .bool(true))) }
    return .object([
      ("operation", .string("UploadFile")), ("precondition", precondition(after: step - 1)),
      ("parameters", .object(parameters)), ("content", content(bytes)),
    ])
  }

  private var metadata: JSON? {
    get throws {
      guard let bytes = rows.metadata else { return nil }
      do {
        return JSON(exactly: try JSONValue(parsing: bytes))
      } catch {
        throw Refusal(
          nil, "its appMetaData is no JSON that can be sent (\(error)), and would be lost on the server")
      }
    }
  }

  private func deletion(after steps: Int64) -> JSON {
    let version = JSON.integer(news.version &+ steps)
    let file = JSON(members: ["FileUUID": .string(rows.uuid), "FileVersion": version])
    return JSON(members: [
      "operation": .string("DeleteFiles"), "precondition": precondition(after: steps),
      "parameters": JSON(members: ["FilesToDelete": .array([file])]),
    ])
  }

  /// Text stays readable; of other bytes nobody would read them.
  private func content(_ bytes: [UInt8]) -> JSON {
    if case .text(let text) = FileContent.value(bytes) { return JSON(members: ["text": .string(text)]) }
    return JSON(members: ["base64": .string(Data(bytes).base64EncodedString())])
  }
}

extension JSON {
  init(exactly value: JSONValue) {
    switch value {
    case .literal(let token): self = .literal(token)
    case .string(let text): self = .string(text.text)
    case .array(let elements): self = .array(elements.map { JSON(exactly: $0) })
    case .object(let members):
      self = .object(members.sorted { $0.key < $1.key }.map { ($0.key.text, JSON(exactly: $0.value)) })
    }
  }
}
