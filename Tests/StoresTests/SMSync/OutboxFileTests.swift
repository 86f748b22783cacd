import ExactJSON
import Foundation
import GRDB
import Merging
import Testing

@testable import Journals
@testable import SMSyncStores
@testable import Samples
@testable import StoreInterface

/// What is written beside a container, of which itself nothing changes.
@Suite("Outbox of a container") struct OutboxFileTests {
  private let container: TestContainer
  private let store: SMSyncStore

  init() throws {
    container = try TestContainer()
    store = try container.open()
  }

  private func id(_ number: Int) -> String { ContainerDemoStore.uuid(number) }

  private func planned(_ number: Int, _ choices: [Subject: Choice] = [:]) throws -> PlannedWrite {
    let kept: [Subject: Choice] = [.field("content"): .take(.client)]
    let accepted: [Subject: Choice] = [.record: .take(.server)]
    return try #require(
      try plan(id(number), in: store, choices) ?? plan(id(number), in: store, kept)
        ?? plan(id(number), in: store, accepted))
  }

  private func outbox() throws -> OutboxFile { try OutboxFile(path: store.outboxPath) }

  @Test func nothingOfTheContainerChanges() throws {
    let before = try container.contents()
    let writes = try (1...10).map { try planned($0) }
    #expect(try store.check(writes).allSatisfy { $0.outcome == .fine })
    #expect(try outbox().entries.isEmpty)
    #expect(try store.write(writes, note: "for Blob").allSatisfy { $0.outcome == .fine })
    #expect(try outbox().entries.map(\.uuid) == (1...10).map(id))
    let waiting = try summaries(of: store)
    #expect(waiting.count == 10 && waiting.allSatisfy { $0.waitingSince == StoreBench.time })
    #expect(try store.check(writes).allSatisfy { $0.outcome == .moved("it waits in the outbox") })
    let told = try store.conflict(id(3))
    #expect(told.refusal(of: .take(.server), for: .record) == .inOutbox)
    #expect(told.details.notes[0].hasPrefix("It is decided (undelete the client's text), with 1 request"))
    #expect(try container.contents() == before)
    #expect(
      try JSONValue(parsing: [UInt8](Data(contentsOf: URL(filePath: store.outboxPath)))).text.contains(
        "for Blob"))
  }

  @Test func anUndoTakesItOutAgainAndTheFileGoesWithItsLastEntry() throws {
    let before = try summaries(of: store)
    _ = try store.write([planned(1), planned(3)], note: nil)
    _ = try store.write([planned(2)], note: nil)
    #expect(
      try store.lastWrite()?.records.map(\.changes.fields) == [
        [LastWrite.FieldChange(name: "outbox", before: nil, after: .text("accept version 7"))]
      ])
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try outbox().entries.map(\.uuid) == [id(1), id(3)])
    #expect(try store.undo(.record(id(1))).map(\.outcome) == [.fine])
    #expect(try store.undoLastWrite().map(\.id) == [id(3)])
    #expect(!FileManager.default.fileExists(atPath: store.outboxPath))
    #expect(try summaries(of: store) == before)
  }

  /// Somebody has sent it, say, and noted so.
  @Test func whatSomebodyElseHasChangedInItIsLeftAlone() throws {
    _ = try store.write([planned(1)], note: nil)
    let text = try String(contentsOfFile: store.outboxPath, encoding: .utf8)
    try Data(text.replacing("upload the draft", with: "sent").utf8).write(to: URL(filePath: store.outboxPath))
    #expect(try store.undoLastWrite().map(\.outcome) == [.moved("it went on since it was written")])
    #expect(try outbox().entries.map(\.decision) == ["sent"])
  }

  @Test(arguments: ["", "{}", "[1]", #"{"outbox":"SMSyncServer","files":[{}]}"#])
  func oneThatIsDamagedIsNamedAndNotWrittenOver(text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: store.outboxPath))
    let write = PlannedWrite(
      seen: try TestContainer().open().conflict(id(2)), draft: Draft(id: id(2), action: .delete))
    for act in [{ _ = try store.write([write], note: nil) }, { _ = try summaries(of: store) }] {
      let error = #expect(throws: StoreError.self, performing: act)
      guard case .outboxUnusable(store.outboxPath, _)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    #expect(try String(contentsOfFile: store.outboxPath, encoding: .utf8) == text)
  }

  @Test func afterACrashTheFileTellsWhatWasWritten() throws {
    _ = try store.write([planned(1)], note: nil)
    try forgetReceipts()
    #expect(try store.interruptedWrites().flatMap(\.records).map(\.state) == [.complete])
    #expect(try store.finishInterruptedWrites().flatMap(\.records).map(\.outcome) == [.completed])
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    _ = try store.write([planned(1)], note: nil)
    try forgetReceipts()
    #expect(unlink(store.outboxPath) == 0)
    #expect(try store.finishInterruptedWrites().flatMap(\.records).map(\.outcome).contains(.rolledBack))
  }

  private func forgetReceipts() throws {
    let queue = try DatabaseQueue(path: store.log.path)
    try queue.write {
      try $0.execute(sql: "DELETE FROM receipts WHERE intent = (SELECT max(id) FROM intents)")
    }
    try queue.close()
  }

  /// Upload, then deletion: the only place where the framework itself loses what somebody meant.
  @Test(arguments: [
    ("server", "accept version 6", []), ("client", "delete version 6, without the upload", ["DeleteFiles 6"]),
    ("upload", "upload the client's text", ["UploadFile 7"]),
    ("sendBoth", "upload, then delete", ["UploadFile 7", "DeleteFiles 7"]),
  ])
  func bothThatWaitHaveFourAnswers(answer: String, words: String, sent: [String]) throws {
    let conflict = try store.conflict(id(4))
    #expect(conflict.details.alternatives.map(\.id) == ["server", "client", "upload", "sendBoth"])
    let alternative = try #require(conflict.alternative(answer))
    let text = Value.text("Dear Ann, see you on Friday.\n")
    let upload = Alternative.Loss.value(of: "the earlier upload", side: .client, field: "content", text)
    #expect(Losses(conflict).of(alternative).contains(upload) == ["server", "client"].contains(answer))
    let choice = conflict.choice(ofAlternative: answer)
    let draft = try #require(conflict.draft(Resolution(choices: [.record: choice])))
    #expect(
      try store.write([PlannedWrite(seen: conflict, draft: draft)], note: nil).map(\.outcome) == [.fine])
    let entry = try #require(try outbox()[id(4)])
    #expect(entry.decision == words)
    let requests = try JSONValue(parsing: entry.json).requests
    #expect(requests == sent)
    let json = try JSONValue(parsing: entry.json)
    // What comes second expects what the first has made, and needs a round of its own.
    #expect(json.preconditions == Array([6, 7].prefix(sent.count)))
    // "Keep" leaves both in their queues, and sends one after the other: what "both" asks for.
    #expect(json.text.contains("no answer there does this") == (answer != "sendBoth"))
    #expect(
      json.text.contains("do not send, and answer: keep the conflicting client operations")
        == (answer == "sendBoth"))
  }

  /// Of one queue the framework sends deletions first: the upload after it would be all that is left.
  @Test(arguments: [(0, false), (1, true)]) func keepIsNoAnswerForBothInOneQueue(second: Int, isAnswer: Bool)
    throws
  {
    var file = SampleFile(id(1), "letter.txt", version: 6)
    file.uploads = [.file("Dear Ann", .committed(0)), .deletion(.committed(second))]
    file.download = .file(6, Array("Dear Bob".utf8), conflict: "UploadDeletion")
    let store = try TestContainer([file]).open()
    let conflict = try store.conflict(id(1))
    let draft = try #require(
      conflict.draft(Resolution(choices: [.record: conflict.choice(ofAlternative: "sendBoth")])))
    _ = try store.write([PlannedWrite(seen: conflict, draft: draft)], note: nil)
    let json = try #require(try OutboxFile(path: store.outboxPath)[id(1)]).json
    #expect(json.contains("no answer there does this") == !isAnswer, "\(json)")
  }

  /// A law: what nobody here can look at is told as lost by every answer that does not keep it.
  @Test(arguments: [1, 2, 3, 4]) func whatIsUnseenIsLostAloud(number: Int) throws {
    let file = try #require(try store.readFiles { try $0.conflict(id(number)) })
    for side in [Side.client, .server] where file.conflict.version(side).isPresent {
      var versions = file.conflict.versions
      let unseen = RecordVersion.unknown(reason: "")
      if side == .client { versions.client = unseen } else { versions.server = unseen }
      let told = FileAlternatives(file.standing, versions, uploads: [])
      let lost = Alternative.Loss.value(of: "the \(side)", side: side, field: "content", nil)
      for answer in told.all where ![side.rawValue, "accept"].contains(answer.id) || side == .client {
        #expect(answer.ownLosses.contains(lost), "\(side) \(answer.id)")
      }
      #expect(told.own?.ownLosses.contains(lost) != false)
    }
  }

  @Test(arguments: [
    (1, Draft.Action.delete, "neither side has deleted it; the framework can keep the one text or the other"),
    (1, .alternative("sendBoth"), "no file is decided by sendBoth"),
    (
      2, .save([FieldDraft(name: "content", value: .text("other"), source: .edited)]),
      "it is deleted here: the server's text can be accepted, and no other sent"
    ),
  ])
  func whatTheFrameworkCannotDoIsRefused(number: Int, action: Draft.Action, words: String) throws {
    let write = PlannedWrite(
      seen: try store.conflict(id(number)), draft: Draft(id: id(number), action: action))
    let outcome = try store.check([write])[0].outcome
    guard case .refused(_, words) = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  /// The server's text is not here, and still can be accepted, or written over.
  @Test func whatIsNotDownloadedCanBeDecided() throws {
    let store = try container.open(isIndexed: true)
    let conflict = try store.conflict(id(26))
    #expect(conflict.versions.server == .unknown(reason: "version 3, and its text is not downloaded"))
    #expect(conflict.details.alternatives.map(\.id) == ["accept", "client"])
    for (choice, words) in [
      (Choice.alternative("accept"), "accept version 3"), (.take(.client), "upload the client's text"),
    ] {
      let draft = try #require(conflict.draft(Resolution(choices: [.record: choice])))
      #expect(
        try store.write([PlannedWrite(seen: conflict, draft: draft)], note: nil).map(\.outcome) == [.fine])
      #expect(try outbox()[id(26)]?.decision == words)
      _ = try store.undoLastWrite()
    }
  }

  /// Of a file that one side has deleted, or that nobody can look at: a text of a person's own goes in the place of the upload.
  @Test(arguments: [
    (3, "undelete the draft", ["UploadFile 3"], [Alternative.Loss.deletion(by: "the server")]),
    (
      26, "upload the draft", ["UploadFile 4"],
      [.value(of: "the server", side: .server, field: "content", nil)]
    ),
  ])
  func anEditedTextIsSentInThePlaceOfTheUpload(
    number: Int, words: String, sent: [String], lost: [Alternative.Loss]
  ) throws {
    let store = try container.open(isIndexed: true)
    let conflict = try store.conflict(id(number))
    let resolution = Resolution(choices: [.record: .edit(.text("Made of both\n"))])
    let draft = try #require(conflict.draft(resolution))
    let losses = Losses(conflict).of(try #require(conflict.alternative(in: resolution)))
    #expect(Set(losses.map { "\($0)" }).isSuperset(of: lost.map { "\($0)" }))
    #expect(losses.contains { "\($0)".contains("the client") }, "its text goes, too")
    #expect(
      try store.write([PlannedWrite(seen: conflict, draft: draft)], note: nil).map(\.outcome) == [.fine])
    let entry = try #require(try outbox()[id(number)])
    #expect(entry.decision == words)
    let json = try JSONValue(parsing: entry.json)
    #expect(json.requests == sent && json.text.contains("Made of both"))
    #expect(json.text.contains("UndeleteFile") == (number == 3))
  }

  /// Each upload that waits is sent, so the text that is kept is the last version.
  @Test func ofSeveralUploadsTheLastIsTold() throws {
    let conflict = try store.conflict(id(9))
    #expect(conflict.alternative("client")?.words == "keep the client's text, as version 13")
    let draft = try #require(conflict.draft(conflict.taking(.client, in: Resolution())))
    _ = try store.write([PlannedWrite(seen: conflict, draft: draft)], note: nil)
    let entry = try JSONValue(parsing: try #require(try outbox()[id(9)]).json)
    #expect(entry.requests == ["UploadFile 12", "UploadFile 13"])
  }

  /// What drops the uploads before the last loses their texts as well, which the journal then has.
  @Test(arguments: [
    (SampleDownload?.some(.file(11, Array("theirs\n".utf8))), ["server"]), (.some(.deletion()), ["server"]),
    (.none, ["accept"]),
  ])
  func whatIsLostOfSeveralUploadsIsAllOfThem(download: SampleDownload?, losing: [String]) throws {
    var file = SampleFile(id(1), "log.txt", version: 11)
    file.uploads = ["one\n", "two\n", "three\n"].enumerated().map { .file($1, .committed($0)) }
    (file.download, file.onServer) = (download, download == nil ? (12, false) : nil)
    let conflict = try TestContainer([file]).open(isIndexed: true).conflict(id(1))
    let lost = ["one\n", "two\n"].enumerated().map {
      Alternative.Loss.value(
        of: "earlier upload \($0 + 1)", side: .client, field: "content", .text($1))
    }
    for answer in conflict.details.alternatives {
      let told = Losses(conflict).of(answer)
      #expect(lost.allSatisfy(told.contains) == losing.contains(answer.id), "\(answer.id)")
    }
    #expect(conflict.details.ownValue.map { own in lost.allSatisfy(own.ownLosses.contains) } == true)
    let choice = conflict.choice(ofAlternative: losing[0])
    let subject = conflict.isWhole ? Subject.record : .field("content")
    let given = conflict.givenUp(by: conflict.isWhole ? choice : .take(.server), for: subject)
    #expect(
      given.contains(
        GivenUp(.client, party: "earlier upload 1", .edit(field: "content", .text("one\n")))), "\(given)")
  }

  /// No answer of the framework's sends a text in the place of a deletion.
  @Test(arguments: [2, 4]) func whereADeletionWaitsNoTextCanBeTyped(number: Int) throws {
    let conflict = try store.conflict(id(number))
    #expect(conflict.details.ownValue == nil)
    #expect(conflict.refusal(of: .edit(.text("other")), for: .record) != nil)
    let refusal = conflict.refusal(of: .edit(.text("other")), for: .field("content"))
    let known = number == 2 ? [] : ["accept", "delete", "keep", "sendBoth"]
    #expect(refusal == .decidedAsAWhole(known: known))
  }

  /// Whichever part of it somebody names: the journal lies beside the whole.
  @Test func everyWayInMeansOneContainer() throws {
    let data = container.path + "/AppData"
    for path in [data, data + "/", data + "/Documents", container.database, container.path + "/AppData/."] {
      let other = try SMSyncStore.open(path: path)
      #expect(other.log.path == store.log.path && other.outboxPath == store.outboxPath, "\(path)")
    }
    #expect(
      try SMSyncStore.open(path: container.folder.path).outboxPath == store.outboxPath, "the only one in it")
    #expect(store.log.path == container.folder.path("Notes.parley.sqlite"))
    #expect(store.outboxPath == container.folder.path("Notes.parley-outbox.json"))
  }

  @Test func ofSeveralContainersOneIsToBeNamed() throws {
    let other = container.folder.path("Other.xcappdata")
    try FileManager.default.copyItem(atPath: container.path, toPath: other)
    let error = #expect(throws: StoreError.self) { try SMSyncStore.open(path: container.folder.path) }
    #expect(error == .severalStores(path: container.folder.path, names: [container.path, other]))
  }

  /// A download that failed leaves such a file, and so does an export of nothing.
  @Test(arguments: ["", " \n"]) func anIndexThatIsEmptyIsNone(text: String) {
    #expect(throws: StoreError.indexUnusable(path: "index", detail: "it is empty")) {
      try ServerIndex(path: "index", bytes: Array(text.utf8))
    }
    #expect(throws: Never.self) { try ServerIndex(path: "index", bytes: Array("[]".utf8)) }
  }

  @Test func textsAreMergedByWordsAndJSONByItsKeys() throws {
    #expect(try planned(1).draft["content"] == .text("Milk 2%\nRye bread\nEggs, ten\n"))
    #expect(try planned(7).draft["content"] == .text(#"{"font":"Serif","size":14,"wrap":true}"#))
    let bare = try SMSyncStore.open(path: container.path)
    #expect(try bare.conflict(id(1))["content"]?.suggestion.certainty == .yours)
    #expect(try bare.conflict(id(8)).certainty == .sure, "both have the same text")
  }
}

/// What once was written, or told, untruly.
extension OutboxFileTests {
  /// A container that was fetched again, say, with a newer edit in it.
  @Test func whatWaitsHereNowAndDidNotThenOpensItAgain() throws {
    _ = try store.write([planned(1)], note: nil)
    #expect(try store.conflict(id(1)).details.waitingSince != nil)
    let folder = container.documents + "/Temporary/"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try Data("Rice\n".utf8).write(to: URL(filePath: folder + name))
    }
    #expect(try store.conflict(id(1)).details.waitingSince == nil)
    let old = try #require(try findings(of: store).first { $0.what == "the outbox is old" })
    #expect(old.evidence.contains("what waits here now is not what it was about"), "\(old.evidence)")
    #expect(old.cause.hasPrefix("The file was edited or deleted here after it was decided"))
  }

  /// What overtook an entry is told as what it was.
  @Test(arguments: [
    (5, false, "the server has version 5"), (4, true, "the server has deleted its version 4"),
  ])
  func whatTheServerDidSinceIsToldAsThat(version: Int, isDeleted: Bool, words: String) throws {
    _ = try store.write([planned(1)], note: nil)
    let index = #"[{"fileId":"\#(id(1))","fileVersion":\#(version),"deleted":\#(isDeleted)}]"#
    try Data(index.utf8).write(to: URL(filePath: container.folder.path("FileIndex.json")))
    let found = try findings(of: container.open(isIndexed: true))
    let old = try #require(found.first { $0.what == "the outbox is old" })
    #expect(old.evidence.contains(words) && old.cause.hasPrefix("The server went on"), "\(old.evidence)")
  }

  @Test func anUploadAndADeletionThatAreDecidedAreNotToBeDecided() throws {
    func remedy() throws -> String? {
      try findings(of: store).first { $0.what == "upload, then deletion" }?.remedy
    }
    #expect(try remedy()?.hasPrefix("The list has it") == true)
    let conflict = try store.conflict(id(4))
    let draft = try #require(conflict.draft(Resolution(choices: [.record: .alternative("upload")])))
    _ = try store.write([PlannedWrite(seen: conflict, draft: draft)], note: nil)
    #expect(try remedy()?.hasPrefix("It is decided, and waits in the outbox") == true)
  }

  /// The desk looks at the traces, and reads what is there now.
  @Test func anIndexThatIsReplacedIsReadAgain() throws {
    let store = try container.open(isIndexed: true)
    let before = store.traces()
    #expect(try store.conflict(id(26)).details.serverTag == "version 3")
    let index = #"[{"fileId":"\#(id(26))","fileVersion":12,"deleted":false}]"#
    try Data(index.utf8).write(to: URL(filePath: container.folder.path("FileIndex.json")))
    #expect(store.traces() != before)
    #expect(try store.conflict(id(26)).details.serverTag == "version 12")
    try Data("[".utf8).write(to: URL(filePath: container.folder.path("FileIndex.json")))
    #expect(throws: StoreError.self) { try store.conflict(id(26)) }
  }

  /// The store has no trace of that. To read another file is none.
  @Test func aTextThatIsRewrittenIsHeardOf() throws {
    let store = try container.open(isIndexed: true)
    let conflicts = try summaries(of: store).map(\.id)
    _ = try store.conflict(conflicts[0])
    let before = store.traces()
    for id in conflicts { _ = try store.conflict(id) }
    #expect(store.traces() == before)
    let place = try #require(store.files.read.paths.first)
    try Data("rewritten".utf8).write(to: URL(filePath: place))
    let after = store.traces()
    #expect(after != before && store.traces() == after)
    try FileManager.default.removeItem(atPath: place)
    #expect(store.traces() != after)
  }

  /// The upload of a file that was deleted here after it is on neither side.
  @Test func aDecisionAboutBothIsAboutTheUploadsTextToo() throws {
    let seen = try store.conflict(id(4)).fingerprint(of: .record)
    let folder = container.documents + "/Temporary/"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try Data("Dear Ann\n".utf8).write(to: URL(filePath: folder + name))
    }
    let now = try store.conflict(id(4)).fingerprint(of: .record)
    #expect(now.subject != seen.subject)
  }

  @Test(arguments: [Int64.max, -5, Int64(Int32.max)])
  func aVersionThatNobodyCountsIsShownAndNeverWritten(version: Int64) throws {
    try container.run("UPDATE ZSMDOWNLOADOPERATION SET ZSERVERVERSION = ?", [.integer(version)])
    let reason =
      version == 2_147_483_647
      ? "its version 2147483647 is the last that the framework can count, so none can come after it"
      : "its version \(version) is damage: the framework counts from 0 to 2147483647"
    let conflict = try store.conflict(id(2))
    #expect(conflict.details.alternatives.allSatisfy { !$0.words.contains("\(version &+ 1)") })
    let (client, both) = (try store.conflict(id(1)).alternative("client"), try store.conflict(id(4)))
    #expect(client?.words == "keep the client's text, as its next version")
    #expect(
      both.alternative("sendBoth")?.words == "send both: the upload as its next version, then its deletion")
    #expect(try #require(conflict.details.file).serverVersion == (version < 0 ? 0 : 2_147_483_647))
    #expect(try store.conflict(id(1)).details.notWritable == reason)
    #expect(
      try store.write([planned(1)], note: nil).map(\.outcome) == [.refused(field: nil, reason)])
    #expect(throws: StoreError.self) {
      let file =
        #"{"fileId":"a","fileVersion":\#(version == 2_147_483_647 ? 2_147_483_648 : version),"deleted":false}"#
      _ = try ServerIndex(path: "index", bytes: Array(file.utf8))
    }
  }

  @Test func aRoundThatIsAcknowledgedByHalfIsToldSo() throws {
    let isTold = { try store.conflict(id(3)).details.notes.contains { $0.contains("acknowledged by half") } }
    #expect(try !isTold())
    try container.run("UPDATE ZSMLOCALFILE SET ZINTERNALDELETEDONSERVER = 1")
    #expect(try isTold())
  }

  /// Another account's, or one in which nothing is spelled as here.
  @Test(arguments: [false, true]) func anIndexThatLacksAFileIsTold(isEmpty: Bool) throws {
    let path = container.folder.path("FileIndex.json")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let other =
      isEmpty
      ? #"{"ServerResult":0,"ServerFileIndex":[]}"#
      : text.replacing("5EED0000-0000-4000-8000", with: "5eed0000-0000-4000-8000")
    try Data(other.utf8).write(to: URL(filePath: path))
    let store = try container.open(isIndexed: true)
    let listed = try summaries(of: store)
    #expect(listed.count == 10)
    #expect(listed.allSatisfy { $0.notWritable?.contains("does not have this file") == true })
    let write = try #require(try plan(id(1), in: store))
    guard case .refused(nil, let words) = try store.write([write], note: nil)[0].outcome else {
      Issue.record("it was written")
      return
    }
    #expect(words.contains("does not have this file"))
    #expect(try outbox().entries.isEmpty)
    #expect(try findings(of: store).contains { $0.what == "the index lacks files" })
  }

  /// What an index says that agrees is no news; one that disagrees opens it again.
  @Test func aDecisionHoldsAsLongAsTheIndexAgrees() throws {
    for number in 1...10 {
      let conflict = try store.conflict(id(number))
      let taken = conflict.taking(.client, in: Resolution())
      let subjects = Array(taken.choices.keys)
      try store.log.append(conflict.decisions(about: subjects, in: taken, at: 1))
    }
    let ready = { (store: SMSyncStore) in
      try summaries(of: store).filter { $0.isReady && $0.outdated == 0 && !$0.isMoved }.map(\.id)
    }
    let before = try ready(store)
    #expect(before.count >= 8)
    let indexed = try container.open(isIndexed: true)
    #expect(try ready(indexed).filter(before.contains) == before)
    let path = container.folder.path("FileIndex.json")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let place = try #require(text.range(of: id(1)))
    let version = try #require(text[place.upperBound...].firstRange(of: #""fileVersion":4"#))
    try Data(text.replacingCharacters(in: version, with: #""fileVersion":5"#).utf8).write(
      to: URL(filePath: path))
    let version5 = try container.open(isIndexed: true).conflict(id(1)).versions.server.fields?["version"]
    #expect(version5?.value == .text("version 4, and version 5 by now"))
    #expect(try ready(store).contains(id(1)))
  }

  @Test func anAnswerWithoutAnIndexIsNone() {
    #expect(throws: StoreError.self) {
      _ = try ServerIndex(path: "index", bytes: Array(#"{"ServerResult":53,"ServerFileIndex":[]}"#.utf8))
    }
  }

  @Test func anIndexThatIsOlderThanTheRoundIsToldSo() throws {
    let index = #"[{"fileId":"\#(id(1))","fileVersion":0,"deleted":false}]"#
    try Data(index.utf8).write(to: URL(filePath: container.folder.path("FileIndex.json")))
    let details = try container.open(isIndexed: true).conflict(id(1)).details
    #expect(details.notWritable == nil)
    #expect(details.notes.contains { $0.contains("older than what the app has met") })
  }

  @Test(arguments: ["ZMIMETYPE = NULL", "ZREMOTEFILENAME = NULL", "ZINTERNALAPPMETADATA = x'7b'"])
  func whatIsSentIsWholeOrRefused(damage: String) throws {
    try container.run("UPDATE ZSMLOCALFILE SET \(damage)")
    let outcome = try #require(try store.write([planned(1)], note: nil).first).outcome
    guard case .refused = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }
}
