import ExactJSON
import Journals
import Merging
import RevisionTrees
import StoreInterface

extension CouchDBStore: SteppingStore {
  package func steps(about ids: some Collection<String>) -> CouchDBSteps { CouchDBSteps(store: self) }
  package func steps(for intent: Intent) -> CouchDBSteps { CouchDBSteps(store: self) }
  package var isHeldByParley: Bool { lock.isHeld }

  fileprivate var lock: WriterLock { WriterLock(beside: log.path) }

  package func lastWrite() throws -> LastWrite? {
    guard let intent = try log.newestWrite()?.intent else { return nil }
    return LastWrite(
      id: intent.id, records: try log.writtenRecords(of: intent),
      takingBack: """
        Revisions are never removed: on each one that the write appended follows one with the content from before, so the same \
        leaves are live again, under new ids, with the same winner. A document that the write made is deleted.\
        \(info.notUndone.map { " Here that is refused: \($0)." } ?? "")
        """, notVerified: info.notVerified)
  }
}

/// The steps of a write: documents in groups, as one question to the server holds many. It has no transactions: what it said of each
/// document counts, and after an answer that was lost it is looked at.
package struct CouchDBSteps: WriteSteps {
  let store: CouchDBStore
  private let seen = SeenConflicts()

  init(store: CouchDBStore) { self.store = store }

  package var log: Journal { store.log }
  package var path: String { store.server.path }
  package var batch: Int { 1000 }

  package func access() -> StoreAccess { store.access() }
  package func accessToFinish() -> StoreAccess { store.accessToFinish() }

  package func whileWriting(_ body: (CouchDBServer) throws -> Void) throws {
    try whileChecking { server in
      try store.lock.holding(for: path) { try body(server) }
    }
  }

  package func whileChecking(_ body: (CouchDBServer) throws -> Void) throws {
    try store.opening.check(path)
    try store.server.check()
    try body(store.server)
  }

  package func mending(_ body: (DocumentPlace) throws -> Void) throws {
    try store.lock.holding(for: path) { try reading(body) }
  }

  package func mayStillHappen(after error: any Error) -> Bool {
    (error as? StoreError)?.leavesRequestOpen ?? false
  }

  /// A quarter of an hour: a server that has too much to do may let a request wait for some minutes before it is sent, and the gateways
  /// that are known hold one for no longer than some more. One that hands a request on later still is not seen by this.
  package var lateness: Int64 { 900 * 1_000_000_000 }

  /// A server appends to leaves alone. So what begins with one that has a child now is over, whatever is on its way.
  package func wouldTake(_ appends: DocumentAppends, at place: DocumentPlace) throws -> Bool {
    let documents = try place.documents(appends)
    return appends.stages.first?.contains { append in
      append.parent.isEmpty
        || documents[JSONText(append.other ?? appends.document)]?.leaves.contains(append.parent) ?? false
    } ?? false
  }

  package func transaction(
    _ server: CouchDBServer, about ids: some Collection<String>, _ body: (DocumentPlace) throws -> Bool
  ) throws -> [JSONText: CheckedWrite.Outcome] {
    let place = DocumentPlace(store, try server.leafDocuments(Array(ids), seen: seen.conflicts))
    guard try body(place) else { return [:] }
    // What is begun is finished, as far as the server answers, whether or not anybody still waits for it.
    return try StoreCall.current.unstoppable.answered {
      try AppendRound.carryOut(place.planned, server, keeping: log.keep)
    }
  }

  package func transaction(_ server: CouchDBServer, _ body: (DocumentPlace) throws -> Bool) throws {
    _ = try transaction(server, about: [], body)
  }

  package func reading<Result: Sendable>(_ body: (DocumentPlace) throws -> Result) throws -> Result {
    try body(DocumentPlace(store, []))
  }

  package func changes(of record: Intent.Record, in intent: Int64) throws -> DocumentAppends {
    guard let appends = try log.read(record, of: intent, or: nil, { try DocumentAppends($0) }) else {
      throw Refusal(nil, "its journal is not there")
    }
    return appends
  }

  package func prepare(_ changes: [DocumentAppends], at place: DocumentPlace) { place.prepare(changes) }

  /// nil where the server does not answer, or not for all of its leaves: it may the next time.
  package func state(of appends: DocumentAppends, at place: DocumentPlace) throws -> InterruptedWrite.State? {
    try answered {
      let documents = try place.documents(appends)
      guard let document = documents[JSONText(appends.document)] else { return .changedSince }
      let done = try appends.all.map { try store.server.has($0, of: appends, in: documents) }
      if done.contains(nil) {
        return documents.values.contains(where: { $0.unreadLeaf != nil }) ? nil : .notKnown
      }
      if done.allSatisfy({ $0 == true }) { return document.leafToWin(appends) == nil ? .complete : .half }
      return done.contains(true) ? .half : .untouched
    }
  }

  /// Goes on where it ended; a server that refuses the rest leaves it as it is.
  package func complete(
    _ appends: DocumentAppends, of record: String, at place: DocumentPlace
  ) throws -> Receipt? {
    try answered {
      let documents = try place.documents(appends)
      if documents[JSONText(appends.document)] == nil { return Receipt(record, .left) }
      let rest = try notingDone(appends, in: documents)
      switch try AppendRound.carryOut([rest], store.server, keeping: log.keep).values.first {
      case nil, .fine: return Receipt(record, .completed)
      case .partly(_, let why), .moved(let why), .refused(_, let why), .notKnown(let why),
        .notReached(let why):
        // Of what was begun some was there before.
        return Receipt(record, .left, detail: "a part of it is written; \(why)")
      }
    }
  }

  /// What is not made yet. Of what is found the id is kept: nobody got the answer that had it.
  private func notingDone(
    _ appends: DocumentAppends, in documents: [JSONText: ServerDocument]
  ) throws -> DocumentAppends {
    let accepted = try log.acceptedIDs(of: appends.documents)
    var found = AcceptedIDs()
    let rest = try appends.keeping { append in
      let name = append.other ?? appends.document
      guard let document = documents[JSONText(name)],
        case .revision(let id) = try store.server.search(append, in: document)
      else { return true }
      // One that came with an answer may be another of the same content.
      let known = accepted[name, append.parent]
      if known.map(document.children(of: append.parent).contains) != true { found[name, append.parent] = id }
      return false
    }
    log.keep(found)
    return rest
  }

  /// nil where the server does not answer.
  private func answered<Answer>(_ body: () throws -> Answer?) throws -> Answer? {
    do {
      return try body()
    } catch is StoreError {
      return nil
    }
  }

  package func task(_ order: WriteOrder, note: String?) -> WriteTask<DocumentPlace> {
    if let write = order.seen { seen.conflicts[JSONText(order.id)] = write.seen }
    return WriteTask(order.label) { place in
      guard let document = try place.document(order.id), document.tree.isConflict else {
        throw Moved("it is no longer in conflict")
      }
      let write = try planned(order, on: document)
      let appends = try appends(write, on: document, at: place).withBytes(store.server, of: document)
      return place.planNoting(appends, order.id, order.title, store.objection(to: appends))
    }
  }

  private func planned(_ order: WriteOrder, on document: ServerDocument) throws -> PlannedWrite {
    guard let write = order.seen else {
      // With what its leaves descend from, which no write asks for.
      let now = try store.conflict(order.id)
      return PlannedWrite(seen: now, draft: try order.draft(of: now))
    }
    if let words = document.moved(since: write.seen) { throw Moved(words) }
    if let reason = write.seen.details.notWritable { throw Refusal(nil, reason) }
    try order.checkDecided()
    return write
  }

  private func appends(
    _ write: PlannedWrite, on document: ServerDocument, at place: DocumentPlace
  ) throws -> DocumentAppends {
    if write.draft.action == .alternative(KeptApart.id), let apart = KeptApart(write.seen) {
      if let why = store.info.notBoth { throw Refusal(nil, why) }
      return try DocumentAppends(
        keeping: apart, of: document, beside: place.server.documents(named: apart.copies, of: document),
        signedBy: store.signature)
    }
    return try DocumentAppends(
      write.draft, on: place.server.withAncestor(document, for: write.draft), signedBy: store.signature)
  }

  package func task(undoing record: Intent.Record, of intent: Int64) -> WriteTask<DocumentPlace> {
    WriteTask(record.label) { place in
      var write = try changes(of: record, in: intent)
      write.acceptedIDs = try log.acceptedIDs(of: write.documents)
      guard let told = try place.document(write.document) else {
        throw Moved("the document is not there any more")
      }
      let document = try place.server.comparing(place.server.lookingBehind(told, for: write), with: write)
      let others = try place.server.leafDocumentsByName(write.others.compactMap(\.other))
        .mapValues { try place.server.comparing($0, with: write.others) }
      return place.plan(
        try DocumentAppends(undoing: write, on: document, others).withBytes(store.server, of: document),
        record.id, record.title)
    }
  }
}

extension ServerDocument {
  /// What has changed since a person saw it; nil if nothing has. A revision never changes, so its leaves tell.
  fileprivate func moved(since seen: RecordConflict) -> String? {
    if leaves != Set(seen.details.leaves.map(\.id)) {
      return "its leaves are others now"
    }
    return live.contains { $0.failure != nil } ? "one of its leaves cannot be read now" : nil
  }
}

/// What a person had before them of the documents of one write.
private final class SeenConflicts {
  var conflicts: [JSONText: RecordConflict] = [:]
}

/// Where documents are looked at and what is to be appended to them is gathered.
package final class DocumentPlace {
  private let store: CouchDBStore
  private var known: [JSONText: ServerDocument]
  private(set) var planned: [DocumentAppends] = []
  var server: CouchDBServer { store.server }

  init(_ store: CouchDBStore, _ documents: [ServerDocument]) {
    self.store = store
    known = Dictionary(documents.map { (JSONText($0.id), $0) }) { first, _ in first }
  }

  /// nil if it is not there.
  func document(_ id: String) throws -> ServerDocument? {
    try known[JSONText(id)] ?? server.leafDocuments([id]).first
  }

  /// What was asked for many at once. A server that did not answer then is not asked for each of them.
  private var prepared: (names: Set<JSONText>, answer: Result<[JSONText: ServerDocument], any Error>)?

  func prepare(_ all: [DocumentAppends]) {
    let names = Set(all.flatMap(\.documents).map { JSONText($0) })
    prepared = (names, Result { try server.leafDocumentsByName(names.map(\.text)) })
  }

  /// All that an intent is about; without those that are not there.
  func documents(_ appends: DocumentAppends) throws -> [JSONText: ServerDocument] {
    let names = Set(appends.documents.map { JSONText($0) })
    guard let prepared, names.isSubset(of: prepared.names) else {
      return try server.leafDocumentsByName(appends.documents)
    }
    return try prepared.answer.get().filter { names.contains($0.key) }
  }

  /// With what its undo will not have.
  ///
  /// - Parameter objection: what the server will likely say to it.
  func planNoting(
    _ appends: DocumentAppends, _ id: String, _ title: String, _ objection: String? = nil
  ) -> RecordIntent {
    var intent = plan(appends, id, title)
    let notes = [objection, appends.note].compactMap(\.self)
    intent.note = notes.isEmpty ? nil : notes.joined(separator: "; ")
    return intent
  }

  /// - Parameter id: the name of the task.
  func plan(_ appends: DocumentAppends, _ id: String, _ title: String) -> RecordIntent {
    var appends = appends
    (appends.record, appends.leaves) = (id, known[JSONText(appends.document)]?.leaves)
    planned.append(appends)
    return RecordIntent(id: id, title: title, payload: appends.payload())
  }
}

extension PayloadReading {
  static let ofAppends = PayloadReading { kept in
    let appends = try DocumentAppends(kept)
    return WrittenChanges(fields: fields(of: appends), newRecords: appends.newDocuments)
  }

  /// The fields of the winner, before and after: what it has attached behind those of its body, as in a review.
  private static func fields(of appends: DocumentAppends) -> [LastWrite.FieldChange] {
    let id = appends.winning ?? appends.before.first?.id
    let leaf = isWithoutLife(appends) ? nil : appends.before.first { $0.id == id }
    let append = appends.own.first { $0.parent == id && !$0.isDeleted }
    let attached = (leaf?.attachments ?? [:]).mapValues { ServerRevision.value($0) }
    let isAttached = (append?.attachments ?? [:]).mapValues { ServerRevision.value($0.told) }
    let fields =
      changed(from: leaf?.members ?? [:], to: append?.members ?? [:]) { Value($0) }
      + changed(from: attached, to: isAttached, prefix: Field.attachmentPrefix) { $0 }
    return fields.map { $0.telling(wasThere: leaf != nil, isThere: append != nil) }
  }

  /// Whether it goes on from deletions alone, as an undo may: they have no fields, but who signed them.
  private static func isWithoutLife(_ appends: DocumentAppends) -> Bool {
    appends.own.contains(where: \.isFirstLife)
  }

  /// - Parameter prefix: what a field's name begins with.
  private static func changed<Content: Equatable>(
    from before: [JSONText: Content], to after: [JSONText: Content], prefix: String = "",
    _ value: (Content) -> Value
  ) -> [LastWrite.FieldChange] {
    let names = Set(before.keys).union(after.keys).sorted().filter { before[$0] != after[$0] }
    return names.map { name in
      LastWrite.FieldChange(
        name: prefix + name.text, before: before[name].map(value), after: after[name].map(value))
    }
  }
}
