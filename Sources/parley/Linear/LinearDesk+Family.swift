import Desk
import Merging
import StoreInterface
import Telling

/// `F`: the record that is asked about and all in conflict that belong to it are decided by one answer, and taken back by one.
extension LinearDesk {
  func decideFamily() throws -> Next {
    guard let id = asked.record else { return try nothingHere() }
    guard store.info.can.contains(.tellFamilies) else {
      try tell(
        "The \(store.info.words.record)s of this store do not point to each other, so none has a family.")
      return .stay
    }
    let relatives = try store.family(of: id)
    let members = try ([id] + relatives.map(\.id)).compactMap { try decided($0) }
    guard members.count > 1 else {
      try tell("It points to no \(store.info.words.record) in conflict, and none points to it.")
      return .stay
    }
    try tell(members, relatives)
    return try answerFamily(members)
  }

  private func tell(_ members: [DecidedConflict], _ relatives: [Relative]) throws {
    let titles = titles(members)
    let open = members.count { !$0.isDecided }
    try tell("\(members.count) records belong together, \(open) of them with something to decide.")
    for relative in relatives { try tell(relative.words(titles).capitalizedFirst + ".") }
    try tellContradictions(members)
  }

  private func titles(_ members: [DecidedConflict]) -> ByRecord<String> {
    ByRecord(members.map { ($0.conflict.id, $0.conflict.title) }) { first, _ in first }
  }

  private func answerFamily(_ members: [DecidedConflict]) throws -> Next {
    let prompt =
      "For all that is open in them: c client, s server, A what is sure or by clock; anything else leaves it:"
    let decide: (DecidedConflict) -> Resolution
    switch try answer(prompt).map({ LinearAnswer($0) }) {
    case .take(.client)?: decide = { $0.takingRest(.client) }
    case .take(.server)?: decide = { $0.takingRest(.server) }
    case .acceptAll?: decide = { $0.conflict.accepting(.byClock, in: $0.resolution) }
    default:
      try tell("Nothing was changed.")
      return .stay
    }
    return try keep(members.map { DecidedConflict($0.conflict, decide($0)) }, before: members)
  }

  /// Nobody looked at each of their fields, so what is given up is said first.
  private func keep(_ new: [DecidedConflict], before old: [DecidedConflict]) throws -> Next {
    let changed = zip(new, old).filter { $0.resolution != $1.resolution }
    guard !changed.isEmpty else {
      try tell("Nothing else of them can be taken so.")
      return .stay
    }
    for (record, before) in changed {
      let lost = record.givenUp.filter { !before.givenUp.contains($0) }
      if !lost.isEmpty {
        let words = lost.map { text.lost($0, text.unseenEnds($0)) }.joined(separator: "; ")
        try tell("\(record.conflict.title) gives up \(words)".ended)
      }
    }
    try tellContradictions(new)
    guard try isConfirmed("decide \(changed.count == 1 ? "1 record" : "\(changed.count) records") so") else {
      return .goOn
    }
    return try keep(changed)
  }

  private func keep(_ changed: [(DecidedConflict, DecidedConflict)]) throws -> Next {
    let subjects = changed.map { record, before in
      record.resolution.difference(from: before.resolution).sorted { $0.name < $1.name }
    }
    // One act has one time, by which u finds it whole in the next session.
    let now = surroundings.now()
    let decisions = zip(changed, subjects).flatMap { pair, subjects in
      pair.1.decisions(about: subjects, in: pair.0.resolution, at: now)
    }
    try keep(decisions)
    history.append(
      Step(parts: zip(changed, subjects).map { part(of: $0.1, $1, after: $0.0.resolution) }))
    for (record, _) in changed {
      let left = record.undecided.count
      try tell("\(record.conflict.title): \(left == 0 ? "decided" : "\(left) left open").")
    }
    try tell("u takes all of it back.")
    return moveOn()
  }

  private func tellContradictions(_ members: [DecidedConflict]) throws {
    let titles = titles(members)
    for one in Contradiction.all(among: members.map { FamilyStanding($0) }) {
      try tell("Beware: " + one.words(titles))
    }
  }
}

extension DecidedConflict {
  /// One side for everything that is open and can be taken from it.
  fileprivate func takingRest(_ side: Side) -> Resolution {
    undecided.reduce(into: resolution) { resolution, subject in
      if conflict.refusal(of: .take(side), for: subject) == nil { resolution.decide(subject, .take(side)) }
    }
  }
}
