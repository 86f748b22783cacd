import Merging

/// What a decision keeps, and what those of a journal are worth for the conflict as it is now.
extension RecordConflict {
  /// What `resolution` says about `subjects`, as the journal keeps it.
  package func decisions(
    about subjects: [Subject], in resolution: Resolution, at time: Int64, note: String? = nil
  ) -> [Decision] {
    var fingerprints = Fingerprints(self)
    return subjects.map { subject in
      Decision(
        id: id, subject: subject, choice: resolution[subject],
        fingerprint: fingerprints.ofDecision(about: subject), decidedAt: time, note: note,
        givenUp: KeptGivenUp(resolution[subject].map { givenUp(by: $0, for: subject) } ?? []),
        answer: resolution[subject].flatMap { answer(by: $0, for: subject) })
    }
  }

  /// The decisions of `decisions` that are in force for what this conflict is now.
  package func resolution(from decisions: [Decision]) -> Resolution { judged(decisions).resolution }

  /// What the decisions on this record are worth now.
  ///
  /// - Parameters:
  ///   - decisions: oldest first; of those that say something of this conflict the last of each subject counts.
  ///   - isMoveAsked: whether of those in force it has to be known that ``JudgedDecisions/isMoved``; else it stays false.
  package func judged(
    _ decisions: [Decision], isMoveAsked: (Resolution) -> Bool = { _ in true }
  ) -> JudgedDecisions {
    var judged = JudgedDecisions()
    judged.kept = kept(among: decisions)
    var fingerprints = Fingerprints(self)
    // By their places, as to take a decision out is to copy it.
    let places = places(of: decisions, &fingerprints)
    for place in places {
      let (subject, choice) = (decisions[place].subject, decisions[place].choice)
      let holds =
        !hasHadItsSay(decisions[place], &fingerprints)
        && fingerprints.fit(decisions[place].fingerprint, subject) && isThere(choice, subject)
        && !fingerprints.isOver(decisions[place].fingerprint.conflict)
      judged.resolution.decide(subject, holds ? choice : nil)
      judged.end(subject, choice)
      if !holds, choice != nil, !isPast(decisions[place], &fingerprints), !isHeldByEarlier(decisions[place]) {
        judged.outdated.append(decisions[place])
      }
    }
    if judged.resolution.isEmpty && judged.outdated.isEmpty { return judged }
    guard let last = places.last.map({ decisions[$0] }), !last.isWritten, !last.fingerprint.record.isEmpty
    else { return judged }
    if isMoveAsked(judged.resolution) { judged.isMoved = !fingerprints.fitAll(last.fingerprint) }
    return judged
  }

  /// Whether it is about a field of another conflict of the record, which waits, and has it as soon as this one is written. What was decided
  /// about a record as a whole is ended by who decides a field here.
  private func isHeldByEarlier(_ decision: Decision) -> Bool {
    if case .record = decision.subject { return false }
    return isOfEarlier(decision)
  }

  /// Of what may be written nobody knows.
  private func isOfEarlier(_ decision: Decision) -> Bool {
    !decision.mayBeWritten && details.earlier.contains(decision.fingerprint.conflict)
  }

  /// The last about each subject of the conflicts of the record that wait, whether or not something was decided about this one before it. That
  /// one keeps them, whatever is decided about this; what is taken back is so of all.
  private func kept(among decisions: [Decision]) -> [Decision] {
    if details.earlier.isEmpty { return [] }
    var kept: [Decision] = []
    for decision in decisions where decision.id.hasSameBytes(as: id) {
      let isTakenBack = decision.choice == nil
      guard isTakenBack || isOfEarlier(decision) else { continue }
      kept.removeAll {
        $0.subject == decision.subject
          && (isTakenBack || $0.fingerprint.conflict == decision.fingerprint.conflict)
      }
      if !isTakenBack { kept.append(decision) }
    }
    return kept
  }

  /// Those of `decisions` that say something of this conflict, in their order.
  package func own(of decisions: [Decision]) -> [Decision] {
    var fingerprints = Fingerprints(self)
    return places(of: decisions, &fingerprints).map { decisions[$0] }
  }

  /// Not what was decided about another one of the record after this one was. Of two that wait, with the same values, each keeps what was
  /// decided about it.
  private func places(of decisions: [Decision], _ fingerprints: inout Fingerprints) -> [Int] {
    let places = decisions.indices.filter { decisions[$0].id.hasSameBytes(as: id) }
    let conflicts = places.map { decisions[$0].fingerprint.conflict }
    guard canWaitBesideAnother, let one = conflicts.first, conflicts.contains(where: { $0 != one }) else {
      return places
    }
    let now = fingerprints.ofConflict
    guard let first = conflicts.firstIndex(of: now) else { return places }
    return places.indices.filter { $0 <= first || isSaid(of: now, decisions[places[$0]]) }.map { places[$0] }
  }

  /// What is taken back is so of whatever conflict it was.
  private func isSaid(of conflict: String, _ decision: Decision) -> Bool {
    decision.choice == nil || ["", conflict].contains(decision.fingerprint.conflict)
  }

  /// Whether the record may have two at a time. A file that syncs as a whole has one, of which an index knows more or less, and a document
  /// has one, whose leaves come and go.
  package var canWaitBesideAnother: Bool { details.file == nil && liveLeaves.isEmpty }

  /// Whether a decision was written, or may have been, and this is another conflict, even if all values are the same again: a flag is set twice, and who
  /// decided about the first time has not seen the second. A draft that waits is of this conflict, and so is one that the app did not take.
  /// Of a file that syncs as a whole another version is another file, and a copy's journal alone may know what was written. What was put into
  /// its outbox was about what waited then, be the texts the same again.
  private func hasHadItsSay(_ decision: Decision, _ fingerprints: inout Fingerprints) -> Bool {
    let seen = decision.fingerprint.conflict
    let mayHave = decision.mayBeWritten || details.file != nil && !seen.isEmpty
    guard mayHave, details.waitingSince == nil else { return false }
    if decision.isWritten, details.outboxIsOld { return true }
    return seen != fingerprints.ofConflict
  }

  /// Whether it was written. A write of another conflict of the record counts as one of all that was decided before it, also about this one,
  /// which waited behind that: but what was written is here no longer, unless its draft waits.
  private func isPast(_ decision: Decision, _ fingerprints: inout Fingerprints) -> Bool {
    guard decision.isWritten, canWaitBesideAnother, details.waitingSince == nil else {
      return decision.isWritten
    }
    return decision.fingerprint.conflict != fingerprints.ofConflict
  }

  /// Whether there is a choice, and what it is about and names: a field may be in no version any more, an undo gives a leaf another id, an
  /// ancestor may be kept no longer, and the bytes of a side may have been in a row alone.
  private func isThere(_ choice: Choice?, _ subject: Subject) -> Bool {
    if case .field(let name) = subject, fields.place(of: name) == nil { return false }
    return switch choice {
    case .alternative(let id)?: alternative(id) != nil
    case .take(.ancestor)? where version(.ancestor).isUnknown: false
    case .take(let side)?: refusal(of: .take(side), for: subject) != .notAtHand(side)
    case .edit?, .merged?, .parts?: true
    case nil: false
    }
  }
}

extension Decision {
  /// Whether a later decision stands for this one: about the same, or about a field where this one was about the record as a whole.
  package func isEnded(by subject: Subject, _ choice: Choice?) -> Bool {
    self.subject == subject || self.subject == .record && choice != nil
  }
}

/// What the decisions on a record are worth now.
package struct JudgedDecisions: Sendable, Equatable {
  /// Those in force.
  package var resolution = Resolution()
  /// Those that are not, because what they were about has changed. One that was written has had its say.
  package var outdated: [Decision] = []
  /// Those about other conflicts of the record, which wait: nothing about their fields is dropped here.
  package var kept: [Decision] = []
  /// Whether anything of the record has changed since somebody last decided about it.
  package var isMoved = false

  package init() {}

  fileprivate mutating func end(_ subject: Subject, _ choice: Choice?) {
    outdated.removeAll { $0.isEnded(by: subject, choice) }
  }
}
