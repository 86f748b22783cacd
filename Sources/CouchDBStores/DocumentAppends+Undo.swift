import ExactJSON
import StoreInterface

/// The undo of a write. Nothing is removed: on what was appended to each leaf of before follows that leaf's content.
extension DocumentAppends {
  private struct End {
    let leaf: Leaf
    /// What the write appended to it.
    let child: String
    let isDeletion: Bool
    var revival: Append

    func comingBack(on revision: String) -> End {
      var end = self
      end.revival.parent = revision
      return end
    }
  }

  /// What is still to be brought back, and whose line is to win in the end.
  private struct WayBack {
    var open: [End] = []
    /// What each leaf that comes back descends from, or each that is back.
    var lines: [String] = []
    var winning: String?
    /// Whether something that came back before is not there any more as it came back.
    private var wentOn = false

    /// Whether all of it was done, and undone or gone on from: to do it once more is nothing, and brings nothing back.
    var isOver: Bool { open.isEmpty && wentOn }

    /// - Throws: `Moved` if the document went on since.
    init(_ ends: [End], of write: DocumentAppends, _ document: ServerDocument) throws {
      let former = write.before.first?.id
      // Of a write that came no further than its new documents the former winner is the winner still.
      winning = ends.isEmpty ? former : write.winning ?? ends.first { $0.leaf.id == former }?.child
      for end in ends {
        let back = try WayBack.line(of: end, write, document)
        let line = try back ?? WayBack.place(for: end, document)
        if back == nil { open.append(end.comingBack(on: line)) }
        if let back, !document.hasLive(end.revival, below: back) { wentOn = true }
        if winning == end.child { winning = line }
        lines.append(line)
      }
    }

    /// Where an earlier undo has brought it back already, be it on an older deletion; nil where none has. It may have gone a part of the
    /// way, and somebody on from there.
    ///
    /// - Throws: ``Refusal`` where nobody can know.
    private static func line(
      of end: End, _ write: DocumentAppends, _ document: ServerDocument
    ) throws -> String? {
      let isBack = document.hasMade(end.revival) || document.hasLive(end.revival, below: end.child)
      if !document.isLeaf(end.child), isBack { return end.child }
      return end.isDeletion ? try document.revived(end.revival, of: write) : nil
    }

    /// A server appends to leaves alone. On a deletion that somebody went on from comes back what they have deleted again; what they have
    /// there is theirs, and another leaf to bear it there is not.
    private static func place(for end: End, _ document: ServerDocument) throws -> String {
      if document.isLeaf(end.child) { return end.child }
      guard end.isDeletion, document.revisions[end.child]?.isDeleted ?? false,
        let deletion = document.deletion(below: end.child)
      else { throw Moved("it went on since it was written") }
      return deletion
    }

    /// The winner's body comes last. A write that left the winner alone says which one that is.
    func stages(of write: DocumentAppends) -> [[Append]] {
      let winner = write.winning == nil ? write.before.first?.id : nil
      return [open.filter { $0.leaf.id != winner }, open.filter { $0.leaf.id == winner }].map {
        $0.map(\.revival)
      }
    }
  }

  /// - Parameter others: the documents that the write made.
  /// - Throws: `Moved` if the document went on since, or nothing of the write is there.
  init(
    undoing write: DocumentAppends, on document: ServerDocument, _ others: [JSONText: ServerDocument] = [:]
  ) throws {
    let deletions = try write.deletions(of: others)
    let way = try DocumentAppends.wayBack(of: write, document, leaving: deletions)
    var (stages, winning) = (way.stages(of: write), way.winning)
    if document.live.isEmpty { DocumentAppends.beginWithLife(&stages, &winning, document) }
    let ended = way.open.compactMap { document.revisions[$0.revival.parent] }
    self.init(
      document: document.id, before: ended.map { Leaf($0) },
      stages: (stages + [deletions]).filter { !$0.isEmpty }, winning: winning,
      ends: way.lines, parts: write.parts)
    doneBefore = way.lines.count - way.open.count
  }

  /// - Parameter deletions: of the documents that stay where there is none.
  private static func wayBack(
    of write: DocumentAppends, _ document: ServerDocument, leaving deletions: [Append]
  ) throws -> WayBack {
    do {
      let ends = try DocumentAppends.ends(of: write, document)
      if ends.isEmpty, deletions.isEmpty { throw Moved("nothing of the write is there") }
      let way = try WayBack(ends, of: write, document)
      if way.isOver { throw Moved("it was taken back already, and went on since") }
      return way
    } catch let moved as Moved {
      let names = deletions.compactMap(\.other)
      if names.isEmpty { throw moved }
      throw Moved("\(moved.words); \(names.joined(separator: ", ")) \(names.count == 1 ? "stays" : "stay")")
    }
  }

  /// What the write appended to the leaves of before. One that is not found may be there under a content that nobody knows, or was
  /// purged: without it another conflict would come back than there was.
  ///
  /// - Throws: `Moved` if one is not there that the server must have accepted; ``Refusal`` if that cannot be seen.
  private static func ends(of write: DocumentAppends, _ document: ServerDocument) throws -> [End] {
    let ends = write.before.map { (leaf: $0, end: end($0, of: write, document)) }
    let found = Set(ends.compactMap { $0.end?.leaf.id })
    let accepted = write.accepted(as: found)
    for (leaf, end) in ends where end == nil && write.own.contains(where: { $0.parent == leaf.id }) {
      // Purging takes a leaf away with all that it alone descends from: on one that is a leaf nothing ever was.
      if document.isLeaf(leaf.id) { continue }
      if document.mayHide(childrenOf: leaf.id), let why = document.unreadLeaf {
        throw Refusal(nil, "one of its leaves cannot be read: \(why)")
      }
      let isKnown = write.acceptedIDs[write.document, leaf.id] != nil
      if !isKnown, let child = document.childNotCompared(with: write.own, on: leaf.id) {
        throw Refusal(
          nil,
          "what is attached to \(child) cannot be read now, and nothing else tells whether it is what was written"
        )
      }
      if !document.knows(leaf.id) {
        throw Moved(
          "the server does not know \(leaf.id) any more, which was purged, or is too old for its limit")
      }
      if isKnown || accepted.contains(leaf.id) {
        throw Moved(
          "something else stands on \(leaf.id) than was to be written there: somebody else's, or what the server made of it"
        )
      }
    }
    return ends.compactMap(\.end)
  }

  /// The leaves on which something is, as no stage begins before all of the one before is accepted.
  private func accepted(as found: Set<String>) -> Set<String> {
    let stages = stages.map { $0.filter { $0.other == nil }.map(\.parent) }
    let last = stages.lastIndex { !found.isDisjoint(with: $0) } ?? 0
    return Set(stages[..<last].joined())
  }

  /// nil for a leaf to which the write appended nothing: it is a leaf still, or somebody else went on from it.
  private static func end(_ leaf: Leaf, of write: DocumentAppends, _ document: ServerDocument) -> End? {
    guard let append = write.own.first(where: { $0.parent == leaf.id }),
      let child = write.child(of: append, in: document)
    else { return nil }
    return End(
      leaf: leaf, child: child, isDeletion: append.isDeleted,
      revival: Append(reviving: leaf, on: child, document.revisions[child], write.parts))
  }

  /// What the server has made of one of these: by the id that it answered with, which tells it also where the server has forgotten the
  /// parent. Where no answer was kept, as of an older Parley, by its content.
  private func child(of append: Append, in document: ServerDocument) -> String? {
    let id = acceptedIDs[self.document, append.parent]
    if let id, document.knows(id), !isOther(document.revisions[id], than: append) { return id }
    let children = document.children(of: append.parent)
    let made = children.first { document.revisions[$0].map(append.isMade) ?? false }
    // One that somebody went on from is no leaf, and its content is not here.
    return made ?? (id == nil ? children.first { document.revisions[$0] == nil } : nil)
  }

  /// Whether a leaf is live behind it, so that on that, and on the deletions beside it, comes back what is taken back.
  fileprivate var leavesLife: Bool { winning != nil || own.contains { !$0.isDeleted } }

  /// Whether that plainly is something else: the id is of a write before, into a database that was made anew under the name since.
  private func isOther(_ revision: ServerRevision?, than append: Append) -> Bool {
    revision.map { !append.isMade($0) && append.unread(in: $0).isEmpty } ?? false
  }

  /// The deletion that wins is brought back to life first. That may be one of long ago: then the former winner goes on from there.
  private static func beginWithLife(
    _ stages: inout [[Append]], _ winning: inout String?, _ document: ServerDocument
  ) {
    let all = stages.flatMap(\.self)
    guard let place = document.tree.winner, let last = all.last else { return }
    let top = document.tree.revisions[place].id
    var first = all.first { $0.parent == top } ?? last
    let replaced = first.parent
    if winning == replaced { winning = top }
    (first.parent, first.isFirstLife) = (top, true)
    stages = [[first]] + stages.map { $0.filter { $0.parent != replaced } }
  }
}

extension ServerDocument {
  /// A revision on this leaf that may be what one of these made, and of which nobody knows.
  fileprivate func childNotCompared(with appends: [DocumentAppends.Append], on leaf: String) -> String? {
    children(of: leaf).first { child in
      revisions[child].map { there in appends.contains { $0.parent == leaf && !$0.unread(in: there).isEmpty }
      }
        ?? false
    }
  }

  /// What a revision with this content went on from, on which a version came back off its own line; nil where it did on none. So it does
  /// where its document had no life, on the deletion that won. Its id tells it of this journal's undo; of another desk's, or of who has a
  /// copy of the journal, that it follows a deletion. Somebody may have gone on from there.
  ///
  /// - Throws: ``Refusal`` where what it follows is not on the server any more.
  fileprivate func revived(_ append: DocumentAppends.Append, of write: DocumentAppends) throws -> String? {
    for leaf in leaves(besides: write) {
      let line = leaf.history.prefix(1 + ServerDocument.lookedBack).drop { !isMade($0, by: append) }
      guard let made = line.first else { continue }
      let isOwn = write.acceptedIDs.has(made, of: id)
      if try isOwn || !write.leavesLife && followsDeletion(line, append) { return line.dropFirst().first }
    }
    return nil
  }

  /// The live leaves that went on from what no line of the leaves of before has: what those descend from was a leaf no longer, and so who
  /// went on from there was no undo.
  fileprivate func leaves(besides write: DocumentAppends) -> [ServerRevision] {
    let before = write.before.map(\.id)
    let lines = tree.leaves.compactMap { revision($0)?.history }.filter {
      before.contains(where: $0.contains)
    }
    return live.filter { leaf in
      guard let parent = leaf.history.dropFirst().first else { return false }
      return !lines.contains { $0.contains(parent) }
    }
  }

  /// How far a line is looked at behind its leaf. An undo repeats what came back, so that it wins, three times at most.
  fileprivate static let lookedBack = 8

  private func isMade(_ id: String, by append: DocumentAppends.Append) -> Bool {
    revisions[id].map(append.isMade) ?? false
  }

  /// Whether the content that a line begins with was put on a deletion; what repeats it does not count.
  private func followsDeletion(_ line: ArraySlice<String>, _ append: DocumentAppends.Append) throws -> Bool {
    guard let made = line.first, let first = line.first(where: { !isMade($0, by: append) }) else {
      return false
    }
    guard let followed = revisions[first] else {
      throw Refusal(
        nil,
        "\(made) has what was deleted, and nobody can know whether it came back with that: the server does not have \(first) any more, which it follows"
      )
    }
    return followed.isDeleted
  }

  /// Whether a revision was made already, and is here.
  fileprivate func hasMade(_ append: DocumentAppends.Append) -> Bool {
    children(of: append.parent).contains { isMade($0, by: append) }
  }

  /// Whether a live leaf with this content descends from a revision.
  fileprivate func hasLive(_ append: DocumentAppends.Append, below id: String) -> Bool {
    live.contains { $0.history.contains(id) && append.isMade($0) }
  }

  /// A deletion that descends from a revision, and that nobody went on from.
  fileprivate func deletion(below id: String) -> String? {
    tree.deletedLeaves.lazy.compactMap(revision).first { $0.history.contains(id) }?.id
  }
}

extension CouchDBServer {
  /// The same document with what an undo has to see, and what no leaf tells: where somebody went on from a leaf of before that was to end,
  /// what was made of it, and what of that; and what those leaves follow on which something may have come back.
  func lookingBehind(_ document: ServerDocument, for write: DocumentAppends) throws -> ServerDocument {
    let ended = write.own.filter(\.isDeleted).map(\.parent)
    let made = ended.flatMap { document.children(of: $0) }.filter { !document.isLeaf($0) }
    let lines = write.leavesLife ? [] : document.leaves(besides: write).map(\.history)
    let followed = lines.flatMap { $0.dropFirst().prefix(ServerDocument.lookedBack) }
    let all = made + made.flatMap { document.children(of: $0) } + followed
    let asked = all.unique.filter { document.revisions[$0] == nil }
    if asked.isEmpty { return document }
    let question = asked.map { JSONValue.object(["id": .string(document.id), "rev": .string($0)]) }
    return document.knowing(try revisions(question).flatMap(\.revisions).filter { $0.failure == nil })
  }

  /// The same document, where it is known what is in those attachments that may be what a write sent, or what its undo brings back.
  func comparing(_ document: ServerDocument, with write: DocumentAppends) throws -> ServerDocument {
    let revivals = write.before.map { leaf in
      DocumentAppends.Append(reviving: leaf, on: leaf.id, nil, write.parts)
    }
    return try comparing(document, with: write.own + revivals)
  }
}

extension DocumentAppends.Append {
  /// All attachments with their bytes: the leaves that come back have, or had, others (see ``haveAlike(_:)``).
  ///
  /// - Parameter end: what its parent is.
  fileprivate init(
    reviving leaf: DocumentAppends.Leaf, on parent: String, _ end: ServerRevision?,
    _ parts: [[UInt8]: [UInt8]]
  ) {
    let attachments = leaf.attachments.map { name, told in
      let there = end?.attachments[name]
      let isThere = there?["digest"] == told["digest"] && there?["content_type"] == told["content_type"]
      var attachment = DocumentAppends.Attachment(
        told: isThere ? there ?? told : told, source: isThere ? parent : leaf.id, sha256: leaf.kept[name])
      if let bytes = leaf.kept[name].flatMap({ parts[$0] }) { attachment.sent(bytes) }
      return (name, attachment)
    }
    self.init(
      parent: parent, isDeleted: false, members: leaf.members,
      attachments: Dictionary(uniqueKeysWithValues: attachments))
  }
}
