import GRDB
import StoreInterface

/// Refusals of SQLite.
extension Refusal {
  /// What SQLite says of one row, with the field's name where it tells. nil for what is not about the row at all, and ends
  /// the whole write: a full disk, a damaged file.
  package init?(_ error: any Error, table: TableShape) {
    if let refusal = error as? Refusal {
      self = refusal
      return
    }
    guard let error = error as? DatabaseError, let message = error.message else { return nil }
    switch error.resultCode {
    case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG:
      self.init(Refusal.field(of: error.extendedResultCode, in: message, table), message)
    case .SQLITE_ERROR: self = Refusal.ofStatement(message, table)
    case .SQLITE_INTERRUPT:
      self.init(
        nil, "what the table \(table.name) computes, in a trigger or a column, takes too long or has no end")
    default: return nil
    }
  }

  /// A statement that cannot be made, or not be run, for what the table does with the row. To another table's rows it may be none.
  private static func ofStatement(_ message: String, _ table: TableShape) -> Refusal {
    if isOfTheApp(message) {
      return Refusal(
        nil,
        "\(message): it is the app's own, so this record can only be written by the app, through its outbox",
        isForTheApp: true)
    }
    let blamed = table.foreignKeys.filter { $0.isBlamed(in: message, table) }
    if let key = blamed.first {
      let refusal = Refusal(leadingNowhere: key, message)
      // Of several to one table SQLite does not say which.
      return blamed.count == 1 ? refusal : Refusal(nil, refusal.reason)
    }
    let words =
      "what the table \(table.name) does with it, in a trigger, a column or a foreign key, fails: \(message)"
    return Refusal(nil, words)
  }

  /// Where SQLite makes no statement that would have to follow the key: there is no such table or column, or no index by which
  /// what it points to is the only one.
  package init(leadingNowhere key: TableShape.ForeignKey, _ message: String) {
    self.init(key.columns.first, "its foreign key to \(key.table) leads nowhere: \(message)")
  }

  /// The field, where it is SQLite that names it. What a trigger says is the app's own text, in which any word may be a column's
  /// name.
  private static func field(of code: ResultCode, in message: String, _ table: TableShape) -> String? {
    switch code {
    case .SQLITE_CONSTRAINT_NOTNULL, .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY,
      .SQLITE_CONSTRAINT_ROWID, .SQLITE_CONSTRAINT_DATATYPE:
      field(endingIn: message, table)
    case .SQLITE_CONSTRAINT_CHECK: field(ofCheck: message.drop { $0 != ":" }.dropFirst(2), table)
    default: nil
    }
  }

  /// `NOT NULL constraint failed: reminders.title`, `cannot store TEXT value in INTEGER column reminders.priority`: of several the
  /// last.
  private static func field(endingIn message: String, _ table: TableShape) -> String? {
    let named = table.columns.map(\.name).filter { message.hasSuffix(" \(table.name).\($0)") }
    return named.max { $0.utf8.count < $1.utf8.count }
  }

  /// `length("title") > 0`: the only column that the expression names. A constraint that has a name is told by that alone, which
  /// says nothing of columns.
  private static func field(ofCheck check: Substring, _ table: TableShape) -> String? {
    // SQLite tells `"title" <> ''` so: what begins with a quotation mark it takes for a name.
    if let column = table[String(check)] { return column.name }
    guard check.contains(where: { "<>=(".contains($0) }) else { return nil }
    let words = Set(names(in: check))
    let named = table.columns.map(\.name).filter { words.contains($0.lowercased()) }
    return named.count == 1 ? named.first : nil
  }

  /// Of what stands between the texts.
  private static func names(in expression: Substring) -> [String] {
    let parts = expression.split(separator: "'", omittingEmptySubsequences: false)
    let outside = zip(0..., parts).filter { $0.0.isMultiple(of: 2) }.map(\.1)
    return outside.flatMap { part in part.split { !($0.isLetter || $0.isNumber || $0 == "_") } }
      .map { $0.lowercased() }
  }

  /// What an app gives its own connection. FTS5 has another word for a tokenizer than FTS3 and FTS4.
  private static let ofTheApp = [
    "no such function", "unknown function", "no such collation sequence", "no such module",
    "no such tokenizer", "unknown tokenizer",
  ]

  private static func isOfTheApp(_ message: String) -> Bool {
    ofTheApp.contains { message.hasPrefix($0) }
  }
}

extension TableShape.ForeignKey {
  fileprivate func isBlamed(in message: String, _ child: TableShape) -> Bool {
    message == "no such table: \(child.schema).\(table)"
      || message == "foreign key mismatch - \(quoted(child.name)) referencing \(quoted(table))"
  }
}

extension StoreError {
  /// What SQLite says of a file while it is opened or read, as the error a user can act on.
  ///
  /// - Parameter may: what the system lets this user do.
  package static func reading(
    _ path: String, _ error: any Error, holder: LockProbe.Holder? = nil,
    may: (String, ForbiddenFile.Use) -> Bool = ForbiddenFile.may
  ) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    let detail = error.message ?? "SQLite error \(error.resultCode.rawValue)"
    return switch error.resultCode {
    case .SQLITE_NOTADB: StoreError.notADatabase(path: path, detail: detail)
    case .SQLITE_CORRUPT: StoreError.damaged(path: path, detail: detail)
    case .SQLITE_BUSY, .SQLITE_LOCKED: StoreError.locked(path: path, holder: holder?.description)
    case .SQLITE_CANTOPEN: StoreError.unopened(path, detail, may: may)
    default: StoreError.cannotRead(path: path, detail: detail)
    }
  }

  /// The same while it is written.
  ///
  /// - Parameter app: whether the app runs, which writes now and then: what is busy is free a moment later.
  package static func writing(
    _ path: String, _ error: any Error, beside app: Bool = false, holder: LockProbe.Holder? = nil
  ) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    let detail = error.message ?? "SQLite error \(error.resultCode.rawValue)"
    return switch error.resultCode {
    case .SQLITE_BUSY where app:
      StoreError.writeFailed(path: path, detail: "\(holder?.description ?? "the app") writes to it just now")
    case .SQLITE_BUSY, .SQLITE_LOCKED: StoreError.locked(path: path, holder: holder?.description)
    case .SQLITE_READONLY: StoreError.readOnly(path: path, reason: detail)
    // As whoever only reads is told: to write again would not help.
    case .SQLITE_NOTADB: StoreError.notADatabase(path: path, detail: detail)
    case .SQLITE_CORRUPT: StoreError.damaged(path: path, detail: detail)
    default: StoreError.writeFailed(path: path, detail: detail)
    }
  }
}

extension FileStatus {
  private static let magic = Array("SQLite format 3".utf8) + [0]

  /// Reports and decisions are near at hand where somebody names a store.
  private static func otherKind(_ header: [UInt8]) -> String {
    header.starts(with: Array("{\"".utf8))
      ? "it looks like JSON lines, as --json prints them, and decisions in such a file go in with parley apply STORE FILE"
      : "it does not begin like one; it may be encrypted, or another kind of file"
  }

  /// Refuses what is no SQLite database before SQLite sees it, with the reason that fits.
  package static func checkDatabase(_ path: String) throws(StoreError) -> LockProbe {
    guard let status = FileStatus(path: path) else { throw .missing(path) }
    guard status.isRegular else { throw .notADatabase(path: path, detail: "it is \(status.kind)") }
    guard isReadable(path), let probe = LockProbe(path: path) else {
      throw .cannotRead(path: path, detail: "this user may not read it", isForbidden: true)
    }
    if status.size == 0 { throw .notADatabase(path: path, detail: "it is empty") }
    let header = probe.header(count: 16)
    guard header == magic else { throw .notADatabase(path: path, detail: otherKind(header)) }
    try checkCompanions(of: path)
    return probe
  }

  /// Whether it is one, or nobody can tell, as it cannot be read. An empty file is none: SQLite takes it for a database without tables, and
  /// no store is without.
  package static func mayBeDatabase(_ path: String) -> Bool {
    do throws(StoreError) {
      _ = try checkDatabase(path)
      return true
    } catch {
      if case .notADatabase = error { return false }
      return true
    }
  }

  /// Whether a file that is no database looks like one that is encrypted: it is made of whole pages, and the first is no text. Pages have
  /// 512 bytes at least, and of the bytes that a cipher leaves one in six is such as UTF-8 has in no text.
  package static func looksEncrypted(_ path: String) -> Bool {
    guard let size = FileStatus(path: path)?.size, size % Int64(smallestPage) == 0 else { return false }
    return beginsUnlikeText(path)
  }

  private static let smallestPage = 512

  /// Whether the beginning of a file is no text, whatever its size; an empty one has none.
  package static func beginsUnlikeText(_ path: String) -> Bool {
    guard let bytes = try? RegularFile(path).bytes(at: 0, smallestPage) else { return false }
    return bytes.contains { byte in
      byte < 0x09 || (0x0E..<0x20).contains(byte) || [0x7F, 0xC0, 0xC1].contains(byte) || byte > 0xF4
    }
  }

  /// SQLite opens what has the name of a journal, whatever it is, and waits at a pipe for ever.
  private static func checkCompanions(of path: String) throws(StoreError) {
    for companion in ["-journal", "-wal", "-shm"].map({ path + $0 }) {
      if let status = FileStatus(path: companion), !status.isRegular {
        throw .notAFile(path: companion, kind: status.kind)
      }
    }
  }
}
