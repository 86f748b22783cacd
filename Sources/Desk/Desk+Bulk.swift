import StoreInterface

/// A bulk act goes part by part: each answer asks for the next part, so that whoever stops it waits for one at most, and what the
/// screen needs comes in between.
extension DeskState {
  /// Rules for what is marked; for all that is shown, where nothing is.
  mutating func startBulk(_ rules: BulkRules = BulkRules()) -> [DeskEffect] {
    let marked = list.marked
    let ids = marked.isEmpty ? list.shown : marked
    guard !ids.isEmpty else { return tell("No conflict is shown here that rules could decide.") }
    begin(ids)
    let scope: BulkPage.Scope =
      marked.isEmpty ? .filter(list.filter, words: list.words) : .marked(hidden: list.hiddenMarks)
    pages.append(.bulk(BulkPage(scope: scope, rules: rules)))
    return readBulk()
  }

  /// Rules for a family, whatever is marked.
  mutating func startBulk(ofFamily ids: [String], _ rules: BulkRules) -> [DeskEffect] {
    begin(ids)
    pages.append(.bulk(BulkPage(scope: .family, rules: rules)))
    return readBulk()
  }

  private mutating func begin(_ ids: [String]) {
    bulkActs += 1
    bulk = Bulk(act: bulkActs, ids: ids, after: bulk)
  }

  private func request(_ question: BulkRequest.Question) -> [DeskEffect] {
    [.bulk(BulkRequest(act: bulkActs, question: question))]
  }

  mutating func readBulk() -> [DeskEffect] { bulk?.next().map { request(.read($0)) } ?? [] }

  mutating func readBulkAnew() -> [DeskEffect] {
    guard let ids = bulk?.ids else { return [] }
    let stood = page(BulkPage.self).flatMap { Bulk.Stood(BulkLayout(self, $0), $0) }
    begin(ids)
    bulk?.stood = stood
    return readBulk()
  }

  /// The list was still being read when rules for all that it shows were opened.
  mutating func readBulkOfWholeList() -> [DeskEffect] {
    guard case .filter(list.filter, list.words)? = page(BulkPage.self)?.scope, let bulk, bulk.work == nil,
      list.progress == nil, bulk.ids.count != list.shown.count
    else { return [] }
    begin(list.shown)
    return readBulk()
  }

  /// What is in sight of a preview is read in full: asked after every event.
  mutating func showBulk() -> [DeskEffect] {
    guard let page = top(BulkPage.self) else { return [] }
    let inSight = BulkLayout(self, page).idsInSight
    guard let ids = bulk?.toShow(inSight), !ids.isEmpty else { return [] }
    return request(.show(ids))
  }

  /// What the rules come to is shown to the store before it is promised: asked after every event, too.
  mutating func checkBulk() -> [DeskEffect] {
    guard let rules = top(BulkPage.self)?.rules, let check = bulk?.nextCheck() else { return [] }
    return request(.check(check.number, check.records, rules))
  }

  mutating func take(_ answer: BulkAnswer) -> [DeskEffect] {
    guard bulk?.act == answer.act, let rules = page(BulkPage.self)?.rules else { return [] }
    switch answer.content {
    case .read(let found): return read(found, rules)
    case .shown(let found): bulk?.show(found)
    case .worked(let result): return worked(result)
    case .checked(let number, let outcomes):
      keepingCursor { $0.take(outcomes, number, rules) }
    case .failed(let words): return bulkFailed(words)
    }
    return []
  }

  private mutating func read(_ found: [BulkRecord], _ rules: BulkRules) -> [DeskEffect] {
    if bulk?.isRead == true {
      let tells = bulk?.tellsChange == true
      bulk?.tellsChange = false
      replaceInBulk(found, rules, tells: tells)
    } else {
      bulk?.add(found, rules)
      if bulk?.isRead == true { standAgain() }
      if bulk?.isRead == true { endWait() }
    }
    return readBulk()
  }

  /// Who was told to wait need wait no more.
  private mutating func endWait() {
    status?.text.replace(BulkPage.isStillRead, with: "It is read now.")
  }

  /// What changes under a preview leaves the cursor on its record, and is told where others did it.
  private mutating func replaceInBulk(_ found: [BulkRecord], _ rules: BulkRules, tells: Bool) {
    let list = list
    var changed = 0
    keepingCursor { changed = $0.replace(found, rules) { list.summary($0) != nil } }
    if changed == 0 { return }
    let place = whereItIsShown()
    guard tells else { return }
    let records = changed == 1 ? "1 \(store.words.record) is" : "\(changed) \(store.words.record)s are"
    status = .told("The store has changed: \(records) not as shown before. \(place)")
  }

  private mutating func whereItIsShown() -> String {
    if top(BulkPage.self) != nil { return "This is what is there now." }
    return outdateText(of: BulkPage.self, called: "preview") ?? "The preview has what is there now."
  }

  private mutating func keepingCursor(_ change: (inout Bulk) -> Void) {
    guard var bulk else { return }
    let place = page(BulkPage.self).flatMap { BulkLayout(self, $0).selectedSubject }
    change(&bulk)
    self.bulk = bulk
    if let place { stand(on: place) }
  }

  private mutating func stand(on place: (id: BulkRecord.ID, open: Int)) {
    guard let line = bulk?.line(of: place) else { return }
    on(BulkPage.self) { page, _ in page.cursor = .line(line) }
  }

  /// On the record of before all were read anew, unless somebody has gone on meanwhile.
  private mutating func standAgain() {
    guard let stood = bulk?.stood, page(BulkPage.self)?.cursor == stood.cursor else { return }
    stand(on: stood.place)
  }

  private mutating func bulkFailed(_ words: String) -> [DeskEffect] {
    if bulk?.work != nil { return finishWork(failure: words) }
    bulk?.giveUp()
    return tell(failed: words)
  }

  /// Somebody else wrote to the store. A preview of many is read again only when its person wants that, as an app may write every
  /// second; what has moved is left out by `Y` anyway.
  ///
  /// - Parameter tells: whether what is another is told as a change of the store.
  mutating func bulkChanged(tells: Bool = true) -> [DeskEffect] {
    guard page(BulkPage.self) != nil, bulk?.isRead == true, bulk?.work == nil,
      let ids = bulk?.records.map(\.id), !ids.isEmpty
    else { return [] }
    if ids.count > 2 * BulkRequest.most {
      return tell("The store may have changed: r reads the preview again.")
    }
    bulk?.forgetShown()
    bulk?.tellsChange = tells
    return request(.read(ids))
  }

  /// From a preview, once the list knows.
  mutating func leaveOutWhatIsGone(tells: Bool = false) {
    guard let rules = page(BulkPage.self)?.rules, bulk?.isRead == true, bulk?.work == nil else { return }
    replaceInBulk([], rules, tells: tells)
  }

  /// Back from a record that was opened in the preview: it may be decided by now, or written.
  mutating func returnToBulk() -> [DeskEffect] {
    guard top(BulkPage.self) != nil else { return [] }
    bulk?.forgetShown()
    guard bulk?.isRead == true else { return readBulk() }
    leaveOutWhatIsGone()
    let ids = bulk?.records.map(\.id).filter { open[$0] != nil } ?? []
    return ids.isEmpty ? [] : request(.read(ids))
  }
}

/// Doing it.
extension DeskState {
  /// - Parameter whose: what is to be told of who has decided what is taken back.
  mutating func startWork(_ job: BulkJob, whose: String = "") -> [DeskEffect] {
    if top(BulkPage.self) == nil {
      bulkBelow = page(BulkPage.self) == nil ? nil : bulk
      begin([])
      pages.append(.bulk(BulkPage(scope: .earlier)))
    }
    bulk?.work = BulkWork(job, whose: whose)
    beginAct()
    return goOnWorking()
  }

  /// One act has one time, by which it is taken back as a whole; what is still to be done of it comes after what others do meanwhile.
  mutating func beginAct() {
    bulk?.work?.time = time.now
    if bulk?.work != nil { history.noteOwn(time.now) }
  }

  private mutating func goOnWorking() -> [DeskEffect] {
    let isStopping = page(BulkPage.self)?.isStopping ?? true
    guard !isStopping, let part = bulk?.work?.next(), let time = bulk?.work?.time else { return finishWork() }
    return request(.work(part, at: time))
  }

  private mutating func worked(_ result: BulkResult) -> [DeskEffect] {
    for summary in result.summaries {
      list.replace(summary)
      nextList?.list.replace(summary)
      open[summary.id] = nil
      forgetRefusal(of: summary.id)
    }
    if case .decide? = bulk?.work?.job { list.marks.remove(result.changes.lazy.map(\.id)) }
    bulk?.work?.add(result)
    return goOnWorking()
  }

  private mutating func finishWork(failure: String? = nil) -> [DeskEffect] {
    guard let work = bulk?.work else { return [] }
    keep(work)
    let below = bulkBelow
    (bulk, bulkBelow) = (below, nil)
    pages.removeAll { if case .bulk(let page) = $0 { below == nil || page.scope == .earlier } else { false } }
    // A walk that goes on may have seen a record before.
    if nextList != nil || !list.isComplete { walksAgain = true }
    let told = BulkWords.told(work, self)
    return readBulkAnew()
      + tell(failure.map { .failed("\(told) The rest could not be kept: \($0)") } ?? .told(told))
  }

  private mutating func keep(_ work: BulkWork) {
    switch work.job {
    case .decide where work.changes.isEmpty: break
    case .decide: history.record(.bulk(History.Bulk(work.changes, time: work.time)))
    case .takeBack: history.undoBulk(work.changes, rest: work.rest, at: work.time)
    case .takeAgain: history.redoBulk(work.changes, rest: work.rest, at: work.time)
    }
  }
}
