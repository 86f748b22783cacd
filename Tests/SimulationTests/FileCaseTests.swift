import Merging
import Testing

@testable import Simulation

/// Every case of `cases/smsync.json`, played by a device, another one, and the server between them.
@Suite(.enabled(if: FileSyncCases.exist, "needs ../shared/cases/smsync.json and smsync-server.json"))
struct FileCaseTests {
  @Test(arguments: FileSyncCases.cases) func aCaseGoesAsTheFactsSay(facts: FileCase) throws {
    var stage = Stage(facts)
    stage.play()
    #expect(stage.raised == facts.raised)
    expect(stage.decided, facts.expectedLocalState)
    #expect(stage.pendingWhenDecided == facts.expectedPendingOperations)
    #expect(stage.device.failure == Stage.failure(facts.expectedLocalStateAfterUpload?.error))
    if facts.expectedLocalStateAfterUpload?.error == nil {
      expect(stage.device.files[Stage.file], facts.expectedLocalStateAfterUpload)
      #expect(stage.device.pending(Stage.file).isEmpty)
    }
    #expect(stage.serverState == facts.expectedServerStateAfterUpload)
    #expect(stage.requests == facts.expectedRequests)
    #expect(stage.server.lock == (stage.device.failure == nil ? nil : "device"))
  }

  private func expect(_ known: FileDevice.LocalFile?, _ facts: FileCase.Local?) {
    #expect((known == nil) == (facts == nil))
    #expect(known?.version == facts?.version)
    #expect(known?.isDeletedOnServer == facts?.deletedOnServer)
    #expect(known?.state.rawValue == facts?.syncState)
  }

  @Test func thereAreCasesOfEveryGroup() {
    for group in ["n", "k1", "k2", "k3", "g", "r"] {
      #expect(FileSyncCases.cases.contains { $0.id.hasPrefix(group) }, "\(group)")
    }
  }
}

/// A case on its way.
private struct Stage {
  static let file = "file"
  private static let beside = "file beside"

  let facts: FileCase
  var server: FileServer
  var device: FileDevice
  var raised: [String] = []
  /// What the device knew, and what waited, when the last question was answered.
  var decided: FileDevice.LocalFile?
  var pendingWhenDecided: [FileCase.Operation] = []

  init(_ facts: FileCase) {
    self.facts = facts
    server = FileServer()
    if let state = facts.serverState { server = Self.server(state, isBesideNewer: facts.precondition != nil) }
    device = FileDevice("device")
    if let local = facts.localState {
      device = FileDevice(
        "device", files: [Self.file: Self.known(local)], queues: Self.queues(local.pending ?? []))
    }
    if facts.precondition != nil { device.files[Self.beside] = FileDevice.LocalFile(version: 1) }
  }

  private static func server(_ state: FileCase.Server, isBesideNewer: Bool) -> FileServer {
    var index = [file: FileServer.Entry(name: file, version: state.version, isDeleted: state.deleted)]
    var cloud = [FileServer.CloudFile(name: file, isTrashed: state.deleted, text: state.content ?? "")]
    if isBesideNewer {
      index[beside] = FileServer.Entry(name: beside, version: 2)
      cloud.append(FileServer.CloudFile(name: beside, text: "beside"))
    }
    return FileServer(index: index, cloud: cloud)
  }

  private static func known(_ local: FileCase.Local) -> FileDevice.LocalFile {
    FileDevice.LocalFile(
      version: local.version, isDeletedOnServer: local.deletedOnServer ?? false,
      state: FileDevice.LocalFile.State(rawValue: local.syncState ?? "") ?? .afterInitialSync)
  }

  private static func queues(_ pending: [FileCase.Operation]) -> [FileDevice.Queue] {
    pending.map { operation in
      let number = Int(operation.queue?.drop { !$0.isNumber } ?? "") ?? 0
      return FileDevice.Queue(
        number,
        [
          operation.op == "fileUpload"
            ? .upload(file, text: operation.content ?? "", undeletes: operation.undelete ?? false)
            : .deletion(file)
        ])
    }
  }

  static func failure(_ words: String?) -> FileDevice.Failure? {
    words.map { $0.contains("already deleted") ? .deletedWithoutUndeletion(file) : .anotherVersion(file) }
  }

  mutating func play() {
    if facts.raised.isEmpty { bringIn() }
    device.sync(&server)
    while let conflict = device.asked(Self.file) {
      raised.append(Self.name(conflict))
      _ = device.decide(Self.file, Self.answer(facts.answer(raised.count - 1)), draft: facts.draft ?? "")
      remember()
      interfere()
      device.sync(&server)
    }
  }

  /// Where nobody is asked the device is looked at when all that is newer is in, and nothing is sent yet.
  private mutating func bringIn() {
    repeat {
      var next = self
      guard next.device.advance(&next.server) != nil, !next.hasSent else { break }
      self = next
    } while device.isInRound
    remember()
  }

  private var hasSent: Bool {
    device.requests.contains { if case .download = $0 { false } else { true } }
  }

  private mutating func remember() {
    decided = device.files[Self.file]
    pendingWhenDecided = device.queues.flatMap { queue in
      queue.operations.map { Self.facts($0, queue.number) }
    }
  }

  private mutating func interfere() {
    for other in facts.interference ?? [] where other.after == "decision \(raised.count)" {
      let isFree = server.takeLock("other device") == .done
      #expect(isFree)
      let code =
        other.op == "fileUpload"
        ? server.upload(
          Self.file, version: other.version, text: other.content ?? "",
          undeletes: other.undelete ?? false, from: "other device")
        : server.delete(Self.file, version: other.version, from: "other device")
      #expect(code == .done)
      #expect(server.transferOut("other device")?.status == .done)
    }
  }

  private static func name(_ conflict: FileQuestion) -> String {
    switch conflict {
    case .editedOnBoth: "DownloadFile/FileUpload"
    case .deletedHere: "DownloadFile/UploadDeletion"
    case .deletedThere: "DownloadDeletion/FileUpload"
    }
  }

  private static func answer(_ name: String?) -> FileAnswer {
    switch name {
    case "acceptServer": .accept
    case "merge": .merge
    default: .keep
    }
  }

  private static func facts(_ operation: FileDevice.Operation, _ queue: Int) -> FileCase.Operation {
    switch operation {
    case .upload(_, let text, let undeletes):
      FileCase.Operation(
        op: "fileUpload", queue: "committed\(queue)", content: text, undelete: undeletes ? true : nil)
    case .deletion: FileCase.Operation(op: "uploadDeletion", queue: "committed\(queue)")
    }
  }

  var serverState: FileCase.Server? {
    server.index[Self.file].map { entry in
      FileCase.Server(
        version: entry.version, deleted: entry.isDeleted,
        content: entry.isDeleted ? nil : server.cloud.last { $0.name == Self.file && !$0.isTrashed }?.text)
    }
  }

  var requests: [FileCase.Request] {
    device.requests.filter { $0.file == Self.file }.map { request in
      switch request {
      case .download: FileCase.Request(request: "inbound transfer + DownloadFile")
      case .deletion(_, let version): FileCase.Request(request: "DeleteFiles", version: version)
      case .upload(_, let version, let undeletes):
        FileCase.Request(request: "UploadFile", version: version, undeletes: undeletes)
      }
    }
  }
}
