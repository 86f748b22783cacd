import ExactJSON
import Testing

@testable import CouchDBServers

/// Our server answers as a real CouchDB 3.5.0 did, step by step. Skipped where the recordings are not beside the project.
@Suite struct TranscriptTests {
  private static let first = "cases/couchdb-transcript.json"
  private static let second = "cases/couchdb-transcript-2.json"

  private static let search = "Mango: Parley finds conflicts by _changes"
  private static let cluster = "how a cluster's nodes and shards lie"

  @Test(.enabled(if: Shared.has(first), "needs ../shared/cases/couchdb-transcript.json"))
  func everyStepOfTheFirstRecordingComesOutAlike() throws {
    let transcript = try Transcript(TranscriptTests.first)
    let replay = try TranscriptReplay()
    replay.headers[2] = LoopbackClient.basic("admin", "wrong")
    replay.notImitated = [30: TranscriptTests.search, 31: TranscriptTests.search]
    replay.inOrderOfShards = [20]
    replay.after[39] = { replay in
      try replay.server.database("desk").setValidation { write throws(ValidationRefusal) in
        if write.document["_deleted"]?.isTrue == true { throw .forbidden("no deletions here") }
        if write.document["name"] == nil { throw .forbidden("name required") }
      }
    }
    #expect(try replay.run(transcript) == 48)
    #expect(transcript.steps.count == 48 + replay.notImitated.count)
  }

  @Test(.enabled(if: Shared.has(second), "needs ../shared/cases/couchdb-transcript-2.json"))
  func everyStepOfTheSecondRecordingComesOutAlike() throws {
    let transcript = try Transcript(TranscriptTests.second)
    let replay = try TranscriptReplay()
    replay.notImitated = [
      136: "eventsource: for browsers", 150: "attachments as parts: Parley asks for one attachment at a time",
      182: TranscriptTests.search, 187: TranscriptTests.cluster, 188: TranscriptTests.search,
      207: TranscriptTests.cluster, 214: TranscriptTests.search,
    ]
    replay.inOrderOfShards = [134]
    replay.ignored[454] = (["pending"], "a filter leaves 22 pending of 24 where none is to come")
    TranscriptTests.setUpRights(replay)
    TranscriptTests.setUpSessions(replay)
    let short = transcript.steps.filter { [344, 347].contains($0.number) || 163...165 ~= $0.number }
    replay.makeRevisionsOpaque(
      Set(short.flatMap { TranscriptTests.revisions(in: $0.response["body"]?.text ?? "") }))
    #expect(try replay.run(transcript) == 607)
    #expect(transcript.steps.count == 607 + replay.notImitated.count)
  }

  private static func revisions(in text: String) -> [String] {
    text.matches(of: /[0-9]+-[0-9a-f]{32}/).map { String($0.output) }
  }

  /// The validation functions of the recording, in Swift.
  private static func setUpRights(_ replay: TranscriptReplay) {
    replay.after[223] = { replay in
      try replay.server.database("rights").setValidation { write throws(ValidationRefusal) in
        if write.user == "reader" { throw .forbidden("reader may not write") }
        if write.document["_deleted"]?.isTrue == true { throw .forbidden("no deletions here") }
        if write.document["v"]?.text == "bad" { throw .unauthorized("say who you are") }
      }
    }
    replay.after[234] = { replay in
      try replay.server.database("rights").setValidation { _ throws(ValidationRefusal) in
        let reason = "SyntaxError: unexpected token in expression: '' (function(n,o,u,s){ if()"
        throw .broken(error: "compilation_error", reason: reason)
      }
    }
  }

  /// The recording went on with a server whose cookies live ten seconds, and waited.
  private static func setUpSessions(_ replay: TranscriptReplay) {
    replay.before[250] = { replay in
      replay.server.setSessionTimeout(10)
      try replay.logIn("reader")
    }
    replay.before[251] = { $0.server.advanceClock(by: 3) }
    replay.before[252] = { $0.server.advanceClock(by: 9) }
  }
}
