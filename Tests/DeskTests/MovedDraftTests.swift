import Merging
import StoreInterface
import Testing

@testable import Desk

/// What was ready has changed in the store, and the review is the first to hear of it: no watch had told yet, or none can.
@Suite struct MovedDraftTests {
  private static let dentist = "42:reminders"
  private static let reason =
    "it moved: what was decided about title no longer holds, as it changed after the decision"

  /// The dentist's record as the app has edited it once more.
  private static func edited(_ field: String, _ value: String) -> RecordConflict {
    let seen = Sample.dentist
    var row = seen.versions.client.fields ?? [:]
    row[field] = FieldVersion(.text(value), time: Sample.now)
    return RecordConflict(
      id: dentist, table: seen.table, primaryKey: seen.primaryKey, title: seen.title, fields: Sample.fields,
      versions: ThreeWay(
        ancestor: seen.versions.ancestor, client: .present(row), server: seen.versions.server),
      details: seen.details)
  }

  /// Decided by keys, then edited by the app, then reviewed.
  private static func reviewed(
    _ keys: String, _ field: String = "title", _ value: String = "Call the vet"
  ) -> TestDesk {
    var desk = TestDesk(columns: 160).typing(keys)
    desk.records = desk.records.map { $0.id == dentist ? edited(field, value) : $0 }
    return desk.typing("w")
  }

  /// It went from the review without a word, which said that nothing moved.
  @Test func oneOfTheDraftsIsNamedWithItsReason() {
    let desk = Self.reviewed("cjc")
    let screen = desk.screen.description
    let told = [
      "Review   2 drafts: 1 moved, 1 to write", "Call dentist", Self.reason, "1 of 2 can be written",
    ]
    for words in told {
      #expect(screen.contains(words), "\(words)\n\(screen)")
    }
    #expect(!screen.contains("nothing moved"), "\(screen)")
    let written = desk.typing("Y")
    #expect(Set(written.written.keys) == ["87:reminders"])
    #expect(written.screen.description.contains("1 moved meanwhile"), "\(written.screen)")
    #expect(written.screen.description.contains("not written: " + Self.reason), "\(written.screen)")
  }

  /// The list called it ready for ever, and nothing but `r` helped.
  @Test func listAndRecordAreReadAnewForIt() {
    let desk = Self.reviewed("c")
    let screen = desk.screen.description
    #expect(screen.contains(Self.reason), "\(screen)")
    #expect(screen.contains("Nothing is ready any more: above stands why."), "\(screen)")
    #expect(desk.state.status?.text.contains("Your decision on title no longer holds.") == true, "\(screen)")
    #expect(desk.state.list.summary(Self.dentist)?.isReady == false)
    #expect(desk.state.open[Self.dentist]?.isMoved == true)
    let left = desk.typing("<esc>w")
    #expect(left.state.pages.isEmpty && left.state.status?.text.hasPrefix("Nothing is ready") == true)
  }

  /// It stays named until somebody decides.
  @Test func whoOpensItDecidesAnewAndItIsADraftAgain() {
    let opened = Self.reviewed("c").typing("<enter>")
    #expect(opened.state.top(RecordPage.self)?.id == Self.dentist, "\(opened.screen)")
    let back = opened.typing("<esc>").screen
    #expect(back.description.contains(Self.reason), "\(back)")
    let decided = opened.typing("gc<esc>")
    #expect(decided.screen.description.contains("1 draft: 1 to write"), "\(decided.screen)")
    #expect(decided.typing("Y").written[Self.dentist]?["title"] == .text("Call the vet"))
  }

  /// What both sides have by now is nothing to decide: the desk wrote the rest, where `parley write` leaves the record alone.
  @Test func aDecisionIsNotDroppedUnsaid() {
    let desk = Self.reviewed("cjc", "list", "12")
    let words = "what was decided about list no longer holds"
    #expect(desk.screen.description.contains(words), "\(desk.screen)")
    #expect(Set(desk.typing("Y").written.keys) == ["87:reminders"])
  }

  /// Another Parley took back some of what was decided, or all, the app edited the record, and nobody told of either.
  ///
  /// - Parameter decided: what it decided after that.
  private static func takenBack(_ subjects: [Subject]?, decided others: Resolution = Resolution()) -> TestDesk
  {
    var desk = TestDesk(columns: 160).typing("cjc")
    let decided = desk.journal.filter { $0.id == dentist }.map(\.subject)
    desk.journal += Sample.dentist.decisions(
      about: subjects ?? decided, in: Resolution(), at: Sample.now + Sample.minute)
    desk.journal += Sample.dentist.decisions(
      about: Array(others.choices.keys), in: others, at: Sample.now + 2 * Sample.minute)
    desk.records = desk.records.map { $0.id == dentist ? edited("list", "12") : $0 }
    return desk.typing("w")
  }

  /// That the record moved was told first, or alone: no decision is left that it could have ended.
  @Test func thatADecisionWasTakenBackComesFirst() {
    let all = Self.takenBack(nil).screen.description
    #expect(all.contains("what was decided about it was taken back since, and"), "\(all)")
    let one = Self.takenBack([.field("title")]).screen.description
    let words = "what was decided about title was taken back since, and what was decided about list"
    #expect(one.contains(words), "\(one)")
    let list = Resolution(choices: [.field("list"): .take(.server)])
    let before = Self.takenBack([.field("title")], decided: list).screen.description
    #expect(before.contains(words), "\(before)")
    for screen in [all, one, before] { #expect(!screen.contains("it moved"), "\(screen)") }
  }

  @Test func thatIsNoSecretWhereValuesAreHidden() {
    let hidden = Self.takenBack([.field("title")]).typing("P").screen.description
    #expect(hidden.contains("what was decided about it was taken back since"), "\(hidden)")
    #expect(!hidden.contains("about list"), "\(hidden)")
  }

  /// - Parameter list: what the other side has there; nil leaves it.
  private static func deleted(on side: Side, list: String? = nil) -> RecordConflict {
    let seen = Sample.dentist
    var versions = seen.versions
    if let list, var fields = versions.server.fields {
      fields["list"] = FieldVersion(.text(list), time: Sample.now)
      versions.server = .present(fields)
    }
    let deletion = RecordVersion.deleted(time: nil)
    if side == .client { versions.client = deletion } else { versions.server = deletion }
    return RecordConflict(
      id: dentist, table: seen.table, primaryKey: seen.primaryKey, title: seen.title, fields: Sample.fields,
      versions: versions, details: seen.details)
  }

  /// It was told to have changed.
  @Test(arguments: [Side.client, .server]) func thatItWasDeletedIsToldAsAWriteTellsIt(side: Side) throws {
    let gone = Self.deleted(on: side)
    let words = try #require(Sample.dentist.moved(to: gone))
    #expect(words == "the record was deleted on the \(side.rawValue)")
    var desk = TestDesk(columns: 160).typing("cjc")
    desk.records = desk.records.map { $0.id == gone.id ? gone : $0 }
    let review = desk.typing("w")
    // It may stand in two lines.
    let screen = review.screen.description.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(screen.contains("no longer holds, as \(words) after the decision"), "\(review.screen)")
    let status = review.state.status?.text
    #expect(status?.hasPrefix("Call dentist has changed in the store: \(words). Your decision") == true)
  }

  /// Its record lies over the review meanwhile.
  @Test func soItIsToldOfADraftThatGoesFromTheReview() {
    var desk = TestDesk().typing("cjcw<enter>")
    let gone = Self.deleted(on: .client)
    desk.records = desk.records.map { $0.id == gone.id ? gone : $0 }
    desk.take(.storeChanged)
    desk.type("<esc>")
    let words = "Call dentist is in this review no longer: the record was deleted on the client."
    #expect(desk.state.status == .told(words), "\(desk.screen)")
  }

  /// What is edited there after that was told as the deletion once more.
  @Test func whatChangesAfterTheDeletionIsToldAsThat() {
    var desk = TestDesk().typing("<enter>gc")
    let told = [Self.deleted(on: .client), Self.deleted(on: .client, list: "7")].map { conflict in
      desk.records = desk.records.map { $0.id == conflict.id ? conflict : $0 }
      desk.take(.storeChanged)
      return desk.state.status?.text ?? ""
    }
    let deleted = "Call dentist has changed in the store: the record was deleted on the client. Your decision"
    #expect(told[0].contains(deleted), "\(told)")
    #expect(told[1].contains("Call dentist has changed in the store (list)."), "\(told)")
    #expect(!told[1].contains("deleted"), "\(told)")
  }

  @Test func whatIsNoDraftIsNotLeftOut() {
    let desk = Self.reviewed("cjc").typing("g ")
    #expect(desk.state.leftOut.isEmpty && desk.screen.description.contains("1 moved, 1 to write"))
    #expect(desk.state.status?.text.hasPrefix("This is no longer a draft") == true, "\(desk.screen)")
  }
}
