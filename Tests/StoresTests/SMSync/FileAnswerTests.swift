import ExactJSON
import Merging
import Testing

@testable import SMSyncStores
@testable import Samples
@testable import StoreInterface

/// What can be answered to a conflict of a file, what of it is sent, and what each answer loses.
@Suite("Answers to the conflict of a file") struct FileAnswerTests {
  private let container: TestContainer
  private let store: SMSyncStore

  init() throws {
    container = try TestContainer()
    store = try container.open()
  }

  private func id(_ number: Int) -> String { ContainerDemoStore.uuid(number) }

  private func outbox() throws -> OutboxFile { try OutboxFile(path: store.outboxPath) }

  /// Upload, then deletion: the only place where the framework itself loses what somebody meant.
  @Test(arguments: [
    ("server", "accept version 6", []), ("client", "delete version 6, without the upload", ["DeleteFiles 6"]),
    ("upload", "upload the client's text", ["UploadFile 7"]),
    ("sendBoth", "upload, then delete", ["UploadFile 7", "DeleteFiles 7"]),
  ])
  func bothThatWaitHaveFourAnswers(answer: String, words: String, sent: [String]) throws {
    let conflict = try store.conflict(id(4))
    #expect(conflict.alternatives.map(\.id) == ["server", "client", "upload", "sendBoth"])
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
    #expect(conflict.alternatives.map(\.id) == ["accept", "client"])
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

  /// That nobody knows what the server has tells all of it: what it has in its content is no second loss.
  @Test func whatNobodyCanLookAtIsToldOnce() throws {
    let conflict = try container.open(isIndexed: true).conflict(id(26))
    let unseen = Alternative.Loss.other("what the server has, which is not known")
    let keep = try #require(conflict.alternative("client"))
    #expect(Losses(conflict).of(keep) == [unseen])
    #expect(conflict.givenUp(by: .take(.client), for: .record) == [GivenUp(.server, .unknown)])
    let own = try #require(conflict.alternative(typing: .text("Made of both\n")))
    #expect(
      Losses(conflict).of(own) == [.values(of: "the client", fields: ["content"]), unseen])
    #expect(Losses(conflict).givenUp(by: own).count(where: { $0.what == .unknown }) == 1)
  }

  /// Of a file that one side has deleted, or that nobody can look at: a text of a person's own goes in the place of the upload.
  @Test(arguments: [
    (3, "undelete the draft", ["UploadFile 3"], [Alternative.Loss.deletion(by: "the server")]),
    (26, "upload the draft", ["UploadFile 4"], [.other("what the server has, which is not known")]),
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
    for answer in conflict.alternatives {
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
}
