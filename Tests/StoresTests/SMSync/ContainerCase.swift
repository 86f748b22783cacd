import ExactJSON
import Foundation
import Merging
import Testing

@testable import SMSyncStores
@testable import Samples

/// A case of how two devices and the server come out of a conflict, as the facts beside the project have it.
struct ContainerCase: Decodable, Sendable, CustomTestStringConvertible {
  struct Pending: Decodable, Sendable, Equatable {
    var op: String
    var content: String?
    var undelete: Bool?

    static func == (left: Pending, right: Pending) -> Bool {
      (left.op, left.content, left.undelete == true) == (right.op, right.content, right.undelete == true)
    }
  }

  struct Local: Decodable, Sendable {
    var version: Int64?
    var deletedOnServer: Bool
    var syncState: String
    var pending: [Queued]
  }

  struct Queued: Decodable, Sendable {
    var op: String
    var queue: String
    var content: String?
  }

  struct Server: Decodable, Sendable {
    var version: Int64
    var deleted: Bool
    var content: String?
  }

  struct Request: Decodable, Sendable, Equatable {
    var request: String
    var fileVersion: Int64?
    var isUndeletion: Bool?

    enum CodingKeys: String, CodingKey {
      case request
      case fileVersion = "FileVersion"
      case isUndeletion = "UndeleteFile"
    }

    static func == (left: Request, right: Request) -> Bool {
      (left.request, left.fileVersion, left.isUndeletion == true)
        == (right.request, right.fileVersion, right.isUndeletion == true)
    }
  }

  struct Interference: Decodable, Sendable {
    var op: String
    var fileVersion: Int64
    var content: String?

    enum CodingKeys: String, CodingKey {
      case op, content
      case fileVersion = "FileVersion"
    }
  }

  var id: String
  var title: String
  var localState: Local?
  var serverState: Server?
  var conflict: String?
  var decision: String?
  var draft: String?
  var expectedLocalState: Local?
  var expectedPendingOperations: [Pending]
  var expectedRequests: [Request]
  var interference: [Interference]?
  var conflictsRaised: [String]?

  var testDescription: String { "\(id): \(title)" }

  private struct All: Decodable {
    var cases: [ContainerCase]
  }

  static let all: [ContainerCase] = {
    guard let folder = Shared.folder,
      let bytes = FileManager.default.contents(atPath: folder + "/cases/smsync.json")
    else { return [] }
    // Cases that no longer can be read are none, and the test that counts them fails.
    return (try? JSONDecoder().decode(All.self, from: bytes).cases) ?? []
  }()

  /// What is to be sent of it: the rest of a round is not the outbox's.
  var sent: [Request] { expectedRequests.filter { ["UploadFile", "DeleteFiles"].contains($0.request) } }
}

/// A moment of a case on the device.
struct ContainerMoment {
  var version: Int64?
  var isDeletedOnServer: Bool
  var syncState: String
  var pending: [SampleUpload]
  var server: ContainerCase.Server?

  static let uuid = "5EED0000-0000-4000-8000-00000000CA5E"

  init?(_ one: ContainerCase) {
    guard let local = one.localState else { return nil }
    (version, isDeletedOnServer, syncState) = (local.version, local.deletedOnServer, local.syncState)
    server = one.serverState
    pending = local.pending.map { pending in
      let queue = SampleUpload.Queue.committed(pending.queue == "committed0" ? 0 : 1)
      // Where the facts name no text it is told apart by its queue.
      return pending.op == "fileUpload"
        ? .file(pending.content ?? (queue == .committed(0) ? "first" : "second"), queue) : .deletion(queue)
    }
  }

  /// The same once the app has met the conflict, and waits for an answer.
  func met(_ conflict: String?) -> SampleFile {
    var file = plain
    guard let conflict, let server else { return file }
    if conflict.hasPrefix("DownloadDeletion") {
      file.download = .deletion()
    } else {
      file.version = server.version
      let kind = conflict.hasSuffix("UploadDeletion") ? "UploadDeletion" : "FileUpload"
      file.download = .file(server.version, Array((server.content ?? "").utf8), conflict: kind)
    }
    return file
  }

  /// As it is before the app has asked the server.
  var plain: SampleFile {
    var file = SampleFile(ContainerMoment.uuid, "case.txt", version: version)
    (file.isDeletedOnServer, file.syncState, file.uploads) = (isDeletedOnServer, syncState, pending)
    file.onServer = server.map { ($0.version, $0.deleted) }
    return file
  }

  /// What the app's answer "keep" leaves, and what another device does before the next round.
  func kept(_ conflict: String, then interference: ContainerCase.Interference) -> ContainerMoment {
    var next = self
    if conflict.hasPrefix("DownloadDeletion") {
      next.isDeletedOnServer = true
      if !next.pending.isEmpty { next.pending[0].undelete = 1 }
    } else {
      next.version = server?.version
    }
    let isDeletion = interference.op == "uploadDeletion"
    next.server = ContainerCase.Server(
      version: interference.fileVersion, deleted: isDeletion, content: interference.content)
    return next
  }
}
