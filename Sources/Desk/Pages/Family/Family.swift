import Merging
import StoreInterface

/// One conflict of a family: why it belongs there, and what becomes of it by what is decided. Small, as a parent may have thousands
/// of children.
package struct FamilyMember: Sendable, Equatable, Identifiable {
  enum Outcome: Sendable, Equatable {
    case open, deleted
    /// What its store alone calls by a name.
    case answered(Alternative)
    /// The sides that its values come from.
    case kept([Source])
  }

  let summary: ConflictSummary
  /// nil of the record whose family it is.
  let relative: Relative?
  let outcome: Outcome
  let isWhole: Bool
  /// How many edits are given up by what is decided so far.
  let givenUp: Int
  fileprivate let standing: FamilyStanding

  package var id: String { summary.id }

  package init(_ decided: DecidedConflict, _ relative: Relative?) {
    (self.relative, isWhole) = (relative, decided.conflict.isWhole)
    (summary, standing, givenUp) = (decided.summary, FamilyStanding(decided), decided.givenUp.countOfAll)
    outcome = FamilyMember.outcome(decided)
  }

  private static func outcome(_ decided: DecidedConflict) -> Outcome {
    guard let draft = decided.draft else { return .open }
    if let answer = decided.answer { return .answered(answer) }
    guard case .save(let fields) = draft.action else { return .deleted }
    return .kept(Source.allCases.filter { source in fields.contains { $0.source == source } })
  }
}

/// The family that is shown. It lies in the desk and not in its page: a page is copied and compared with every key.
struct Family: Sendable {
  /// Whose it is.
  let id: String
  private(set) var members: [FamilyMember] = []
  private(set) var contradictions: [Contradiction] = []
  private var relatives: [Relative]?
  private var isAsked = true
  /// What the list had of each of them when they were read last.
  private var seen: [ConflictSummary?] = []

  init(of id: String) { self.id = id }

  /// Whether nobody knows yet who belongs to it.
  var isReading: Bool { relatives == nil }
  var undecided: [FamilyMember] { members.filter { $0.summary.undecided > 0 || $0.summary.holdsNoLonger } }
  var givenUp: Int { members.reduce(0) { $0 + $1.givenUp } }

  mutating func take(_ found: [FamilyMember], _ list: ListState) {
    members = found
    contradictions = Contradiction.all(among: found.map(\.standing))
    if relatives == nil || seen.count != found.count { seen = glance(at: list) }
    let there = found.compactMap(\.relative)
    // Of those that are gone some may come back.
    let ids = RecordNames(there.map(\.id))
    relatives = there + (relatives ?? []).filter { !ids.contains($0.id) }
    isAsked = false
  }

  /// They are read again when the list has something else of one of them.
  mutating func failed() { isAsked = false }

  /// Those that are known, to be read again; nil where the list has nothing new of them, or they are being read.
  mutating func outdated(_ list: ListState) -> [Relative]? {
    let now = glance(at: list)
    guard !isAsked, let relatives, now != seen else { return nil }
    (seen, isAsked) = (now, true)
    return relatives
  }

  /// All that were ever found; nil where the store has to be asked who belongs to it, which it can tell of a record in conflict alone.
  func known(beside list: ListState) -> [Relative]? { list.summary(id) == nil ? relatives : nil }

  private func glance(at list: ListState) -> [ConflictSummary?] { members.map { list.summary($0.id) } }
}

/// Who belongs to it is asked once; how each is decided whenever the list has something else of one of them.
extension DeskState {
  /// `f`: the record that is shown, or lies under the cursor, with all that belong to it.
  mutating func startFamily() -> [DeskEffect] {
    guard let id = idForFamily else {
      return tell("Only conflicts have a family here.")
    }
    if id == WalkthroughPage.rehearsal { return tell("A rehearsal has no family.") }
    guard store.can.contains(.tellFamilies) else { return tell(noFamilies) }
    if bulk != nil { return tell("Rules are being tried on many: Esc leaves them first.") }
    if let place = pages.firstIndex(where: { $0.content is FamilyPage }) { pages.removeSubrange(place...) }
    pages.append(.family(FamilyPage(id: id)))
    return findFamily(of: id)
  }

  private var noFamilies: String {
    "The \(store.words.record)s of this store do not point to each other, so none has a family."
  }

  private var idForFamily: String? {
    if let page = top(RecordPage.self) { return page.id }
    guard case .conflict(let summary)? = list.selected else { return nil }
    return summary.id
  }

  mutating func findFamily(of id: String) -> [DeskEffect] {
    family = Family(of: id)
    return [.readFamily(id: id, known: nil)]
  }

  /// What somebody decided meanwhile, here or elsewhere: asked after every event, also while the review of its drafts lies on it, which
  /// goes back to it.
  mutating func readFamilyAgain() -> [DeskEffect] {
    guard let page = top(FamilyPage.self) ?? (top(ReviewPage.self) == nil ? nil : page(FamilyPage.self)),
      let known = family?.outdated(list)
    else { return [] }
    return [.readFamily(id: page.id, known: known)]
  }

  /// Who was written may be in conflict again, and who belongs to it now was not before: only the store knows.
  mutating func findFamilyAgain() -> [DeskEffect] {
    guard let page = page(FamilyPage.self), let family, !family.isReading else { return [] }
    return [.readFamily(id: page.id, known: family.known(beside: list))]
  }

  /// Of one that nobody knows there is nothing to show.
  mutating func familyFailed(_ id: String, _ words: String) -> [DeskEffect] {
    guard (family?.id).isName(id) else { return [] }
    family?.failed()
    if family?.isReading == true {
      pages.removeAll { $0.content is FamilyPage }
      family = nil
    }
    return tell(failed: words)
  }

  mutating func takeFamily(_ id: String, _ members: [FamilyMember]) -> [DeskEffect] {
    guard (family?.id).isName(id) else { return [] }
    let isFirst = family?.isReading == true
    family?.take(members, list)
    if members.isEmpty { return leaveEmpty() }
    return isFirst && members.map(\.id) == [id] ? leaveAlone(id) : []
  }

  /// What was written, or settled elsewhere, is no page any more.
  private mutating func leaveEmpty() -> [DeskEffect] {
    let isSeen = top(FamilyPage.self) != nil
    pages.removeAll { $0.content is FamilyPage }
    family = nil
    return isSeen ? tell("Nothing of this family is in conflict any more.") : []
  }

  /// A family of one has nothing to decide together, so no page opens for it.
  private mutating func leaveAlone(_ id: String) -> [DeskEffect] {
    guard (top(FamilyPage.self)?.id).isName(id) else { return [] }
    family = nil
    let record = store.words.record
    return goBack()
      + tell(
        "\(shownTitle(of: id)) has no family: it points to no \(record) in conflict, and none points to it.")
  }
}
