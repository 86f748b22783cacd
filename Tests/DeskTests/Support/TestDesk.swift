import Desk
import Merging
import StoreInterface
import Terminal

/// A desk on records in memory, driven by keys. What the program does outside is done here at once.
struct TestDesk {
  var state: DeskState
  var records: [RecordConflict]
  var findings: [Finding]
  var journal: [Decision] = []
  /// How many of these were there before this desk; nil: those of before ``Sample/now``.
  var decidedBefore: Int?
  var written: [String: Draft] = [:]
  /// Records that stay in conflict, though something of their write is in the store.
  var half: Set<String> = []
  var notes: [String?] = []
  /// Findings that were mended.
  var mended: [String] = []
  var outcomes: [String: CheckedWrite.Outcome] = [:]
  /// What the store says of what becomes of them on the server.
  var uploads: [String: UploadForecast] = [:]
  /// What the store says to values that do not simply fit.
  var verdicts: [Value: ValueVerdict] = [:]
  var hasQuit = false
  var effects: [DeskEffect] = []
  /// Set to make the store refuse drafts as soon as they are finished.
  var rehearsals: [String: CheckedWrite.Outcome] = [:]
  /// Set to make the journal refuse.
  var journalIsFull = false
  /// Set to make the store refuse to check anything.
  var checkFailure: String?
  /// Set to leave interrupted writes as they are.
  var cannotFinish = false
  /// What another Parley wrote after all that was written here.
  var othersWrite: LastWrite?
  /// What becomes of interrupted writes as soon as they can be finished.
  var interrupted: [FinishedWrite] = []
  /// What the journal has beside decisions, newest first.
  var writes: [JournalEntry] = []
  /// By record.
  var trees: [String: RevisionTreePicture] = [:]
  /// What attachments hold, by what a record has in their place.
  var contents: [Value: AttachmentContent] = [:]
  /// Set to leave trees unread.
  var treesWait = false
  var treeFailure: String?
  /// Set to leave checks and writes without an answer.
  var answersWait = false
  /// What of a bulk act has no answer yet.
  var waiting: [BulkRequest] = []
  /// Set to leave long values unsearched.
  var searchesWait = false
  var questions: [ValueQuestion] = []
  /// Nanoseconds since 1970.
  var now = Sample.now
  /// Set to leave drafts unread.
  var draftsWait = false
  /// What waits in the terminal, and is given to the desk as `DeskLoop` does.
  private var ahead: [TerminalEvent] = []

  init(
    _ records: [RecordConflict] = Sample.all, findings: [Finding] = [Sample.finding], columns: Int = 80,
    rows: Int = 24,
    access: StoreAccess = .writable, store: StoreInfo = Sample.store,
    trees: [String: RevisionTreePicture] = [:], advances: Bool = false, knowsInterrupted: Bool = true
  ) {
    self.records = records
    self.findings = findings
    self.trees = trees
    state = DeskState(
      store: store,
      access: access, size: Size(columns: columns, rows: rows), now: Sample.now, localIsUTC: true)
    // Keys in tests say themselves where the cursor goes; FlowTests is about where it goes alone.
    state.advances = advances
    if knowsInterrupted { take(.interrupted([])) }
    take(.counted(records.count))
    take(
      .found(ConflictPage(summaries: records.map { ConflictSummary($0, resolution: Resolution()) }, seen: 4)))
    take(.walkEnded)
    take(.foundFindings(findings))
    take(.findingsEnded)
  }

  var screen: Grid { state.draw() }

  mutating func take(_ event: DeskEvent) {
    let answer = state.update(event, now: now)
    if state.mayDecideUnseen {
      state.keep(typedAhead: ahead)
      ahead = []
    }
    for effect in answer {
      effects.append(effect)
      perform(effect)
    }
    while let next = state.nextTyped(now: now) { take(.terminal(next)) }
  }

  private mutating func perform(_ effect: DeskEffect) {
    switch effect {
    case .check where answersWait, .checkUndo where answersWait, .write where answersWait,
      .undoWrite where answersWait, .readDrafts where draftsWait:
      break
    case .finishInterrupted where cannotFinish: break
    case .journal(let decisions):
      if journalIsFull { take(.journalFailed("the disk is full")) } else { journal += decisions }
    case .open(let id): open(id)
    case .readTree(let id): readTree(id)
    case .readContent(let question):
      take(.content(question, question.values.mapValues { contents[$0] ?? .none("gone") }))
    case .readDrafts(let ids): take(.drafts(read(ids)))
    case .check(let planned):
      take(checkFailure.map { .reviewFailed($0) } ?? .checked(planned.map { checked($0) }, state.access))
    case .rehearse(let planned): take(.rehearsed(planned, rehearsals[planned.seen.id] ?? .fine))
    case .write(let planned, let note): write(planned, note)
    case .export(let planned, let format):
      let lines = planned.map { "\(format.rawValue) of \($0.seen.title)" }
      take(.exported(TextPage(title: format.rawValue, paragraphs: lines, holdsValues: true)))
    case .judge(let planned, let field):
      let value = planned.draft[field] ?? .null
      take(
        .judged(Judgement(id: planned.seen.id, field: field, value: value, verdict: verdicts[value] ?? .fits))
      )
    case .readLastWrite(let alone): take(.lastWrite(lastWrite, alone: alone))
    case .readNewestWrite(let own):
      let standing = own.map { LastWrite.Names(id: $0, records: Array(half.union(written.keys)) + mended) }
      take(.newestWrite(lastWrite?.names, standing: standing))
    case .readEarlier(let withOwn, let known): take(.earlier(earlier(withOwn, known)))
    case .undoWrite(_, let records): undoWrite(of: records)
    case .checkUndo: take(checkFailure.map { .reviewFailed($0) } ?? .checked(checkedUndo, state.access))
    case .finishInterrupted:
      take(.interrupted([]))
      take(.finished(interrupted))
      interrupted = []
    case .mend(let finding):
      let id = finding.id
      mended.append(id)
      take(.mended([CheckedWrite(id: id, title: id, outcome: outcomes[id] ?? .fine)]))
    case .walk:
      let left = records.filter { written[$0.id] == nil }
      take(
        .found(
          ConflictPage(
            summaries: left.map { record in
              DecidedConflict(record, decisions: journal.filter { $0.id == record.id }).summary
            },
            seen: 9)))
      take(.walkEnded)
      take(.foundFindings(findings.filter { !mended.contains($0.id) }))
      take(.findingsEnded)
    case .bulk(let request): if answersWait { waiting.append(request) } else { answer(request) }
    case .exportBulk(let records, _, let format):
      take(.exported(TextPage(title: format.rawValue, paragraphs: records.map(\.id), holdsValues: true)))
    case .readLog(let id): take(.log(id: id, log(of: id)))
    case .readLogOfStore(let limit):
      let all = (writes + journal.reversed().map { JournalEntry($0) }).sorted { $0.time > $1.time }
      take(.logOfStore(Array(all.prefix(limit))))
    case .readHalves(let ids):
      take(
        .halves(
          ids.compactMap { id in
            writes.first { if case .ended = $0.event { $0.record == id } else { false } }
          }))
    case .readGivenUp:
      take(.givenUp((writes + journal.reversed().map { JournalEntry(knowingWrite($0)) }).givingUp))
    case .tally(let ids, let act): take(.tallied(RuleTally(read(ids)), act: act))
    case .keepRules(let changes, let inFile): keep(changes, inFile)
    case .readFamily where answersWait: break
    case .readFamily(let id, let known): take(family(of: id, known))
    case .search(let question): if searchesWait { questions.append(question) } else { answer(question) }
    case .quit: hasQuit = true
    case .keepTheme(let name): take(.themeKept(name, "Theme \(name) is kept."))
    case .editOutside, .readFile, .redraw, .stop, .stopFamily, .stopWaiting, .copy, .showTheme, .hear: break
    }
  }

  /// As a journal has them: decisions in the order in which they came into it, whatever the clock said.
  private var entries: [JournalEntry] {
    var (later, entries) = (writes[...], [JournalEntry]())
    for (place, decision) in journal.enumerated().reversed() {
      var entry = JournalEntry(knowingWrite(decision))
      entry.place = Int64(place)
      while let write = later.first, write.time >= entry.time { entries.append(later.removeFirst()) }
      entries.append(entry)
    }
    return entries + later
  }

  private func earlier(_ withOwn: Bool, _ known: Int64?) -> EarlierActs.Found {
    let entries = entries
    let count = decidedBefore ?? journal.firstIndex { $0.decidedAt >= Sample.now } ?? journal.count
    let start = Int64(count - 1)
    var found = EarlierActs.find(upTo: withOwn ? nil : start, olderThan: known) {
      Array(entries.prefix($0))
    } _: { ids, end in
      journal.prefix { $0 != end }.filter { ids.contains($0.id) }
    }
    found.start = start
    found.lastWrite = lastWrite?.id
    return found
  }

  /// As the journal tells of it.
  private func knowingWrite(_ decision: Decision) -> Decision {
    var decision = decision
    if written[decision.id] != nil { decision.written = .yes }
    return decision
  }

  private func family(of id: String, _ known: [Relative]?) -> DeskEvent {
    var families = Families()
    for record in records where written[record.id] == nil { families.add(record) }
    let relatives = known ?? families.family(of: id)
    return .family(
      id: id,
      read([id] + relatives.map(\.id)).map { decided in
        FamilyMember(decided, relatives.first { $0.id == decided.conflict.id })
      })
  }

  /// As the program does: in force from now on.
  private mutating func keep(_ changes: [String: MergeRule?], _ inFile: Bool) {
    var shelf = state.rules
    shelf.rules = shelf.rules(with: changes)
    for (entry, rule) in changes {
      if inFile {
        shelf.places[entry] = rule == nil ? nil : .line(7, isOfStore: true)
        shelf.ofStore[entry] = rule
      } else {
        let isAway = rule == nil && shelf.ofStore[entry] != nil
        shelf.places[entry] = rule != nil ? .session : isAway ? .away : nil
      }
    }
    records = records.map { $0.merged(by: shelf.rules) }
    take(.rulesKept(shelf, inFile ? "Written." : "Kept."))
  }

  private mutating func answer(_ request: BulkRequest) {
    let (decisions, answer) = request.answer(read(request.ids)) { writes in
      writes.map {
        CheckedWrite(id: $0.seen.id, title: $0.seen.title, outcome: outcomes[$0.seen.id] ?? .fine)
      }
    }
    if journalIsFull, !decisions.isEmpty {
      return take(.bulk(BulkAnswer(act: request.act, .failed("the disk is full"))))
    }
    journal += decisions
    take(.bulk(answer))
  }

  mutating func answer(_ question: ValueQuestion) {
    take(.searched(question, question.answer(read(question.ids).map(\.conflict))))
  }

  /// Answers the oldest of what waits.
  mutating func answerNext() { answer(waiting.removeFirst()) }

  private func read(_ id: String) -> DecidedConflict? {
    guard let conflict = records.first(where: { $0.id == id }), written[id] == nil else { return nil }
    return DecidedConflict(conflict, conflict.resolution(from: journal))
  }

  /// There may be thousands.
  private func read(_ ids: [String]) -> [DecidedConflict] {
    let decisions = Dictionary(grouping: journal, by: \.id)
    let there = Dictionary(records.map { ($0.id, $0) }) { first, _ in first }
    return ids.compactMap { id in
      guard let conflict = there[id], written[id] == nil else { return nil }
      return DecidedConflict(conflict, decisions: decisions[id] ?? [])
    }
  }

  private mutating func open(_ id: String) {
    if let record = read(id) {
      take(.opened(record.conflict, journal.filter { $0.id == id }))
    } else {
      take(.settled(id: id))
    }
  }

  private func log(of id: String) -> [JournalEntry] {
    let decisions = journal.filter { $0.id == id }.reversed().map { JournalEntry($0) }
    return (writes.filter { $0.record == id } + decisions).tellingGivenUp
  }

  private mutating func readTree(_ id: String) {
    guard !treesWait else { return }
    take(
      treeFailure.map { .treeFailed(id: id, $0) } ?? .tree(id: id, trees[id].map { DrawnTree(id: id, $0) }))
  }

  private func checked(_ planned: Planned) -> CheckedWrite {
    var checked = CheckedWrite(
      id: planned.seen.id, title: planned.seen.title, outcome: outcomes[planned.seen.id] ?? .fine)
    checked.upload = uploads[planned.seen.id]
    return checked
  }

  private mutating func write(_ planned: [Planned], _ note: String?) {
    for plan in planned where outcomes[plan.seen.id] == nil { written[plan.seen.id] = plan.draft }
    half.formUnion(outcomes.filter { $0.value.mayBeWritten }.keys)
    notes.append(note)
    take(.wrote(planned.map { checked($0) }))
  }

  var lastWrite: LastWrite? {
    if let othersWrite { return othersWrite }
    let records =
      half.union(written.keys).sorted().map { id in
        LastWrite.Record(id: id, title: id, changes: WrittenChanges(fields: fields(written: id)))
      } + mended.map { LastWrite.Record(id: $0, title: $0, changes: WrittenChanges()) }
    if records.isEmpty { return nil }
    var write = LastWrite(id: 1, records: records, takingBack: "Put back as before.")
    write.isDecided = !written.isEmpty || !half.isEmpty
    return write
  }

  private func fields(written id: String) -> [LastWrite.FieldChange] {
    guard let conflict = records.first(where: { $0.id == id }), let draft = written[id] else { return [] }
    return conflict.fields.map {
      LastWrite.FieldChange(name: $0.name, before: $0.client?.value, after: draft[$0.name])
    }.filter { $0.before != $0.after && $0.after != nil }
  }

  private var checkedUndo: [CheckedWrite] {
    (lastWrite?.records ?? []).map {
      CheckedWrite(id: $0.id, title: $0.title, outcome: outcomes[$0.id] ?? .fine)
    }
  }

  private mutating func undoWrite(of records: [String]?) {
    let ids = (half.union(written.keys).sorted() + mended).filter { records?.contains($0) != false }
    for id in ids where outcomes[id] == nil { written[id] = nil }
    half.formIntersection(outcomes.keys)
    mended.removeAll { outcomes[$0] == nil }
    take(.undid(ids.map { CheckedWrite(id: $0, title: $0, outcome: outcomes[$0] ?? .fine) }))
  }

  /// Another Parley on the same store decides, and the next key finds it in the journal.
  mutating func another(decides id: String, _ subject: Subject, _ choice: Choice?) {
    guard let conflict = records.first(where: { $0.id == id }) else { return }
    let decision = Decision(
      id: id, subject: subject, choice: choice, fingerprint: conflict.fingerprint(of: subject),
      decidedAt: Sample.now)
    journal.append(decision)
    take(.othersDecided([decision], inForce: journal.filter { $0.id == id }))
  }

  /// Types keys: letters as they are, others in angle brackets: "jj<enter>c".
  mutating func type(_ keys: String) {
    for key in TestDesk.keys(keys) { take(.terminal(.key(key))) }
  }

  private static func keys(_ words: String) -> [Key] {
    var (rest, keys) = (Substring(words), [Key]())
    while let first = rest.first {
      guard first == "<", let end = rest.firstIndex(of: ">"), let key = named[String(rest[...end])] else {
        keys.append(.character(first))
        rest.removeFirst()
        continue
      }
      keys.append(key)
      rest = rest[rest.index(after: end)...]
    }
    return keys
  }

  /// All of it has come before anything of it is shown.
  func typing(atOnce keys: String) -> TestDesk { taking(atOnce: TestDesk.keys(keys).map { .key($0) }) }

  func taking(atOnce events: [TerminalEvent]) -> TestDesk {
    var desk = self
    desk.ahead = events
    while !desk.ahead.isEmpty { desk.take(.terminal(desk.ahead.removeFirst())) }
    return desk
  }

  func typing(_ keys: String) -> TestDesk {
    var desk = self
    desk.type(keys)
    return desk
  }

  func taking(_ event: DeskEvent) -> TestDesk {
    var desk = self
    desk.take(event)
    return desk
  }

  private static let named: [String: Key] = [
    "<enter>": .enter, "<esc>": .escape, "<f9>": .function(9), "<f10>": .function(10), "<f12>": .function(12),
    "<gt>": ">",
    "<lt>": "<", "<tab>": .tab,
    "<backtab>": .backTab,
    "<up>": .up, "<down>": .down,
    "<left>": .left, "<right>": .right, "<home>": .home, "<end>": .end, "<pagedown>": .pageDown,
    "<pageup>": .pageUp,
    "<backspace>": .backspace, "<delete>": .delete, "<c-n>": .control("n"), "<c-u>": .control("u"),
    "<c-e>": .control("e"), "<c-a>": .control("a"), "<c-b>": .control("b"), "<c-f>": .control("f"),
    "<c-k>": .control("k"), "<c-w>": .control("w"), "<c-x>": .control("x"), "<a-b>": .alt("b"),
    "<a-j>": .alt("j"), "<a-s>": .alt("s"), "<a-enter>": .altEnter, "<a-backspace>": .altBackspace,
    "<a-f>": .alt("f"), "<a-d>": .alt("d"), "<c-y>": .control("y"), "<c-_>": .control("_"),
    "<insert>": .insert, "<s-down>": .shiftDown,
    "<c-c>": .control("c"), "<c-l>": .control("l"), "<c-p>": .control("p"), "<c-t>": .control("t"),
    "<f1>": .function(1),
    "<f2>": .function(2),
    "<f5>": .function(5),
  ]
}

extension TestDesk {
  /// In the editor of the sample's record, with a column without a type in the place of its priority.
  static func editingColumn(_ ancestor: Value, _ client: Value, _ server: Value) -> TestDesk {
    func version(_ value: Value, at time: Int64) -> RecordVersion {
      var fields = Sample.ancestorRow.mapValues { FieldVersion($0, time: 1) }
      fields["priority"] = FieldVersion(value, time: time)
      return .present(fields)
    }
    let conflict = RecordConflict(
      id: "42:reminders", table: "reminders", primaryKey: "42", title: "Call dentist",
      fields: Sample.fields.map { $0.name == "priority" ? Field("priority", kind: .any) : $0 },
      versions: ThreeWay(
        ancestor: version(ancestor, at: 1), client: version(client, at: 2), server: version(server, at: 2)))
    return TestDesk([conflict]).typing("<enter>gje")
  }
}
