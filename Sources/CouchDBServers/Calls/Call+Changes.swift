import ExactJSON
import Foundation

/// The feed of changes: normal, until there is one (`longpoll`), or for ever (`continuous`).
extension Call {
  func changes(_ database: Database) throws -> SentAnswer {
    let feed = try Feed(self, database)
    if query["feed"] != "continuous", query["feed"] != "longpoll" {
      guard ["normal", nil].contains(query["feed"]) else { throw ServerRefusal.notMine }
      let tag = (name: "ETag", value: "\"\(database.sequences.text(database.changes.count))\"")
      if request["if-none-match"] == tag.value { return SentAnswer(304, [tag], .bytes([])) }
      return SentAnswer(200, [SentAnswer.json, tag], .stream { try feed.normal($0) })
    }
    let isContinuous = query["feed"] == "continuous"
    return SentAnswer(
      200, [SentAnswer.json], .stream { isContinuous ? try feed.continuous($0) : try feed.longpoll($0) })
  }
}

/// Sends rows of changes. It outlives the call, so it takes the server's lock by itself, for a batch at a time.
private struct Feed: Sendable {
  private let core: Core
  private let database: String
  private let startTime: String
  private let sequences: Sequences
  private let since: Int
  private let limit: Int
  private let interval: Int
  private let allLeaves: Bool
  private let isDescending: Bool
  private let isDesignOnly: Bool
  private let includesDocuments: Bool
  private let options: [String: String]
  /// Seconds between two signs of life, if there are any.
  private let heartbeat: TimeInterval?
  private let timeout: TimeInterval

  typealias Send = (String) throws -> Void

  init(_ call: Call, _ database: Database) throws {
    core = call.core
    (self.database, startTime, sequences) = (database.name, database.startTime, database.sequences)
    options = call.query
    since = try Feed.start(options["since"] ?? "0", database)
    limit = try call.number("limit") ?? .max
    interval = try call.number("seq_interval") ?? 1
    allLeaves = options["style"] == "all_docs"
    isDescending = call.flag("descending")
    isDesignOnly = options["filter"] == "_design"
    if options["filter"] != nil, !isDesignOnly { throw ServerRefusal.notMine }
    includesDocuments = call.flag("include_docs")
    heartbeat = try Feed.heartbeat(options["heartbeat"])
    timeout = TimeInterval(try call.number("timeout") ?? 60_000) / 1000
  }

  private static func start(_ text: String, _ database: Database) throws -> Int {
    if text == "now" { return database.changes.count }
    guard let number = database.sequences.number(text) else {
      throw ServerRefusal.badRequest("Malformed sequence supplied in 'since' parameter.")
    }
    return number
  }

  private static func heartbeat(_ text: String?) throws -> TimeInterval? {
    guard let text, text != "false" else { return nil }
    if text == "true" { return 60 }
    guard let milliseconds = Int(text), milliseconds > 0 else {
      throw ServerRefusal.badRequest("The heartbeat value should be a positive integer (in milliseconds).")
    }
    return TimeInterval(milliseconds) / 1000
  }
}

/// The three kinds.
extension Feed {
  func normal(_ send: Send) throws {
    try send("{\"results\":[\n")
    if isDescending { return try descending(send) }
    let last = try rows(send)
    try send(end(last, pending: pending(after: last)))
  }

  func longpoll(_ send: Send) throws {
    try send("{\"results\":[\n")
    if !hasChanged(since: since), limit > 0 { _ = try waitForChange(after: since, send) }
    let last = try rows(send)
    try send(end(last, pending: pending(after: last)))
  }

  func continuous(_ send: Send) throws {
    var (last, count) = (since, 0)
    while count < limit {
      let batch = batch(after: last, limit: min(1000, limit - count))
      for row in batch.rows { try send(row.text + "\n") }
      count += batch.rows.count
      last = batch.last
      if batch.isOver || batch.rows.isEmpty, try batch.isOver || !waitForChange(after: last, send) { break }
    }
    let pending = JSON(pending(after: last))
    let line: JSON = .object([("last_seq", .string(sequences.text(last))), ("pending", pending)])
    try send(String(decoding: line.bytes(), as: UTF8.self) + "\n")
  }

  /// - Returns: false if nothing came in time, or the database is gone.
  private func waitForChange(after last: Int, _ send: Send) throws -> Bool {
    while true {
      let date = Date(timeIntervalSinceNow: heartbeat ?? timeout)
      let isInTime = core.wait(until: date) { $0.isStopped || gone($0) || changeCount($0) > last }
      if isInTime { return core.locked { !$0.isStopped && !gone($0) } }
      if heartbeat == nil { return false }
      try send("\n")
    }
  }

  private func rows(_ send: Send) throws -> Int {
    var (last, count) = (since, 0)
    while count < limit {
      let batch = batch(after: last, limit: min(1000, limit - count), from: count)
      if !batch.rows.isEmpty {
        try send((count > 0 ? ",\r\n" : "") + batch.rows.map(\.text).joined(separator: ",\r\n"))
      }
      count += batch.rows.count
      last = batch.last
      if batch.rows.isEmpty { break }
    }
    return last
  }

  /// All at once: nobody reads a large database backwards.
  private func descending(_ send: Send) throws {
    let (rows, rest) = core.locked { state in
      let all = (state.databases[database]?.changes(after: 0) ?? []).reversed()
      let rows = all.prefix(limit).enumerated().map { (text: text($1, at: $0), sequence: $1.sequence) }
      return (rows, all.count - rows.count)
    }
    try send(rows.map(\.text).joined(separator: ",\r\n") + end(rows.last?.sequence ?? since, pending: rest))
  }

  private func end(_ last: Int, pending: Int) -> String {
    "\n],\n\"last_seq\":\"\(sequences.text(last))\",\"pending\":\(pending)}\n"
  }
}

/// What the database holds; each takes the lock once.
extension Feed {
  private struct Batch {
    var rows: [(text: String, sequence: Int)] = []
    var last: Int
    /// Whether the database is gone, or the server stops.
    var isOver = false
  }

  private func gone(_ state: Core.State) -> Bool { state.databases[database]?.startTime != startTime }

  private func changeCount(_ state: Core.State) -> Int { state.databases[database]?.changes.count ?? 0 }

  private func hasChanged(since last: Int) -> Bool { core.locked { changeCount($0) > last } }

  private func pending(after last: Int) -> Int {
    core.locked { gone($0) ? 0 : $0.databases[database]?.changes(after: last).count ?? 0 }
  }

  private func batch(after last: Int, limit: Int, from place: Int = 0) -> Batch {
    core.locked { state in
      guard !gone(state), !state.isStopped, let database = state.databases[database] else {
        return Batch(last: last, isOver: true)
      }
      let found = database.changes(after: last, limit: isDesignOnly ? .max : limit)
      let shown = isDesignOnly ? found.filter { $0.id.hasPrefix("_design/") } : found
      let rows = shown.enumerated().map { (text: text($1, at: place + $0), sequence: $1.sequence) }
      return Batch(
        rows: rows, last: found.count < limit ? database.changes.count : found.last?.sequence ?? last)
    }
  }

  private func text(_ document: Document, at place: Int) -> String {
    let leaves = allLeaves ? document.leaves : document.winner.map { [$0] } ?? []
    let changes = leaves.map { JSON.object([("rev", .string(document.revisions[$0].id))]) }
    let sequence = place.isMultiple(of: interval) ? JSON.string(sequences.text(document.sequence)) : .null
    var members: [(name: String, value: JSON)] = [
      ("seq", sequence), ("id", .string(document.id)), ("changes", .array(changes)),
    ]
    if document.isDeleted { members.append(("deleted", .bool(true))) }
    if includesDocuments, let winner = document.winner {
      members.append(("doc", document.json(of: winner, DocumentOptions(options)) ?? .null))
    }
    return String(decoding: JSON.object(members).bytes(), as: UTF8.self)
  }
}
