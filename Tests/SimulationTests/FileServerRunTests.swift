import Testing

@testable import Simulation

/// What the original server answered, call by call: `cases/smsync-server.json`. Times, ids and words of
/// errors are its own; that there is an error, and all numbers, have to be the same.
@Suite(.enabled(if: FileSyncCases.exist, "needs ../shared/cases/smsync.json and smsync-server.json"))
struct FileServerRunTests {
  @Test(arguments: FileSyncCases.runs) func theServerAnswersAsTheOriginalDid(run: ServerRun) throws {
    var caller = Caller(run)
    for (index, step) in run.steps.enumerated() {
      let call = try #require(Call(step), "\(step.step): no such call")
      let answer = caller.make(call, step, text: run.text(after: index))
      expect(answer, step.result, step.step)
      #expect(caller.server.index[Caller.file].map(ServerRun.Index.init) == step.index, "\(step.step)")
      #expect([caller.server.lock].compactMap(\.self).map { "device-\($0)" } == step.locks, "\(step.step)")
      #expect(caller.server.cloud.map(ServerRun.File.init) == step.drive, "\(step.step)")
    }
  }

  private func expect(_ answer: Answer, _ facts: ServerRun.Result, _ step: String) {
    let operation = facts.commit.map { ($0.status, $0.count) } ?? facts.status.map { ($0, facts.count) }
    #expect((facts.rc ?? facts.upload?.rc ?? facts.del?.rc) == answer.code?.rawValue, "\(step)")
    #expect((facts.details != nil) == answer.isRefused, "\(step)")
    #expect(operation?.0 == answer.operation?.status.rawValue, "\(step)")
    if let count = operation?.1 { #expect(count == answer.operation?.count, "\(step)") }
    #expect((facts.error != nil) == (answer.operation?.status == .failedDuringTransfer), "\(step)")
    let removed = facts.removeOpId ?? facts.commit?.removeOpId
    if let removed { #expect(removed.rc == answer.removal?.rawValue, "\(step)") }
    #expect(facts.content == answer.text, "\(step)")
    if let index = facts.index { expect(answer.index, index, step) }
  }

  private func expect(_ index: FileServer.Entry?, _ facts: [ServerRun.Line], _ step: String) {
    #expect(facts.count == (index == nil ? 0 : 1), "\(step)")
    for line in facts {
      #expect(index?.name == line.cloudFileName && index?.mimeType == line.mimeType, "\(step)")
      #expect(index?.version == line.fileVersion && index?.isDeleted == line.deleted, "\(step)")
      #expect(index?.size == line.fileSizeBytes, "\(step)")
    }
  }

  @Test func everyCallIsAmongTheRuns() {
    let calls = FileSyncCases.runs.flatMap(\.steps).compactMap(Call.init)
    #expect(Set(calls.map(\.kind)) == Set(Call.Kind.allCases))
  }
}

/// What a call answered, as far as it answers that.
private struct Answer {
  var code: FileServer.Code?
  var operation: FileServer.Operation?
  var removal: FileServer.Code?
  var index: FileServer.Entry?
  var text: String?

  var isRefused: Bool { code == .refused || code == .lockHeld }
}

/// A step of a run, as it is written there: who, what, and which version.
private struct Call {
  enum Kind: CaseIterable {
    case lock, unlock, index, upload, delete, commit, uploadAndCommit, deleteAndCommit, setUp, transferIn
    case removeOperation, download, transferInAndDownload, removeDownload, cleanUp
  }

  let kind: Kind
  /// nil where it goes on with the one before.
  let device: String?
  /// nil where the index tells it afterwards.
  let version: Int?
  let undeletes: Bool

  private static let devices: Set<String> = ["sonia", "fred", "third"]

  init?(_ step: ServerRun.Step) {
    let words = step.step.split(whereSeparator: { " ,.:".contains($0) }).map(String.init)
    guard let kind = Kind(words, step.result) else { return nil }
    self.kind = kind
    device = words.first.map { $0.lowercased() }.flatMap { Self.devices.contains($0) ? $0 : nil }
    version = words.lazy.compactMap { $0.wholeMatch(of: /v(\d+)/).flatMap { Int($0.1) } }.first
    undeletes = words.contains { $0 == "UndeleteFile=true" || $0 == "undelete" || $0 == "flag" }
  }
}

extension Call.Kind {
  init?(_ words: [String], _ result: ServerRun.Result) {
    let verb: [(String, Call.Kind)] = [
      ("Unlock", .unlock), ("Lock", .lock), ("GetFileIndex", .index), ("index", .index),
      ("UploadFile", .upload), ("DeleteFiles", .delete), ("StartOutboundTransfer", .commit),
      ("commit", .commit), ("SetupInboundTransfers", .setUp), ("StartInboundTransfer", .transferIn),
      ("RemoveOperationId", .removeOperation), ("DownloadFile", .download),
      ("RemoveDownloadFile", .removeDownload), ("Cleanup", .cleanUp), ("download", .transferInAndDownload),
    ]
    if result.upload != nil {
      self = .uploadAndCommit
    } else if result.del != nil {
      self = .deleteAndCommit
    } else if let found = verb.first(where: { words.contains($0.0) }) {
      self = found.1
    } else {
      return nil
    }
  }
}

/// Makes the calls of a run.
private struct Caller {
  static let file = "X.txt"
  var server: FileServer

  /// Who calls; a step that names nobody is made by who made the one before.
  private var device: String

  /// As it was before the first call, which is the lock's, or is made by who has it.
  init(_ run: ServerRun) {
    let calls = run.steps.compactMap(Call.init)
    let first = run.steps[0]
    let holder = first.locks.first.map { String($0.dropFirst("device-".count)) }
    device = holder ?? calls.lazy.compactMap(\.device).first ?? ""
    let isHeld = calls.first?.kind != .lock || first.result.rc != 0
    server = FileServer(
      index: Self.index(before: first, calls.first?.kind),
      cloud: first.drive.map {
        FileServer.CloudFile(name: $0.title, isTrashed: $0.trashed, text: $0.content)
      },
      lock: isHeld ? device : nil)
  }

  private static func index(before step: ServerRun.Step, _ kind: Call.Kind?) -> [FileName: FileServer.Entry] {
    guard let index = step.index else { return [:] }
    let version = index.fileVersion - (kind == .uploadAndCommit ? 1 : 0)
    return [
      file: FileServer.Entry(name: file, version: version, isDeleted: index.deleted, size: index.sizeBytes)
    ]
  }

  mutating func make(_ call: Call, _ step: ServerRun.Step, text: String) -> Answer {
    device = call.device ?? device
    switch call.kind {
    case .lock: return Answer(code: server.takeLock(device))
    case .unlock: return Answer(code: server.dropLock(device))
    case .index:
      let index = server.index(for: device)
      return Answer(code: index == nil ? .refused : .done, index: index?[Self.file])
    case .upload: return Answer(code: upload(call, step, text))
    case .delete: return Answer(code: delete(call, step))
    case .commit: return commit(device)
    case .uploadAndCommit:
      let code = upload(call, step, text)
      return commit(device, after: code)
    case .deleteAndCommit:
      let code = delete(call, step)
      return commit(device, after: code)
    case .setUp: return Answer(code: .done)
    case .transferIn: return Answer(operation: server.transferIn([Self.file], for: device))
    case .removeOperation: return Answer(code: server.removeOperation(of: device))
    case .download: return Answer(code: .done, text: server.download(Self.file, to: device))
    case .transferInAndDownload:
      let operation = server.transferIn([Self.file], for: device)
      return Answer(operation: operation, text: server.download(Self.file, to: device))
    case .removeDownload: return Answer(code: server.removeDownload(Self.file, of: device))
    case .cleanUp: return Answer(code: server.cleanUp(device))
    }
  }

  private mutating func upload(_ call: Call, _ step: ServerRun.Step, _ text: String) -> FileServer.Code {
    server.upload(
      Self.file, version: call.version ?? step.index?.fileVersion ?? 0, text: text,
      undeletes: call.undeletes, from: device)
  }

  private mutating func delete(_ call: Call, _ step: ServerRun.Step) -> FileServer.Code {
    server.delete(
      Self.file, version: call.version ?? step.index?.fileVersion ?? 0, from: device)
  }

  private mutating func commit(_ device: String, after code: FileServer.Code? = nil) -> Answer {
    let operation = server.transferOut(device)
    let isDone = operation?.status == .done
    return Answer(
      code: code, operation: operation, removal: isDone ? server.removeOperation(of: device) : nil)
  }
}

extension ServerRun {
  /// The text that an upload of this step sends: what the cloud has when it changes next.
  fileprivate func text(after index: Int) -> String {
    let before = index == 0 ? steps[0].drive : steps[index - 1].drive
    let changed = steps[index...].first { $0.drive != before }
    return changed?.drive.last { !$0.trashed }?.content ?? ""
  }
}

extension ServerRun.Index {
  fileprivate init(_ entry: FileServer.Entry) {
    self.init(fileVersion: entry.version, deleted: entry.isDeleted, sizeBytes: entry.size)
  }
}

extension ServerRun.File {
  fileprivate init(_ file: FileServer.CloudFile) {
    self.init(title: file.name, trashed: file.isTrashed, content: file.text)
  }
}
