import ArgumentParser
import Desk
import StoreInterface

/// Which of the records in conflict a command is about.
enum MeantRecords: Decodable {
  case all
  /// As a person names them, see ``ConflictStore/recordIDs(named:_:telling:)``.
  case named([String])
  /// By their own names, each once: those that were found, or belong together. None of them is not all.
  case these([String])

  var isAll: Bool {
    switch self {
    case .all: true
    case .named, .these: false
    }
  }
}

/// Which records a command is about, as it was typed: by their names, or by the words with which `list` finds them.
struct RecordOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The records; without any, and without --find, all.", valueName: "record"),
    completion: RecordCompletion.ofConflicts)
  var names: [String] = []
  @Option(
    help: ArgumentHelp(
      "In place of names: the records that list --find would list, see parley list --help.",
      valueName: "words"))
  var find: String?

  /// Whether anything says which.
  var areGiven: Bool { !names.isEmpty || find != nil }

  /// What leaves nothing out lists all, and must not decide or write all: who typed it in a script had words in mind.
  ///
  /// - Throws: `ValidationError`
  func check(_ store: StoreOptions) throws {
    guard let find else { return }
    if !names.isEmpty {
      throw ValidationError("--find goes without the names of records: it is in their place.")
    }
    let (words, query) = (FoundWords(words: find), ListQuery(find, now: 0))
    try words.check(in: store)
    if let begun = query.begun.first {
      throw ValidationError("--find: nothing stands behind \(begun), so it would leave nothing out.")
    }
    if query.isEmpty { throw ValidationError("--find needs words. All are meant without it.") }
  }

  /// Those that are meant as the store is now. That none is found is told.
  ///
  /// - Parameter interrupted: what becomes of the command where that is interrupted; nil leaves that to whoever listens around this.
  func meant(
    in store: any ConflictStore, of options: StoreOptions, interrupted: String? = Interruption.unchanged,
    _ surroundings: Surroundings
  ) throws -> MeantRecords {
    guard let find else { return names.isEmpty ? .all : .named(names) }
    let words = FoundWords(words: find)
    let found = try words.records(in: store, interrupted: interrupted, surroundings)
    if found.ids.isEmpty { try words.tellNothing(of: found.all, in: store.info, options, surroundings) }
    return .these(found.ids)
  }
}

/// What stands behind `--find`: words as the desk's `/` takes them.
struct FoundWords {
  let words: String

  /// What is none of the words there are finds nothing, and would be taken for a store without such conflicts.
  ///
  /// - Throws: `ValidationError`
  func check(in store: StoreOptions) throws {
    if asks(for: "is:stuck") {
      throw ValidationError("--find: what is stuck is no conflict. See it: parley doctor \(store.quoted)")
    }
    if let problem = ListQuery(words, now: 0).problem(of: ListQuery.statesOfConflicts) {
      throw ValidationError("--find: there is \(problem).")
    }
  }

  /// Why nothing may have been found.
  func wordsOfNothing(in store: StoreOptions) -> String? {
    asks(for: "is:waiting")
      ? "No draft waits. What else waits is no conflict. See it: parley doctor \(store.quoted)"
      : ListQuery(words, now: 0).unknownName.map { "\($0)." }
  }

  /// As far as it is written, so that it means nothing else.
  private func asks(for word: String) -> Bool {
    words.split(separator: " ").map { SearchText.folded(String($0)) }
      .contains { $0.count > "is:s".count && word.hasPrefix($0) }
  }

  /// All are found before the first is decided, which may make another what the words ask for.
  fileprivate func records(
    in store: any ConflictStore, interrupted: String?, _ surroundings: Surroundings
  ) throws -> (ids: [String], all: Int) {
    let query = ListQuery(words, now: surroundings.now())
    let most = { try store.estimatedCount() }
    return try surroundings.reading("Finding", atMost: most, interrupted: interrupted) { count in
      var (ids, all) = ([String](), 0)
      try store.forEachSummary { summary in
        try StoreCall.current.check(store.info.path)
        if try query.finds(summary, in: store) { ids.append(summary.id) }
        all += 1
        try count.add()
      }
      return (ids.unique, all)
    }
  }

  /// On standard error, as what is decided or written is told on the other.
  fileprivate func tellNothing(
    of all: Int, in store: StoreInfo, _ options: StoreOptions, _ surroundings: Surroundings
  ) throws {
    try surroundings.errors.print("parley: \(ListText.nothing(found: words, of: all))")
    if let why = wordsOfNothing(in: options) { try surroundings.errors.print("parley: \(why)") }
    try surroundings.errors.flush()
    if all == 0 { try surroundings.tellUnseen(in: store) }
  }
}

extension ListQuery {
  /// As the desk finds it: of a record with a long value all of it is searched.
  func finds(_ summary: ConflictSummary, in store: any ConflictStore) throws -> Bool {
    try finds(summary) { try store.conflicts([summary.id]).first }
  }
}
