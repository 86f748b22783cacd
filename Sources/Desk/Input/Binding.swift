import Merging
import StoreInterface
import Terminal

/// Which key does what on which screen. Footer, help and `parley keys` are all made from this one table, so that no
/// key can be missing from any of them.
package final class Binding: Sendable {
  /// Where the footer tells of a key. The key itself works everywhere on its screens, and the help tells of it wherever the store has
  /// such a thing, and the page; see ``DeskPage/tells(of:on:)``.
  package struct Audience: Sendable {
    /// Whether only where there is more than the screen shows.
    var isOfLonger = false
    var isHere: @Sendable (DeskState) -> Bool = { _ in true }
    /// Whether a store has such a thing at all.
    var isOfStore: @Sendable (StoreInfo) -> Bool = { _ in true }

    static let everybody = Audience()
    static let longer = Audience(isOfLonger: true)
    /// In a text that has more lines than the screen.
    static let longerTexts = Audience(isOfLonger: true, isHere: { $0.topic == .text })
    /// In stores whose records have revision trees.
    static let trees = Audience(isOfStore: { $0.can.contains(.tellTrees) })
    /// On a row of the list.
    static let rows = Audience { $0.list.selected != nil }
    /// In a list that does not show all, or has marks.
    static let narrowed = Audience { $0.list.isNarrowed || !$0.list.marks.isEmpty }
    /// On what is done to conflicts alone.
    static let conflicts = Audience { if case .conflict? = $0.list.selected { true } else { false } }
    /// On what rules decide: a conflict, or what is marked, wherever the cursor is.
    static let ruled = Audience { !$0.list.marks.isEmpty || conflicts.isHere($0) }
    /// On what `A` decides something about: what is marked, or a record with a suggestion that is not taken.
    static let suggestions = Audience { desk in
      let id = desk.top(RecordPage.self)?.id ?? desk.list.selectedConflict
      if desk.pages.isEmpty, !desk.list.marks.isEmpty { return true }
      // What is not read yet may have some.
      return id.map { desk.open[$0]?.hasSuggestions ?? true } ?? false
    }
    /// On what can be done to a finding.
    static let findings = Audience { $0.finding?.canBeMended != nil }
    /// On a finding that can be mended by either side.
    static let findingsOfSides = on(FindingPage.self) { page, _ in page.finding.takesServer != nil }
    /// On a finding about a record that is in conflict, where it is decided.
    static let findingsInConflict = on(FindingPage.self) { page, desk in
      desk.list.summary(page.finding.subject) != nil
    }
    /// On records with more than two live leaves.
    static let leaves = on(RecordPage.self) { page, desk in
      (desk.open[page.id]?.conflict.liveLeaves.count ?? 0) > 2
    }
    /// On an attachment whose bytes can be read.
    static let attachments = on(ValuePage.self) { page, desk in !page.attachments(desk).isEmpty }
    /// On a field that can be put together of its changes.
    static let parts = Audience { desk in
      if let page = desk.top(ValuePage.self) {
        return page.parts(desk) != nil && desk.open[page.id]?.conflict.details.waitingSince == nil
      }
      guard let page = desk.top(RecordPage.self), let record = desk.open[page.id],
        let field = page.selectedField(in: record, on: desk)
      else { return false }
      return field.mayHaveParts && !record.conflict.isWhole && record.conflict.details.waitingSince == nil
    }
    /// On a value of which each change can be taken by itself, or all of them at once.
    static let severalChanges = on(ValuePage.self) { page, desk in page.hasSeveralChanges(desk) }
    /// In a merge, on a change of which both sides' words can stand one behind the other.
    static let twoTexts = on(ValuePage.self) { page, desk in page.canTakeBoth(desk) }
    /// Where two sides have room beside each other.
    static let wide = Audience { $0.size.columns >= ValueScreen.sideBySide }
    /// On records that can be decided in other ways than field by field, or as one of two sides.
    static let ways = on(RecordPage.self) { page, desk in
      guard let conflict = desk.open[page.id]?.conflict else { return false }
      let isOwn = conflict.alternatives.contains { Side(rawValue: $0.id) == nil }
      return conflict.liveLeaves.count > 2 || conflict.isWhole && isOwn
    }
    /// In a tree of which leaves are folded away, or were.
    static let folded = on(TreePage.self) { page, desk in desk.drawnTree(page.id)?.isFoldable == true }
    /// Where a write is not finished, once somebody asks for it.
    static let interrupted = Audience { !$0.interrupted.isEmpty }
    /// In a review that can be confirmed.
    static let confirmable = on(ReviewPage.self) { page, desk in page.canConfirm(on: desk) }
    /// In a review of several records, of which some can be left out.
    static let parted = on(ReviewPage.self) { page, _ in
      page.stage == .ready && page.canLeaveOut && (page.isOpen || page.count > 1)
    }
    /// In a review of drafts that are not written yet.
    static let drafts = on(ReviewPage.self) { page, _ in page.isOpen && page.stage == .ready }
    /// In one of a store that is written by SQL.
    static let statements = on(ReviewPage.self) { page, desk in
      page.isOpen && page.stage == .ready && desk.store.can.contains(.tellStatements)
    }
    /// In a review of drafts, before and after, on one that is not written.
    static let reviewed = on(ReviewPage.self) { page, desk in page.canOpen(on: desk) }
    /// After a write that left something out.
    static let problems = on(ReviewPage.self) { page, desk in
      page.stage == .done && page.hasSomethingToSee(on: desk)
    }
    /// Where something was written, that is what is taken back next.
    static let written = on(ReviewPage.self) { page, desk in
      page.hasWritten && page.isTakenBackNext(on: desk)
    }
    /// In stories with a conflict to decide.
    static let decidable = on(WalkthroughPage.self) { page, _ in page.conflict != nil }
    /// Where something was given up.
    static let losses = on(GivenUpPage.self) { page, _ in page.selected != nil }
    /// On what was given up by a write.
    static let writtenLosses = on(GivenUpPage.self) { page, desk in page.canTakeBack(on: desk) }
    /// Where one of them is read as a whole, or what programs read.
    static let copiedTexts = Audience { $0.lossesBelow != nil || $0.top(TextPage.self)?.copied != nil }
    /// In the log of the store, on what was done to a record that is still in conflict; among the counts of tables on any of them.
    static let logged = Audience { desk in
      desk.top(TextPage.self)?.canOpen ?? desk.top(LogPage.self)?.canOpen(on: desk) ?? false
    }
    /// Where a family is found.
    static let relatives = on(FamilyPage.self) { _, desk in desk.family?.members.isEmpty == false }
    /// In an editor whose record is still in conflict.
    static let versions = on(EditorPage.self) { page, desk in !page.isSettled && desk.open[page.id] != nil }
    /// In an editor of something.
    static let filled = on(EditorPage.self) { page, _ in
      page.isNull || page.held == Value.missing || !page.input.isEmpty
    }
    /// In an editor of something else than NULL, where that would be taken.
    static let notNull = on(EditorPage.self) { page, _ in !page.isNull && !page.field.isRequired }
    /// In an editor of a text whose record is still in conflict.
    static let texts = on(EditorPage.self) { page, desk in
      page.field.kind != .blob && !page.isSettled && desk.open[page.id] != nil
    }
    /// On what waits for nobody, so that it can be decided.
    static let decidableNow = onRecord { _ in true }
    /// On records of which the server's version, or its deletion, is known.
    static let servers = onRecord { !$0.isWhole || !$0.version(.server).isUnknown }
    /// On records of which somebody has the ancestor, where it can be taken: of none that is decided as a whole.
    static let ancestors = onRecord { !$0.isWhole && $0.version(.ancestor).isPresent }
    /// On records that take a value of a person's own.
    static let editable = onRecord { !$0.isWhole || $0.details.ownValue != nil }

    /// On a record or one of its values. What is not read yet may be any.
    private static func onRecord(_ isHere: @escaping @Sendable (RecordConflict) -> Bool) -> Audience {
      Audience { desk in
        guard let id = desk.top(RecordPage.self)?.id ?? desk.top(ValuePage.self)?.id else { return false }
        return desk.open[id].map { $0.conflict.details.waitingSince == nil && isHere($0.conflict) } ?? true
      }
    }

    private static func on<Kind: DeskPage>(
      _ kind: Kind.Type, _ isHere: @escaping @Sendable (Kind, DeskState) -> Bool
    ) -> Audience {
      Audience { desk in desk.top(kind).map { isHere($0, desk) } ?? false }
    }
  }

  /// Which keys a footer tells of that has no room for all; they stand in the order of the table nevertheless.
  package enum Rank: Int, Sendable, CaseIterable, Comparable {
    /// What takes a side, goes on or back, opens, or undoes.
    case needed
    /// What saves many of those.
    case handy
    case usual

    package static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  package let command: Command
  package let keys: [Key]
  package let topics: Set<Topic>
  /// The heading in the help.
  package let group: String
  /// What the help says.
  package let label: String
  /// What the footer says; nil keeps it out of the footer.
  package let hint: String?
  package let audience: Audience
  package let rank: Rank

  init(
    _ command: Command, _ keys: [Key], _ topics: Set<Topic>, _ group: String, _ label: String,
    hint: String? = nil, for audience: Audience = .everybody, rank: Rank = .usual
  ) {
    (self.command, self.keys, self.topics, self.group, self.label) = (command, keys, topics, group, label)
    (self.hint, self.audience, self.rank) = (hint, audience, rank)
  }

  /// The same with other keys.
  func having(_ keys: [Key]) -> Binding {
    Binding(command, keys, topics, group, label, hint: hint, for: audience, rank: rank)
  }
}
