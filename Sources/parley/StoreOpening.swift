import CloudantStores
import CouchDBStores
import Merging
import RevisionTrees
import SMSyncStores
import SQLiteDataStores
import StoreInterface
import Telling

/// Opens the stores that commands ask for, and tells on standard error what is to be known of each before anything else is said.
struct StoreOpening {
  private typealias Opened = (store: any ConflictStore, warnings: [String])

  let errors: LineWriter
  let log: LogBook
  let redaction: Redaction
  let environment: [String: String]
  let isWatched: Bool
  /// In microseconds, between the looks at a write that seems interrupted and may only be under way.
  let pause: UInt32
  private let told = ToldLines()

  func open(_ request: StoreRequest) throws -> any ConflictStore {
    let configuration = try Configuration.load(environment: environment)
    let logFile = request.log ?? configuration.log.map { expandingHome($0, environment) }
    try logFile.map(log.begin)
    try tell(ServerOpening.warnings(of: request).map { [$0] })
    let names = configuration.names(ofStore: request.path)
    let rules = configuration.rules(for: names, tie: request.tie)
    let (opened, warnings) = try log.timed("open") { try openUnlogged(request, configuration, rules) }
    let store = logFile == nil ? opened : LoggedStore(opened, log, redaction.privacy)
    try prepare(store.journal)
    let interrupted = try interrupted(in: store, request)
    let others =
      configuration.warnings(for: names) + warnings + notices(of: store, isLogged: logFile != nil)
    // Of several stores the same may be interrupted: the last line tells which it is.
    try tell(others.map { [$0] } + [interrupted])
    return store
  }

  /// Each of these texts once, in its lines.
  private func tell(_ texts: [[String]]) throws {
    for lines in texts where told.isNew(lines) {
      for line in lines { try errors.print("parley: " + line) }
    }
    try errors.flush()
  }

  private func interrupted(in store: any ConflictStore, _ request: StoreRequest) throws -> [String] {
    switch request.use {
    case .screen: []
    case .lines: LinearDesk.lines(try store.interruptedWritesAtStart(pause: pause))
    case .command:
      InterruptedText.lines(try store.interruptedWritesAtStart(pause: pause), store: request.quoted)
    }
  }

  private func notices(of store: any ConflictStore, isLogged: Bool) -> [String] {
    store.journal.notices.map(\.words) + [isLogged ? redaction.trouble : nil].compactMap(\.self)
  }

  /// Here, where every command comes by, and there is no screen yet: whoever waits can end it.
  ///
  /// - Throws: what would make everything else wait; the rest is told by what needs the journal.
  private func prepare(_ journal: any DecisionJournal) throws {
    // Not checked, because what is told on the way is told by this thread.
    nonisolated(unsafe) let line = ProgressLine(errors, isShown: isWatched)
    let call = StoreCall(hear: { progress in
      let percent = progress.done * 100 / max(1, progress.all)
      try? line.show("Bringing the journal up, once: \(percent) %. Ctrl-C leaves it as it was.")
    })
    let result = Result { try call.answered { try journal.prepare() } }
    try line.end()
    if case .failure(StoreError.locked(let path, let holder)) = result {
      throw StoreError.locked(path: path, holder: holder)
    }
  }
}

/// Which store it is, is seen by what is there.
extension StoreOpening {
  private func openUnlogged(
    _ request: StoreRequest, _ configuration: Configuration, _ rules: MergeRules
  ) throws -> Opened {
    guard ServerAddress.isMeant(by: request.path) else { return try Self.file(request, rules) }
    let store = try ServerOpening.open(
      request, rules, signsTombstones: configuration.tombstones == .signed, environment: environment)
    return (store, Self.warningsOfDocuments(store.ruleBook.rules))
  }

  private static func file(_ request: StoreRequest, _ rules: MergeRules) throws -> Opened {
    try FolderStores.checkAreOfOneKind(request.path)
    // First, as it has names enough: to see that it is none of the others its tables would be read.
    let isKnown = SQLiteDataStore.recognises(request.path) && !CloudantStore.isSurely(request.path)
    if !isKnown, SMSyncStore.recognises(request.path) {
      let store = try ContainerOpening.open(request, rules)
      return (store, store.warnings + store.idleRules.map { entry, problem in problem.warning(of: entry) })
    }
    try checkIsDatabase(request)
    if !isKnown, CloudantStore.recognises(request.path) {
      return (try datastore(request, rules), warningsOfDocuments(rules))
    }
    return try database(request, rules)
  }

  /// What is said of rules that decide nothing about documents: of these nothing has to be asked.
  static func warningsOfDocuments(_ rules: MergeRules) -> [String] {
    rules.idleEntries(in: TreeDocument.tables).map { entry, problem in problem.warning(of: entry) }
  }

  /// A database, or a folder of them, of which nothing is asked that only other stores have.
  private static func checkIsDatabase(_ request: StoreRequest) throws {
    try request.checkIsThere()
    guard request.authorities == nil else { throw CommandError.authoritiesOfFile(path: request.path) }
    guard request.ancestors == nil else { throw CommandError.ancestorsOfFile(path: request.path) }
    guard request.index == nil else { throw CommandError.indexOfOther(path: request.path) }
  }

  private static func datastore(_ request: StoreRequest, _ rules: MergeRules) throws -> CloudantStore {
    guard request.metadatabase == nil else { throw CommandError.metadataOfDatastore(path: request.path) }
    guard request.route != .outbox else { throw CommandError.outboxOfDatastore(path: request.path) }
    return try CloudantStore.open(
      path: request.path, access: request.access == .reading ? .reading : .writing, finishing: false,
      rules: rules)
  }

  private static func database(_ request: StoreRequest, _ rules: MergeRules) throws -> Opened {
    let store = try SQLiteDataStore.open(
      path: request.path, metadatabase: request.metadatabase,
      access: request.access == .reading ? .reading : .writing, route: request.route,
      finishing: false, rules: rules)
    if request.route == .outbox, !store.hasOutbox { throw CommandError.noOutbox(path: request.path) }
    return (store, try store.idleRules().map { entry, problem in problem.warning(of: entry) })
  }
}

/// What was said of the stores that were opened: of a container and its copy it is the same.
private final class ToldLines {
  private var all: Set<[String]> = []

  func isNew(_ lines: [String]) -> Bool { all.insert(lines).inserted }
}
