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
/// condition that whoever sends it has to check, under the server's lock.
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
    case .draft(let bytes): return [upload(bytes, 1, undeletes: news.isDeletion)]
    case .keepUpload: return try uploads
    case .keepDeletion: return [deletion(news.version)]
    case .keep:
      return try uploads + (rows.deletions.isEmpty ? [] : [deletion(news.version + Int64(rows.files.count))])
    }
  }

  /// What has to be so for them to be sent.
  var precondition: JSON {
    JSON(members: ["FileVersion": .integer(news.version), "Deleted": .bool(news.isDeletion)])
  }

  /// Each upload that waits, one version after the other.
  private var uploads: [JSON] {
    get throws {
      try rows.files.enumerated().map { index, upload in
        do {
          let bytes = try files.bytes(archive: upload.url)
          return self.upload(bytes, Int64(index + 1), undeletes: undeletes(upload, index))
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

  private func upload(_ bytes: [UInt8], _ step: Int64, undeletes: Bool) -> JSON {
    var parameters: [(name: String, value: JSON)] = [
      ("FileUUID", .string(rows.uuid)), ("FileVersion", .integer(news.version + step)),
    ]
    parameters += rows.name.map { [("CloudFileName", .string($0))] } ?? []
    parameters += rows.mimeType.map { [("FileMIMEType", .string($0))] } ?? []
    parameters +=
      rows.metadata.flatMap { try? JSONValue(parsing: $0) }.map { [("AppMetaData", JSON(exactly: $0))] } ?? []
    if undeletes { parameters.append(("UndeleteFile", .bool(true))) }
    return .object([
      ("operation", .string("UploadFile")), ("parameters", .object(parameters)), ("content", content(bytes)),
    ])
  }

  private func deletion(_ version: Int64) -> JSON {
    let file = JSON(members: ["FileUUID": .string(rows.uuid), "FileVersion": .integer(version)])
    return JSON(members: [
      "operation": .string("DeleteFiles"), "parameters": JSON(members: ["FilesToDelete": .array([file])]),
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
