import Merging
import StoreInterface
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
          seen.insert(conflict(ancestor, client, server).fingerprint(of: .field("title")).stored)
        }
      }
    }
    #expect(seen.count == Self.values.count * Self.values.count * Self.values.count)
  }

  @Test func itHas32HexadecimalDigits() {
    let fingerprint = conflict(.null, .null, .null).fingerprint(of: .record).stored
    #expect(fingerprint.count == 32)
    #expect(fingerprint.allSatisfy { "0123456789abcdef".contains($0) })
  }

  @Test func aRecordThatChangedAfterItsLastDecisionIsMovedUnlessNothingIsDecided() {
    let (before, after) = (reminder(client: ["notes": .text("a")]), reminder(client: ["notes": .text("b")]))
    func decision(_ choice: Choice?, on conflict: RecordConflict) -> Decision {
      Decision(
        id: conflict.id, subject: .field("title"), choice: choice,
        fingerprint: Fingerprint(stored: kept(by: conflict, .field("title")) ?? ""), decidedAt: 1)
    }
    let taken = decision(.take(.server), on: before)
    #expect(!before.judged([taken]).isMoved && after.judged([taken]).isMoved)
    #expect(after.judged([taken]).resolution == before.judged([taken]).resolution)
    #expect(!after.judged([taken, decision(.take(.client), on: after)]).isMoved)
    #expect(after.judged([taken, decision(nil, on: before)]) == JudgedDecisions())
  }

  /// Who decides a field decides field by field from then on, whether the decision about the whole still holds or not.
  @Test func aDecisionAboutTheWholeRecordIsEndedByOneAboutAField() {
    let (before, after) = (reminder(client: ["notes": .text("a")]), reminder(client: ["notes": .text("b")]))
    func decided(_ subject: Subject, _ choice: Choice?, on conflict: RecordConflict) -> [Decision] {
      conflict.decisions(
        about: [subject], in: Resolution(choices: choice.map { [subject: $0] } ?? [:]), at: 1)
    }
    let whole = decided(.record, .take(.server), on: before)
    #expect(after.judged(whole).outdated.map(\.subject) == [.record])
    let field = decided(.field("title"), .take(.client), on: after)
    #expect(after.judged(whole + field).outdated.isEmpty)
    #expect(!after.judged(whole + decided(.field("title"), nil, on: after)).outdated.isEmpty)
    let moved = DecidedConflict(after, decisions: whole)
    #expect(moved.deciding(Resolution(choices: [.field("title"): .take(.client)])).outdated.isEmpty)
  }

  /// Else it would hold again as soon as the field is taken back.
  @Test func whatEndsADecisionAboutTheWholeRecordIsKeptAsTakingItBack() {
    let (before, after) = (reminder(client: ["notes": .text("a")]), reminder(client: ["notes": .text("b")]))
    let whole = before.decisions(
      about: [.record], in: Resolution(choices: [.record: .take(.server)]), at: 1)
    let field = Resolution(choices: [.field("title"): .take(.client)])
    let title = Subject.field("title")
    let outdated = DecidedConflict(after, decisions: whole)
    #expect(outdated.decisions(about: [title], in: field, at: 2).map(\.subject) == [.record, title])
    #expect(outdated.decisions(about: [title], in: Resolution(), at: 2).map(\.subject) == [title])
    #expect(DecidedConflict(after).decisions(about: [title], in: field, at: 2).map(\.subject) == [title])
  }

  @Test func whatIsTypedIntoARowThatTheAppPutBackIsSeen() {
    var conflict = reminder(client: ["notes": .text("a")])
    conflict.details.rowIsBack = true
    let seen = kept(by: conflict, .record)
    conflict.details.ownOfRowBack = ["notes": .text("typed")]
    #expect(kept(by: conflict, .record) != seen)
  }

  @Test func whetherItMovedIsLookedAtOnlyWhereThatIsAsked() {
    let (before, after) = (reminder(client: ["notes": .text("a")]), reminder(client: ["notes": .text("b")]))
    let taken = Decision(
      id: before.id, subject: .field("title"), choice: .take(.server),
      fingerprint: Fingerprint(stored: kept(by: before, .field("title")) ?? ""), decidedAt: 1)
    var asked: [Resolution] = []
    let judged = after.judged([taken]) {
      asked.append($0)
      return false
    }
    #expect(asked == [judged.resolution] && !judged.resolution.isEmpty && !judged.isMoved)
    let decided = DecidedConflict(after, decisions: [taken])
    #expect(decided.isMoved == !decided.undecided.isEmpty)
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

  @Test func theRowThatAWriteOverwritesIsSeen() {
    let plain = reminder(client: ["title": .text("Oat milk")], server: ["title": .text("Milk 2%")])
    let seen = [nil, Value.text("Oat milk"), .text("Milk 2%"), .null].map { value in
      var conflict = plain
      conflict.details.mergedRow = value.map { ["title": $0] }
      return [Subject.field("title"), .record].map { conflict.fingerprint(of: $0).stored }
    }
    #expect(seen[0] == seen[1], "it is what the client's version tells")
    #expect(Set(seen).count == 3)
    var (back, gone) = (plain, plain)
    (back.details.rowIsBack, gone.details.rowIsGone) = (true, true)
    #expect(Set([plain, back, gone].map { $0.fingerprint(of: .record).stored }).count == 3)
    // Its fields have what was captured, and to write one makes the record again.
    gone.details.isGoneSince = true
    #expect(Set([plain, gone].map { $0.fingerprint(of: .field("title")).stored }).count == 2)
  }

  /// They may have been in a row alone, which is gone.
  @Test func whatWasDecidedHoldsNoLongerOnceItsBytesAreNotThere() {
    let bytes = Blob(bytes: [1])
    let servers = [Value.blob(bytes), .blob(Blob(sha256: bytes.sha256))]
    let fields = servers.map { conflict(.null, .text("x"), $0) }
    let records = servers.map { server in
      RecordConflict(
        id: "1:lists", table: "lists", primaryKey: "1", title: "Home", fields: [Field("title")],
        versions: ThreeWay(
          ancestor: present(["title": .null], time: 0), client: .deleted(time: 100),
          server: present(["title": server], time: 200)))
    }
    let cases: [(Subject, [RecordConflict])] = [(.field("title"), fields), (.record, records)]
    for (subject, conflicts) in cases {
      let taken = conflicts[0].decisions(
        about: [subject], in: Resolution(choices: [subject: .take(.server)]), at: 1)
      #expect(conflicts[0].judged(taken).resolution[subject] == .take(.server))
      #expect(conflicts[1].judged(taken).resolution.isEmpty)
      #expect(conflicts[1].judged(taken).outdated == taken)
    }
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
      reminder(ancestor: nil, client: present([:]), server: $0).fingerprint(of: .record).stored
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
    func decision(_ choice: Choice?, id: String = "42:reminders", fingerprint: Fingerprint? = nil) -> Decision
    {
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

  /// Journals are read again by later versions. Of a whole document with more than two leaves the one of before is another: it knew too
  /// little of these, so that what was decided by it is to be decided anew.
  @Test func whatAJournalHoldsStillFits() {
    let shop = document(fields: 3, leaves: 5)
    let row = reminder(client: ["title": .text("Oat milk")], server: ["notes": .null])
    let of = (
      shop.fingerprint(of: .field("f1")).stored, shop.fingerprint(of: .record).stored,
      row.fingerprint(of: .field("notes")).stored
    )
    #expect(of.0 == "8df6237f0f38d6b273f95831d3722b6f")
    #expect(of.1 == "376897f7223c68c7282f60a0d3c9239e")
    #expect(of.2 == "612018b7303cf5b996cb58431531fbdb")
    let leaves = "cdef362e8306f206c87861c14983aae1"
    #expect(kept(by: shop, .field("f1")) == of.0 + "d74b6fbd48affb4612e4d41ab865dbc2" + leaves)
    #expect(kept(by: shop, .record) == of.1 + "d74b6fbd48affb4612e4d41ab865dbc2" + leaves)
    let version = "69c29c051218dbea38795b1cdfd81685"
    #expect(kept(by: row, .field("notes")) == of.2 + "74320103ec31f8edcdae8f5a963e9434" + version)
  }

  /// An undo brings them back in another order. So many, as a hash table has another order in each run.
  @Test func theOrderOfTheOtherLeavesIsNotSeen() {
    for turned in [false, true] {
      let shop = document(fields: 2, leaves: 40, turned: turned)
      #expect(shop.fingerprint(of: .field("f0")) == "e8ea080c5e3736b95530c52acf62f216")
    }
    let shops = [false, true].map { document(fields: 2, leaves: 40, turned: $0) }
    #expect(shops[0].fingerprint(of: .record) == shops[1].fingerprint(of: .record))
  }

  /// A decision about the record ends every leaf but one, and of each what it has.
  @Test func ofARecordAllIsSeenThatAnyOfItsLeavesHas() {
    let (fields, leaves) = (3, 6)
    var shops = [document(fields: fields, leaves: leaves)]
    for leaf in 0..<leaves {
      for field in 0..<fields {
        for value in [nil, Value.null, .text("an edit")] {
          shops.append(document(fields: fields, leaves: leaves) { $0[leaf]["f\(field)"] = value })
        }
      }
    }
    // All that is there is there still, in other leaves.
    for other in [3, 5] {
      shops.append(
        document(fields: fields, leaves: leaves) { values in
          (values[2]["f0"], values[other]["f0"]) = (values[other]["f0"], values[2]["f0"])
        })
    }
    let seen = shops.map { $0.fingerprint(of: .record).stored }
    #expect(Set(seen).count == shops.count)
  }

  /// A server compacts by itself, and the leaves are what they were.
  @Test func whatWasDecidedHoldsOnceTheAncestorCannotBeReadAnyMore() {
    let gone = RecordVersion.unknown(reason: "not kept")
    let (seen, now) = (
      document(ancestor: present(["f0": .null], time: nil)), document(ancestor: gone)
    )
    let choices: [(Subject, Choice)] = [
      (.record, .take(.client)), (.field("f0"), .take(.server)), (.field("f1"), .edit(.integer(7))),
      (.field("f1"), .merged(.integer(7))), (.field("f0"), .take(.ancestor)),
    ]
    let decisions = choices.flatMap { subject, choice in
      seen.decisions(about: [subject], in: Resolution(choices: [subject: choice]), at: 1)
    }
    for decision in decisions {
      let holds = decision.choice != .take(.ancestor)
      let judged = now.judged([decision])
      #expect(judged.resolution[decision.subject] == (holds ? decision.choice : nil), "\(decision)")
      #expect(judged.outdated == (holds ? [] : [decision]) && !judged.isMoved)
    }
    // Of the second field the ancestor had nothing. What kept nothing of the whole cannot be told to be what it was.
    for decision in decisions {
      var old = decision
      old.fingerprint = Fingerprint(subject: decision.fingerprint.subject)
      #expect(now.judged([old]).resolution.isEmpty == (decision.subject != .field("f1")))
      for other in [
        document(ancestor: gone) { $0[2]["f2"] = .null }, document(ancestor: gone) { $0[0]["f0"] = .null },
      ] {
        #expect(other.judged([decision]).resolution.isEmpty == (decision.subject != .field("f1")))
      }
    }
  }

  /// Nothing was known of it before, and now it may say otherwise.
  @Test func whatWasDecidedWithoutAnAncestorIsLookedAtAgainWhereOneIsThere() {
    let seen = document(ancestor: .unknown(reason: "not kept"))
    let now = document(ancestor: present(["f0": .null], time: nil))
    let decisions = seen.decisions(
      about: [.field("f0")], in: Resolution(choices: [.field("f0"): .take(.client)]), at: 1)
    #expect(now.judged(decisions).outdated == decisions && now.judged(decisions).isMoved)
  }

  private func kept(by conflict: RecordConflict, _ subject: Subject) -> String? {
    conflict.decisions(about: [subject], in: Resolution(), at: 0).first?.fingerprint.stored
  }

  /// Each field once, each different value of a leaf once, and the record once, and what tells its conflict.
  @Test(arguments: [10, 20, 40])
  func decidingAllFieldsHashesAsOftenAsThereAreFields(fields: Int) {
    let conflict = document(fields: fields, leaves: 30)
    var fingerprints = Fingerprints(conflict)
    for field in conflict.fields { _ = fingerprints.ofDecision(about: .field(field.name)) }
    let values = Set(
      conflict.liveLeaves.dropFirst(2).flatMap { $0.version.fields?.values.map(\.value) ?? [] })
    #expect(fingerprints.count == fields + values.count + 2)
  }

  /// A document whose leaves have each a value of their own in the first field, and share those of the others.
  ///
  /// - Parameter turned: whether the leaves beside client and server come in the opposite order.
  private func document(
    fields: Int = 3, leaves: Int = 5, ancestor: RecordVersion? = nil, turned: Bool = false,
    edit: (inout [[String: Value]]) -> Void = { _ in }
  ) -> RecordConflict {
    let names = (0..<fields).map { "f\($0)" }
    var all = (0..<leaves).map { leaf in
      var values = Dictionary(uniqueKeysWithValues: names.map { ($0, Value.integer(Int64(leaf % 2))) })
      values["f0"] = .real(Double(leaf) / 4)
      values["f1"] = leaf == 3 ? .opaque(kind: "json", bytes: [0x5B, 0x5D]) : values["f1"]
      return values
    }
    let plain = all
    edit(&all)
    let live = all.enumerated().map { leaf, values in
      // An id stands for a content.
      let generation = values == plain[leaf] ? 2 : 3
      return Leaf(id: "\(generation)-\(leaf)", isDeleted: false, version: present(values, time: nil))
    }
    return RecordConflict(
      id: "book", table: "docs", primaryKey: "book", title: "Book", fields: names.map { Field($0) },
      versions: ThreeWay(ancestor: ancestor, client: live[0].version, server: live[1].version),
      details: RecordConflict.Details(
        leaves: turned ? live.prefix(2) + live.dropFirst(2).reversed() : live))
  }

  /// A write may itself take away what a key points to, before it comes to the record: the key is the store's to refuse.
  @Test func whatIsSuggestedIsNoPartOfWhetherARecordMoved() {
    let seen = reminder(client: ["priority": .integer(2)], server: ["title": .text("there")])
    func now(_ unreferenced: [String: Set<Value>], _ fields: [Field]? = nil) -> RecordConflict {
      var details = RecordConflict.Details()
      details.unreferenced = unreferenced
      return RecordConflict(
        id: seen.id, table: seen.table, primaryKey: seen.primaryKey, title: seen.title,
        fields: fields ?? seen.fields.map(\.field), versions: seen.versions, rules: seen.rules,
        details: details)
    }
    let gone = now(["title": [.text("there")]])
    #expect(gone["title"]?.suggestion != seen["title"]?.suggestion)
    #expect(now([:]).moved(to: gone) == nil)
    let others = now([:], seen.fields.map(\.field).dropLast())
    #expect(now([:]).moved(to: others) == "the table changed")
  }
}
