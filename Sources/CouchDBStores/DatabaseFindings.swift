import ExactJSON
import Journals
import RevisionTrees
import StoreInterface
import Synchronization

/// Walks a database as ``ChangesWalk`` does, for what is wrong with its documents. One with a single leaf has nothing to tell.
final class DatabaseFindings: FindingWalk {
  private struct State {
    var feed: ChangesFeed?
    /// Of the database that it is about; nil before the first page.
    var birth: String?
    /// Behind the last page.
    var since = "0"
    var isOver = false
    var looked = 0
    /// Rows may come twice on a cluster.
    var told: Set<JSONText> = []
  }

  private let store: CouchDBStore
  private let state = Mutex(State())

  init(store: CouchDBStore) { self.store = store }

  var looked: Int { state.withLock(\.looked) }

  func next(limit: Int) throws -> [Finding]? {
    try state.withLock { state in
      if state.isOver { return nil }
      // What could not be read to the end is read again.
      var next = state
      state.feed = nil
      let findings = try store.documents(ids(max(1, limit), &next)).flatMap(\.findings)
      state = next
      return findings
    }
  }

  private func ids(_ limit: Int, _ state: inout State) throws -> [String] {
    let birth = try state.birth ?? store.identityNow().birth
    let feed = try state.feed ?? ChangesFeed(store.server, since: state.since)
    (state.birth, state.feed) = (birth, feed)
    var ids: [String] = []
    for _ in 0..<limit {
      guard let row = try feed.next() else {
        try store.checkBirth(birth)
        (state.isOver, state.feed) = (true, nil)
        break
      }
      state.looked += 1
      if row.leaves.count > 1, state.told.insert(JSONText(row.id)).inserted { ids.append(row.id) }
    }
    state.since = feed.since
    return ids
  }
}

extension ServerDocument {
  /// The worst first.
  var problems: [DocumentProblem] {
    if let unread { return [.unreadable(unread)] }
    // Of what a leaf that cannot be read descends from nobody knows.
    if unreadLeaf != nil { return [] }
    return [tree.spurious, tree.severalRoots, tree.deletionLost].compactMap(\.self)
  }

  var findings: [Finding] {
    problems.map { problem in
      guard DocumentAppends(mending: problem, of: self) != nil else {
        return problem.finding(of: id, canBeMended: nil)
      }
      let ended = (problem.tombstones(in: tree) ?? []).compactMap { revisions[$0]?.version }
      return problem.finding(of: id, canBeMended: problem.tombstoneWords(in: tree), ended: ended)
    }
  }
}

extension CouchDBStore {
  package func mend(_ findings: [Finding.ID], note: String?) throws -> [CheckedWrite] {
    try mend(findings, seen: [], note: note)
  }

  package func mend(_ findings: [Finding.ID], seen: [Finding], note: String?) throws -> [CheckedWrite] {
    let known = seen.byID
    return try mend(findings, seen: seen) {
      let tasks = $0.map { WriteTask(mending: $0, seen: known[$0]) }
      return try CouchDBSteps(store: self).commit(tasks, mends: true, note: note)
    }
  }

  package func subject(of record: String) -> (table: String, record: String) {
    (TreeDocument.table(of: record), record)
  }
}

extension WriteTask where Place == DocumentPlace {
  /// A finding is looked for again first: what was seen may be gone.
  fileprivate init(mending finding: Finding.ID, seen: Finding?) {
    let id = Finding.parts(of: finding)?.subject ?? ""
    self.init(RecordLabel(id: finding, title: id)) { place in
      guard let document = try place.document(id),
        let problem = document.problems.first(where: { "\($0.key):\(id)" == finding })
      else { throw Moved("it is no longer found") }
      try problem.check(seen)
      guard let appends = DocumentAppends(mending: problem, of: document) else {
        throw Refusal(nil, "Parley cannot mend it; see what does")
      }
      return place.planNoting(try appends.withBytes(place.server, of: document), finding, id)
    }
  }
}
