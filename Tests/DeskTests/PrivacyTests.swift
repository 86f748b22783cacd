import Foundation
import Merging
import StoreInterface
import Telling
import Terminal
import Testing

@testable import Desk

/// A law: with `P` nothing of any record is on any screen, whatever is pressed. The store is full of one unmistakable word.
@Suite struct PrivacyTests {
  private static let word = "zebra"

  private static func text(_ number: Int) -> Value { .text("\(word)\(number)") }

  private static let record = {
    var conflict = Sample.edit(
      "\(word)1:reminders", title: "\(word)2",
      client: ["title": text(3), "list": text(4), "due": text(5), "notes": .text("\(word) one \(word)")],
      at: Sample.now,
      server: [
        "title": (text(6), Sample.now - Sample.minute), "list": (text(7), Sample.now),
        "notes": (.text("\(word) two \(word)"), Sample.now),
      ])
    conflict.details.references["list"] = [text(4): "\(word)8", text(7): "\(word)9"]
    conflict.details.serverDevice = "\(word)10"
    return conflict
  }()

  /// Ready to be written.
  private static let sure = Sample.edit(
    "\(word)11:reminders", title: "\(word)12", client: ["notes": text(13)], at: Sample.now, server: [:])

  private static let refused = Sample.edit(
    "\(word)14:reminders", title: "\(word)15", client: ["list": text(16)], at: Sample.now, server: [:])

  private static let parent = RecordConflict(
    id: "\(word)5:lists", table: "lists", primaryKey: "\(word)4", title: "\(word)90",
    fields: [Field("name", kind: .text)],
    versions: ThreeWay(
      ancestor: .present(["name": FieldVersion(text(91), time: 0)]), client: .deleted(time: 1),
      server: .present(["name": FieldVersion(text(92), time: 2)])))

  private static let finding = Finding(
    id: "stuck:\(word)17", table: "reminders", record: "\(word)18", title: "\(word)19", what: "stuck",
    evidence: "\(hidden: "\(word)20") is not there", cause: "A purge.", remedy: "Open it.",
    canBeMended: "The row is queued.", related: ["\(word)21"])

  private static let document = Bookshop.document(
    "\(word)22", title: "\(word)23",
    leaves: (1...3).map {
      Bookshop.leaf(
        Bookshop.id(2, $0),
        ["title": text(30 + $0), "\($0)": text(40 + $0), attachment: text(60 + $0)],
        of: ["title": text(24), unchanged: text(25)])
    })

  /// What the app calls a field is no secret, but a file was named by somebody.
  private static let attachment = "_attachments/\(word): passport.jpg"

  private static let unchanged = "_attachments/\(word): kept.jpg"

  private static let onlyAttachment = Bookshop.document(
    "\(word)70", title: "\(word)71",
    leaves: (1...3).map { Bookshop.leaf(Bookshop.id(2, $0), [attachment: text(72 + $0)], of: [:]) })

  private static func reminders(_ columns: Int, _ rows: Int) -> TestDesk {
    var desk = TestDesk([record, sure, refused, parent], findings: [finding], columns: columns, rows: rows)
    desk.outcomes[refused.id] = .refused(field: "list", "there is no lists \(word)16")
    desk.writes = [
      JournalEntry(
        time: Sample.now, record: record.id, title: "\(word)80", event: .ended(.write, detail: "\(word)81"),
        note: "\(word)82")
    ]
    desk.type("P")
    return desk
  }

  private static func documents(_ columns: Int, _ rows: Int) -> TestDesk {
    var desk = TestDesk(
      [document, onlyAttachment], findings: [finding], columns: columns, rows: rows, store: Bookshop.store,
      trees: ["\(word)22": Bookshop.waldenTree])
    desk.type("P")
    return desk
  }

  /// Ways to every screen.
  private static let ways = [
    "", "<enter>", "<enter><enter>", "<enter>c", "L", "<enter>L", "jAw", "jAjAw", "jAjAwY", "jAwYu", "jAwYuY",
    "P<enter>jjjmP", "P<enter>jjjm]P", "P<enter><enter>P",
    "6<enter>", "6m", "6mY", "6mYu", "/\(word)", "/\(word)<enter>", "/nothing<enter>", "?",
    "H", "<enter>H", " ", "*B", "B", "Bj ", "Bjj jj jj jj ", "BG", "BY", "/\(word)<enter>B",
    "f", "<enter>f", "fj", "fc", "fcY", "fcYj", "fcYu",
    "P<enter>HP", "P<enter>iP", "PcwY<esc>D<enter>P",
  ]

  @Test(arguments: [(40, 12), (80, 24), (120, 40), (200, 50)])
  func nothingIsShown(columns: Int, rows: Int) {
    for way in Self.ways {
      check(Self.reminders(columns, rows).typing(way), way, depth: 1)
      check(Self.documents(columns, rows).typing(way), way, depth: 1)
    }
  }

  /// Neither in its place nor over it.
  @Test func thatAValueIsNullIsNotTold() throws {
    let conflict = Sample.edit(
      "5:reminders", title: "Milk", client: ["notes": .text("x")], at: Sample.now,
      server: ["notes": (.null, Sample.now)])
    func heading(_ keys: String) throws -> Substring {
      let screen = TestDesk([conflict], columns: 120, rows: 40).typing(keys).screen.description
      return try #require(screen.split(separator: "\n").first { $0.contains("S Server") })
    }
    #expect(try heading("<enter><enter>").contains("NULL"))
    #expect(try !heading("P<enter><enter>").contains("NULL"))
  }

  @Test func nothingIsToldOfWhatOthersDo() {
    let events: [DeskEvent] = [
      .storeChanged, .settled(id: Self.record.id),
      .openFailed(id: Self.record.id, "\(Self.record.id) is locked."),
      .treeFailed(id: Self.record.id, "\(Self.record.id) is damaged."),
    ]
    for event in events {
      var desk = Self.reminders(80, 24).typing("<enter>s")
      desk.records[0] = Sample.edit(
        Self.record.id, title: "\(Self.word)50", client: ["title": Self.text(51)], at: Sample.now,
        server: ["title": (Self.text(52), Sample.now)])
      desk.take(event)
      check(desk, "\(event)", depth: 0)
    }
  }

  /// They are made of what a document holds.
  @Test func idsOfRevisionsAreNotShownInFull() {
    for way in ["<enter>", "<enter><enter>", "<enter>L", "<enter>Lk"] {
      let (screen, open) = (Self.documents(200, 50).typing(way), Self.documents(200, 50).typing("P" + way))
      let id = /[0-9]-[0-9a-f]{32}/
      #expect(!screen.screen.description.contains(id), "\(way)\n\(screen.screen)")
      #expect(open.screen.description.contains(id), "\(way)\n\(open.screen)")
    }
  }

  /// Neither among one's own decisions nor among those of others.
  @Test func aLeafThatWasDecidedOnIsNotToldByItsId() {
    let id = Bookshop.id(2, 2)
    var document = Self.document
    document.details.alternatives = [
      Alternative(id: id, words: "take leaf 2", outcome: .own),
      Alternative(id: "delete", words: "delete it", outcome: .delete),
    ]
    for (keys, isTold) in [("", true), ("P", false)] {
      var desk = TestDesk([document], columns: 120, rows: 60, store: Bookshop.store)
      let own = desk.typing(keys + "<enter>o<enter>")
      #expect(own.journal.last?.choice == .alternative(id))
      #expect(own.screen.description.contains("the whole record: \(id)") == isTold, "\(own.screen)")
      desk.type(keys + "<enter>")
      desk.another(decides: document.id, .record, .alternative(id))
      desk.take(.heard)
      let told = desk.state.status?.text ?? ""
      #expect(told.contains("decided the whole record") && told.contains(id) == isTold, "\(told)")
    }
  }

  /// Why a step is as it is, is Parley's to say; of a record only the values in it are somebody's.
  @Test func theExplanationOfAStoryIsShown() {
    let steps = String(repeating: "l", count: 8)
    let told = TestDesk(columns: 80, rows: 24).typing("PL<tab>" + steps).screen.description
    let open = TestDesk(columns: 80, rows: 24).typing("L<tab>" + steps).screen.description
    #expect(open.contains("Why?  The server's record comes in."))
    #expect(told == open)
    let own = Self.reminders(80, 24).typing("<enter>L")
    #expect(own.screen.description.contains("Why?  Client and server have both gone on"))
    #expect(own.typing("ll").screen.description.contains("Why?  title: client newer by 1m 00s. notes:"))
  }

  /// A text that was made while values were hidden has them as soon as they are shown.
  @Test func whatWasOpenedHiddenIsShownWhole() {
    for way in ["<enter>H", "<enter>i", "cwY<esc>D<enter>"] {
      let desk = Self.reminders(120, 40)
      #expect(desk.state.privacy == .hidden)
      let (later, open) = (desk.typing(way + "P"), desk.typing("P" + way))
      #expect(later.state.topic == .text && later.screen.description.contains(Self.word), "\(way)")
      #expect(!later.screen.description.contains("***"), "\(way)\n\(later.screen)")
      #expect(later.state.top(TextPage.self) == open.state.top(TextPage.self), "\(way)\n\(open.screen)")
    }
  }

  /// What a version has not is told by the same key as what it has.
  @Test func thatAValueIsNullIsHiddenToo() {
    let record = Sample.edit(
      "\(Self.word)1:reminders", title: "\(Self.word)2", client: ["notes": .null], at: Sample.now, server: [:]
    )
    let desk = TestDesk([record])
    for way in ["<enter>", "<enter><enter>", "<enter>sw"] {
      #expect(desk.typing(way).screen.description.contains("∅"), "\(way)\n\(desk.typing(way).screen)")
      let hidden = desk.typing("P" + way).screen
      #expect(!hidden.description.contains("∅"), "\(way)\n\(hidden)")
    }
  }

  @Test func aHiddenValueIsNotEdited() {
    let desk = Self.reminders(80, 24).typing("<enter>e")
    #expect(desk.state.topic == .record)
    #expect(desk.state.status?.text == "Values are hidden. P shows them; then they can be edited.")
    #expect(!desk.typing("E").effects.contains { if case .editOutside = $0 { true } else { false } })
    #expect(desk.typing("Pe").state.topic == .editor)
  }

  /// Nothing of a finding or of what waits for upload, wherever it stands, but what its store says that anybody may read.
  @Test(arguments: [Privacy.hidden, .redacted(by: RedactionKey())]) func nothingOfAReportIsLeft(
    privacy: Privacy
  ) {
    let waiting = UploadQueue.Waiting(
      table: "reminders", record: "\(Self.word)80", isDeletion: false, part: "", since: nil)
    let queue = UploadQueue(parts: [], waiting: [waiting])
    for told in ["\(privacy.told(Self.finding, in: Bookshop.store))", "\(privacy.told(queue))"] {
      #expect(!told.contains(Self.word) && told.contains("reminders"), "\(told)")
    }
  }

  @Test func aWriteThatFailsNamesNoRecord() {
    let words = "\(Self.sure.id) was refused: there is no \(Self.word)13."
    for (way, isTold) in [("Y", false), ("PY", true)] {
      var desk = Self.reminders(80, 24).typing("jAw" + way)
      desk.take(.reviewFailed(words))
      #expect(desk.state.status?.text.contains(Self.word) == isTold, "\(desk.screen)")
    }
  }

  /// Of every reason not to take a choice, as some name a field.
  @Test func noRefusalNamesAFile() {
    let name = Self.attachment
    let refusals: [ChoiceRefusal] = [
      .notWritable(name), .wrongType(field: name, expected: .text), .notJSON(field: name),
      .notReadable(field: name, expected: ""), .readableTwice(field: name, expected: ""),
      .realToSQLite(field: name, 1e19), .noInteger(field: name), .beyondDoubles(field: name),
      .rounded(field: name, to: 1), .toGiveInDigits(field: name, 1),
      .attachment(field: name), .required(field: name),
    ]
    for refusal in refusals { #expect(!Privacy.hidden.words(refusal).contains(Self.word), "\(refusal)") }
  }

  /// And no other has it, whatever field it is in; a text is called as the key or the title that is the same.
  @Test func aValueHasOneNameInEveryReport() {
    let privacy = Privacy.redacted(by: RedactionKey())
    func json(_ text: String) -> Value { .opaque(kind: Value.jsonKind, bytes: Array(text.utf8)) }
    let texts = ["5", "5.0", "\0\"5\"", "\0{\"json\":\"true\"}", "true", "[1]", "", "\"\"", "***"]
    var values: [Value] = [.integer(5), .real(5), json("true"), json("[1]")]
    values += texts.map { Value.text($0) }
    values += [0xFE, 0xFF].map { Value.opaque(kind: Value.brokenText, bytes: [$0]) }
    #expect(Set(values.map { privacy.line($0) }).count == values.count)
    for value in values { #expect(privacy.line(value, kind: .any) == privacy.line(value)) }
    #expect(privacy.line(.text("42")) == privacy.shown("42"))
    let blob = Blob(bytes: [1, 2])
    #expect(privacy.line(.blob(blob)) == privacy.line(.blob(Blob(sha256: blob.sha256))))
    let part = LostPart(name: "a", old: "1", new: nil)
    #expect(part.words(privacy).hasSuffix("removed \(privacy.line(.text("1")))"))
  }

  /// A key of JSON may be an address.
  @Test(arguments: [Privacy.hidden, .redacted(by: RedactionKey())]) func noMergeTellsAKeyOfJSON(
    privacy: Privacy
  ) {
    let parts = PartChoices(choices: ["/\(Self.word)@example.com": .take(.client), "4+2": .take(.server)])
    let told = privacy.beside(parts)
    #expect(!told.contains(Self.word) && told.contains(": client taken; server taken"), "\(told)")
    #expect(Privacy.open.beside(parts).contains("/\(Self.word)@example.com: client taken"))
  }

  /// One key has one hash, be it told of what was chosen or of what was given up.
  @Test func aKeyOfJSONHasOneHash() {
    let privacy = Privacy.redacted(by: RedactionKey())
    for (name, pointer) in ["a": "/a", "a.b[7]": "/a/b/7", #"a["x.y/z"]"#: "/a/x.y~1z"] {
      let lost = LostPart(name: name, old: "1", new: "2").words(privacy)
      let chosen = privacy.beside(PartChoices(choices: [pointer: .take(.client)]))
      #expect(chosen == " (\(lost.prefix { $0 != ":" }): client taken)", "\(lost)")
    }
    #expect(LostPart(name: "a.b", old: "1", new: "2").words(.open) == "a.b: 1 → 2")
  }

  /// The screen, and those that every key of it leads to.
  private func check(_ desk: TestDesk, _ way: String, depth: Int) {
    let screen = desk.screen.description
    // By the C library, as most of the run's screens are looked through here.
    if strstr(screen.lowercased(), Self.word) != nil {
      Issue.record("after \(way):\n\(screen)")
      return
    }
    guard depth > 0, desk.state.topic != .help else { return }
    for binding in Keymap.bindings(on: desk.state.topic) where binding.command != .anywhere(.togglePrivate) {
      var next = desk
      next.take(.terminal(.key(binding.keys[0])))
      check(next, "\(way) \(binding.keys[0].name)", depth: depth - 1)
    }
  }
}
