import ExactJSON
import Merging

extension ConflictSummary {
  package init(_ conflict: RecordConflict, resolution: Resolution) {
    let (subjects, undecided) = (conflict.subjects, conflict.undecided(in: resolution))
    let all = conflict.isWhole ? FieldPlaces() : conflict.fields.toDecide
    let open = undecided == subjects ? all : conflict.places(of: undecided)
    self.init(
      id: conflict.id, table: conflict.table, primaryKey: conflict.primaryKey, title: conflict.title,
      kind: conflict.kind,
      certainty: conflict.certainty(at: open) ?? conflict.certainty(at: all)
        ?? (subjects.isEmpty ? .sure : .yours),
      counts: Counts(conflict, of: subjects, at: all),
      why: conflict.why(of: subjects, undecided: undecided.isEmpty ? nil : open), undecided: undecided.count,
      searchText: conflict.searchText)
    isByPolicy = conflict.isByPolicy(open.isEmpty ? all : open)
    receivedAt = conflict.details.receivedAt
    (lastEdit, lastEditTime) = conflict.lastEdit
    lastEditDevice = lastEdit == .server ? conflict.details.serverDevice : nil
    notWritable = conflict.details.notWritable
    waitingSince = conflict.details.waitingSince
    leafCount = conflict.liveLeaves.count
    readWith = conflict.readWith
  }

  /// What a person may give beside a store: with another one, or none, a record is another conflict, though nothing of it has changed.
  package enum ReadWith: Sendable {
    case nothing, ancestors
    /// Of a file that syncs as a whole.
    case indexAndAncestors
  }
}

extension RecordConflict {
  package var readWith: ConflictSummary.ReadWith {
    details.file != nil ? .indexAndAncestors : details.takesAncestors ? .ancestors : .nothing
  }
}

/// A conflict as it was read, and what was decided about it.
package struct DecidedConflict: Sendable, Equatable {
  package var conflict: RecordConflict { didSet { source = Source() } }
  package var resolution: Resolution { didSet { source = Source() } }
  /// What was decided and holds no longer, because what it was about has changed since.
  package private(set) var outdated: [Decision] = []
  /// Why the store refused its draft when it was to be written last; nil once anything else is decided, or of it has changed.
  private var refused: DraftRefusal?
  /// The same, or why no draft of it can be written where it lies.
  package var refusal: DraftRefusal? {
    get { refused ?? hindrance }
    set { refused = newValue }
  }
  /// Whether anything of it has changed since it was decided, where that is asked.
  private var hasMoved = false
  private var source = Source()

  /// All that the journal had of it, as long as nothing else was decided. Not compared, as what it is worth is told by the rest.
  private struct Source: Sendable, Equatable {
    var decisions: [Decision] = []
    var kept: [Decision] = []

    static func == (left: Self, right: Self) -> Bool { true }
  }

  package init(_ conflict: RecordConflict, _ resolution: Resolution = Resolution()) {
    (self.conflict, self.resolution) = (conflict, resolution)
  }

  /// - Parameter decisions: all that the journal has of it.
  package init(_ conflict: RecordConflict, decisions: [Decision]) {
    if decisions.isEmpty {
      self.init(conflict)
      return
    }
    let refused = decisions.last?.refusal
    // To see whether it has moved is to hash all of it, and of one that is ready only an earlier refusal hangs on that.
    let judged = conflict.judged(decisions) { refused != nil || !conflict.isReady($0) }
    self.init(conflict, judged.resolution)
    outdated = judged.outdated
    (source.decisions, source.kept) = (decisions, judged.kept)
    hasMoved = judged.isMoved || !outdated.isEmpty
    self.refused = refused == nil || hasMoved || draft == nil ? nil : refused
  }

  /// The same with other decisions: who decides has seen what changed. What holds no longer stays so until it is decided itself, or taken
  /// back.
  ///
  /// - Parameter subjects: what is decided also where that changes nothing, as to take back what holds no longer.
  package func deciding(_ resolution: Resolution, about subjects: Set<Subject> = []) -> DecidedConflict {
    let decided = resolution.difference(from: self.resolution).union(subjects)
    var copy = DecidedConflict(conflict, resolution)
    copy.outdated = outdated.filter { old in !decided.contains { old.isEnded(by: $0, resolution[$0]) } }
    copy.source.kept = kept.filter { !decided.contains($0.subject) || resolution[$0.subject] != nil }
    (copy.hasMoved, copy.refused) = decided.isEmpty ? (hasMoved, refused) : (!copy.outdated.isEmpty, nil)
    return copy
  }

  /// What `resolution` says about `subjects`, as the journal keeps it: with that nothing is decided about the record as a whole, where who
  /// decides a field ends what was. Else that would hold again as soon as the field is taken back.
  package func decisions(
    about subjects: [Subject], in resolution: Resolution, at time: Int64, note: String? = nil
  ) -> [Decision] {
    let whole: [Subject] = endsWhole(by: subjects, in: resolution) ? [.record] : []
    return conflict.decisions(about: whole + subjects, in: resolution, at: time, note: note)
  }

  private func endsWhole(by subjects: [Subject], in resolution: Resolution) -> Bool {
    let isDecided = self.resolution[.record] != nil || outdated.contains { $0.subject == .record }
    return isDecided && resolution[.record] == nil && !subjects.contains(.record)
      && subjects.contains { resolution[$0] != nil }
  }

  /// What was decided about all of it, where its store has a name for that. Of a file that syncs as a whole a side has one, too: what
  /// becomes of the file is more than what its text will be.
  package var answer: Alternative? {
    if let alternative = conflict.alternative(in: resolution) { return alternative }
    guard conflict.details.file != nil, let side = resolution[.record]?.side else { return nil }
    return conflict.alternative(side.rawValue)
  }

  /// The name of the answer by which a file becomes what no side has, and nobody has merged: its earlier upload.
  package var answerOfNoSide: String? {
    answer.flatMap { conflict.valueOfNoSide(in: $0) == nil ? nil : $0.id }
  }

  /// The other ways to decide all of it, but those by which the key that points to nothing would be the same. Of what else is refused
  /// nobody knows which of its values is why.
  package var otherAlternatives: [Alternative] {
    let chosen = answer?.id ?? resolution[.record]?.side?.rawValue
    return conflict.offeredAlternatives.filter { $0.id != chosen && !hasWhatIsRefused($0) }
  }

  private func hasWhatIsRefused(_ alternative: Alternative) -> Bool {
    guard let refusal, refusal.isOfMissingRecord, let field = refusal.field,
      case .save(let version) = alternative.outcome, let value = version.fields?[field]?.value
    else { return false }
    return value == draft?[field]
  }

  /// Whether it is the same conflict, with the same decisions: then it is decided as it was, and nobody has to hash it again.
  package func isMade(of conflict: RecordConflict, _ decisions: [Decision]) -> Bool {
    !decisions.isEmpty && source.decisions == decisions && self.conflict == conflict
      && self.conflict.fields.declared.elementsEqual(conflict.fields.declared) {
        $0.name.hasSameBytes(as: $1.name)
      }
  }

  /// Why what is decided can be written nowhere, as far as its conflict tells: where it lies, or what a key in it points to.
  package var hindrance: DraftRefusal? {
    guard conflict.details.notWritable != nil || !conflict.details.unreferenced.isEmpty,
      conflict.details.waitingSince == nil, undecided.isEmpty
    else { return nil }
    return conflict.details.notWritable.map { DraftRefusal(field: nil, reason: $0) } ?? keyToNothing
  }

  private var keyToNothing: DraftRefusal? {
    let (draft, unreferenced) = (self.draft, conflict.details.unreferenced)
    for name in unreferenced.keys.sorted() {
      guard let value = draft?[name], unreferenced[name]?.contains(value) == true else { continue }
      let reason = DraftRefusal.missing([value], in: conflict[name]?.field.referencedTable)
      return DraftRefusal(field: name, reason: reason)
    }
    return nil
  }

  /// All that the journal had of it; nothing once anything else is decided.
  package var decisions: [Decision] { source.decisions }
  /// Those that another conflict of the record keeps, which waits, whatever is decided of this one, until they are taken back.
  package var kept: [Decision] { source.kept }
  package var undecided: [Subject] { conflict.undecided(in: resolution) }
  /// nil while something is undecided, or an earlier draft waits, and where a decision would be dropped.
  package var draft: Draft? { isAnythingDropped ? nil : conflict.draft(resolution) }
  /// Whether nothing is left to decide, or to look at again.
  package var isDecided: Bool { undecided.isEmpty && !isMoved }
  /// What was decided and holds no longer, and is nothing to decide any more: it is decided anew, or taken back, before anything is
  /// written.
  package var dropped: [Subject] {
    guard isAnythingDropped else { return [] }
    let open = Set(undecided)
    return outdated.map(\.subject).filter { !open.contains($0) }
  }
  /// Whether it was decided, has changed since, and now has something undecided, or a decision that would be dropped unsaid, as what it was
  /// about is no more in conflict.
  package var isMoved: Bool { hasMoved && (!undecided.isEmpty || isAnythingDropped) }
  /// Where the record is decided as a whole nothing else counts.
  private var isAnythingDropped: Bool { resolution[.record] == nil && !outdated.isEmpty }

  package var summary: ConflictSummary {
    var summary = ConflictSummary(conflict, resolution: resolution)
    (summary.outdated, summary.isMoved) = (outdated.count, isMoved)
    summary.refusal = refusal
    summary.givenUp = Set(givenUp.compactMap(\.side))
    return summary
  }

  /// What is given up by what was decided so far. Where the record is decided as a whole, nothing else counts.
  package var givenUp: [GivenUp] {
    if let whole = resolution[.record] { return conflict.givenUp(by: whole, for: .record) }
    if resolution.isEmpty { return [] }
    return conflict.fields.declared.flatMap { field -> [GivenUp] in
      let subject = Subject.field(field.name)
      return resolution[subject].map { conflict.givenUp(by: $0, for: subject) } ?? []
    }
  }
}

extension DecisionJournal {
  /// The summaries with the decisions in force, which are loaded for these records only.
  package func summaries(of conflicts: [RecordConflict]) throws -> [ConflictSummary] {
    let decisions = try decisions(about: conflicts)
    return conflicts.map { DecidedConflict($0, decisions: decisions[$0.id] ?? []).summary }
  }

  /// The conflicts with the decisions in force.
  package func decided(_ conflicts: [RecordConflict]) throws -> [DecidedConflict] {
    let decisions = try decisions(about: conflicts)
    return conflicts.map { DecidedConflict($0, decisions: decisions[$0.id] ?? []) }
  }

  private func decisions(about conflicts: [RecordConflict]) throws -> ByRecord<[Decision]> {
    ByRecord(grouping: try decisions(for: conflicts.map(\.id)), by: \.id)
  }
}

extension ConflictSummary.Counts {
  /// Of some of its subjects alone.
  package init(_ conflict: RecordConflict, of subjects: [Subject]) {
    self.init(conflict, of: subjects, at: conflict.places(of: subjects))
  }

  fileprivate init(_ conflict: RecordConflict, of subjects: [Subject], at places: FieldPlaces) {
    guard !conflict.isWhole else {
      yours = subjects.count
      return
    }
    for place in places { conflict.fields.look(at: place) { add($0.pointee) } }
  }

  private mutating func add(_ field: FieldConflict) {
    guard field.needsDecision else { return }
    if field.isByPolicy { byPolicy += 1 }
    switch field.certainty {
    case .sure?: sure += 1
    case .byClock?: byClock += 1
    case .yours?: yours += 1
    case nil: break
    }
  }
}

// A summary asks the same fields several times, by their places: to find them costs more than the answers.
extension RecordConflict {
  /// Where the fields among `subjects` are.
  fileprivate func places(of subjects: [Subject]) -> FieldPlaces {
    FieldPlaces(
      subjects.lazy.compactMap { if case .field(let name) = $0 { fields.place(of: name) } else { nil } })
  }

  /// The weakest; nil of no field.
  fileprivate func certainty(at places: FieldPlaces) -> Certainty? {
    places.compactMap { fields.look(at: $0) { $0.pointee.certainty } }.min()
  }

  /// Whether all of these are sure, and a policy has made some of them so.
  fileprivate func isByPolicy(_ places: FieldPlaces) -> Bool {
    certainty(at: places) == .sure
      && places.contains { fields.look(at: $0) { $0.pointee.isByPolicy } }
  }

  /// Which side's edit is the last, and when.
  package var lastEdit: (Side?, Int64?) {
    switch (newestTime(.client), newestTime(.server)) {
    case (nil, nil): (nil, nil)
    case (let client?, nil): (.client, client)
    case (nil, let server?): (.server, server)
    case (let client?, let server?):
      client == server ? (nil, client) : client > server ? (.client, client) : (.server, server)
    }
  }

  private func newestTime(_ side: Side) -> Int64? {
    if case .deleted(let time) = version(side) { return time }
    return fields.newestTime(side)
  }

  /// - Parameter undecided: the fields; nil if nothing is.
  fileprivate func why(of subjects: [Subject], undecided: FieldPlaces?) -> ConflictSummary.Why {
    if details.waitingSince != nil { return details.file == nil ? .waiting : .inOutbox }
    if subjects.isEmpty { return wholeReason.map { .record($0) } ?? .tagOnly }
    guard let undecided else { return .decided }
    if let reason = wholeReason { return .record(reason) }
    let certainty = certainty(at: undecided)
    let weakest = undecided.filter { fields.look(at: $0) { $0.pointee.certainty } == certainty }
    if let place = weakest.first, weakest.count == 1 {
      return fields.look(at: place) { .field($0.pointee.name, $0.pointee.reason) }
    }
    return .fields(
      weakest.map { fields.look(at: $0) { $0.pointee.reason } }, certainty,
      byPolicy: weakest.count { fields.look(at: $0) { $0.pointee.isByPolicy } })
  }
}

extension DecidedConflict {
  /// Whether no field of it is written, as it is deleted or done with in a way of its store's own.
  package var isGoneOrOwn: Bool {
    switch conflict.alternative(in: resolution)?.outcome {
    case .delete?, .own?: true
    case .save?, nil: false
    }
  }
}
