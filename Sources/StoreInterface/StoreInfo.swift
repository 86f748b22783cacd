/// What a store is, what it can do, and how it names things: facts, so that nobody above asks which store it is.
package struct StoreInfo: Sendable, Equatable {
  /// The file's name, for a header.
  package var name: String
  package var path: String
  /// "SQLiteData".
  package var kind: String
  /// What is to be known of it besides, for a header; nil of a store that its name tells.
  package var banner: String?
  /// How drafts are written, in a sentence for the review screen.
  package var writing: String
  /// How findings are mended, beside what each says itself.
  package var mending: String
  /// What was never checked against the real thing, for the review screen.
  package var notVerified: String?
  /// What there may have been and is in no file, for a list without a conflict; nil where nothing is lost unseen.
  package var unseen: String?
  /// Why no record's two versions are kept as two records; nil where they can be, or nobody asks.
  package var notBoth: String?
  /// Why what is written here cannot be taken back; nil where it can be, as nearly everywhere.
  package var notUndone: String?
  /// Whether each record is asked of a server, so that what was read is kept for the write rather than asked for once more.
  package var isAskedOnce = false
  /// What of all that a store may be able to do this one can.
  package var can: Set<Ability>
  package var words: Words

  package init(
    name: String, path: String, kind: String, banner: String? = nil, writing: String, mending: String = "",
    notVerified: String? = nil, can: Set<Ability> = [], words: Words = Words()
  ) {
    (self.name, self.path, self.kind, self.writing, self.mending) = (name, path, kind, writing, mending)
    self.banner = banner
    (self.notVerified, self.can, self.words) = (notVerified, can, words)
  }
}

extension StoreInfo {
  /// Whether the records of a table all have the same fields: a document, or what is said of a file, may have any.
  package var hasFixedFields: Bool { can.isDisjoint(with: [.tellTrees, .tellRounds]) }

  /// A record's name in its parts. That of a row is `KEY:TABLE`; any other is all key, and whatever colons it has are its own.
  ///
  /// - Returns: no table where the name has none.
  package func parts(ofRecord name: String) -> (key: String, table: String?) {
    guard hasFixedFields, let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")) else { return (name, nil) }
    return (String(name[..<colon]), String(name[name.utf8.index(after: colon)...]))
  }

  /// What not every store can do. A method that belongs to one of these is called of a store that has it only.
  package enum Ability: Sendable, CaseIterable {
    /// ``ConflictStore/importRecords(from:isRehearsal:progress:)``
    case importRecords
    /// ``ConflictStore/capture(isPrintable:)``
    case capture
    /// ``ConflictStore/statements(_:)``
    case tellStatements
    /// ``ConflictStore/uploadQueue(limit:)``
    case tellUploads
    /// ``ConflictStore/tree(_:)``: a record's history is a tree of revisions, whose leaves have no times. A write ends all
    /// of them but one.
    case tellTrees
    /// ``ConflictStore/content(of:_:in:)``: what an attachment's value only names.
    case tellContent
    /// A record lives as the walkthrough tells it, and what its engine would do with it today can be foretold.
    case foretell
    /// A record is a file that syncs whole, in rounds under one lock: each conflict says where it stands in one
    /// (``RecordConflict/Details/file``), and the walkthrough plays what happens next.
    case tellRounds
    /// A draft is left to the app, or to whoever may send it, and waits until that is done.
    case leaveToApp
    /// ``ConflictStore/family(of:)``: fields of a record can point to another one (``Field/referencedTable``).
    case tellFamilies
  }

  /// How a store names things. As it is, of tables.
  package struct Words: Sendable, Equatable {
    package var record: String
    package var table: String
    package var field: String
    /// What a check looks at beside whether anything moved; nil if nothing.
    package var rules: String?
    /// What one finding is called, and several are.
    package var finding: String
    package var findings: String
    /// Over the last column of the list.
    package var lastColumn: String
    /// What is settled, and how, by a draft that changes nothing; and what a receipt says of that.
    package var settled: String
    package var nothingElse: String
    /// What taking a write back does that touched no field.
    package var nothingBack: String
    /// Where what is written waits, in a store that can ``Ability/leaveToApp``; and what was done with it.
    package var waits: String
    package var left: String

    package init(
      record: String = "row", table: String = "table", field: String = "column",
      rules: String? = "types, NOT NULL, CHECK, foreign keys", finding: String = "stuck",
      findings: String = "stuck", lastColumn: String = "Last edit",
      settled: String = "row; it is settled with the server", nothingElse: String = "no field changes",
      nothingBack: String = "no field changes back",
      waits: String = "for the app", left: String = "Left to the app"
    ) {
      (self.record, self.table, self.field, self.rules) = (record, table, field, rules)
      (self.finding, self.findings) = (finding, findings)
      (self.lastColumn, self.settled, self.nothingElse) = (lastColumn, settled, nothingElse)
      (self.nothingBack, self.waits, self.left) = (nothingBack, waits, left)
    }
  }
}
