import Merging
import Testing

@Suite struct FingerprintTests {
  private static let values: [Value?] = [nil] + ValueEqualityTests.different.map(Optional.some)

  private func conflict(_ ancestor: Value?, _ client: Value?, _ server: Value?) -> RecordConflict {
    func side(_ value: Value?, time: Int64?) -> RecordVersion {
      .present(value.map { ["title": FieldVersion($0, time: time)] } ?? [:])
    }
    return RecordConflict(
      id: "1:lists", table: "lists", primaryKey: "1", title: "Home", fields: [Field("title")],
      versions: ThreeWay(
        ancestor: side(ancestor, time: 0), client: side(client, time: 100), server: side(server, time: 200)))
  }

  @Test func itDiffersForAnyTwoThingsThatAPersonCouldSee() {
    var seen: Set<String> = []
    for ancestor in Self.values {
      for client in Self.values {
        for server in Self.values {
          seen.insert(conflict(ancestor, client, server).fingerprint(of: .field("title")))
        }
      }
    }
    #expect(seen.count == Self.values.count * Self.values.count * Self.values.count)
  }

  @Test func itHas32HexadecimalDigits() {
    let fingerprint = conflict(.null, .null, .null).fingerprint(of: .record)
    #expect(fingerprint.count == 32)
    #expect(fingerprint.allSatisfy { "0123456789abcdef".contains($0) })
  }

  @Test func aRecordThatChangedAfterItsLastDecisionIsMovedUnlessNothingIsDecided() {
    let (before, after) = (reminder(client: ["notes": .text("a")]), reminder(client: ["notes": .text("b")]))
    func decision(_ choice: Choice?, on conflict: RecordConflict) -> Decision {
      let fingerprint = conflict.decisionFingerprint(of: .field("title"))
      return Decision(
        id: conflict.id, subject: .field("title"), choice: choice, fingerprint: fingerprint, decidedAt: 1)
    }
    let taken = decision(.take(.server), on: before)
    #expect(!before.judged([taken]).isMoved && after.judged([taken]).isMoved)
    #expect(after.judged([taken]).resolution == before.judged([taken]).resolution)
    #expect(!after.judged([taken, decision(.take(.client), on: after)]).isMoved)
    #expect(after.judged([taken, decision(nil, on: before)]) == JudgedDecisions())
  }

  @Test func timesDoNotCount() {
    let (now, later) = (
      reminder(client: ["title": .text("Oat milk")], at: 100),
      reminder(client: ["title": .text("Oat milk")], at: 900)
    )
    for subject in [Subject.record, .field("title")] {
      #expect(now.fingerprint(of: subject) == later.fingerprint(of: subject))
    }
  }

  @Test func aBlobsBytesCountByTheirHash() {
    let bytes = Blob(bytes: [1])
    let (here, elsewhere) = (Value.blob(bytes), Value.blob(Blob(sha256: bytes.sha256)))
    #expect(
      conflict(nil, here, nil).fingerprint(of: .field("title"))
        == conflict(nil, elsewhere, nil).fingerprint(of: .field("title")))
  }

  @Test func anotherFieldDoesNotCountForAFieldAndDoesForTheRecord() {
    let (before, after) = (reminder(client: ["notes": .text("a")]), reminder(client: ["notes": .text("b")]))
    #expect(before.fingerprint(of: .field("title")) == after.fingerprint(of: .field("title")))
    #expect(before.fingerprint(of: .field("notes")) != after.fingerprint(of: .field("notes")))
    #expect(before.fingerprint(of: .record) != after.fingerprint(of: .record))
  }

  @Test func theRecordsFingerprintTellsHowASideIsMissing() {
    let missing: [RecordVersion] = [
      .deleted(time: nil), .absent, .unknown(reason: "no archive"), .unknown(reason: "zip"),
    ]
    let fingerprints = missing.map {
      reminder(ancestor: nil, client: present([:]), server: $0).fingerprint(of: .record)
    }
    #expect(Set(fingerprints).count == missing.count)
  }

  @Test func aDecisionHoldsWhileThePersonWouldSeeTheSame() {
    let seen = reminder(client: ["title": .text("Oat milk")], server: ["notes": .text("x")])
    let moved = reminder(client: ["title": .text("Oat milk")], server: ["notes": .text("y")])
    let decisions = [Subject.field("title"), .field("notes")].map {
      Decision(
        id: seen.id, subject: $0, choice: .take(.server), fingerprint: seen.fingerprint(of: $0), decidedAt: 1)
    }
    #expect(seen.resolution(from: decisions).choices.keys.count == 2)
    #expect(moved.resolution(from: decisions).choices == [.field("title"): .take(.server)])
  }

  @Test func theLastDecisionOfASubjectHolds() {
    let conflict = reminder(client: ["title": .text("Oat milk")])
    func decision(_ choice: Choice?, id: String = "42:reminders", fingerprint: String? = nil) -> Decision {
      let fingerprint = fingerprint ?? conflict.fingerprint(of: .field("title"))
      return Decision(
        id: id, subject: .field("title"), choice: choice, fingerprint: fingerprint, decidedAt: 1)
    }
    let (taken, edited) = (decision(.take(.client)), decision(.edit(.text("x"))))
    #expect(conflict.resolution(from: [taken, edited])[.field("title")] == .edit(.text("x")))
    #expect(conflict.resolution(from: [taken, decision(nil)]).isEmpty)
    #expect(conflict.resolution(from: [taken, decision(.take(.server), fingerprint: "old")]).isEmpty)
    #expect(conflict.resolution(from: [decision(.take(.client), id: "43:reminders")]).isEmpty)
  }
}
