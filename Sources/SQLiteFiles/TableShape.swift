import GRDB
import Merging
import StoreInterface
import Synchronization

/// A table as the database itself describes it: never assumed. A class, as it goes along with each record of the table.
package final class TableShape: Sendable, Equatable {
  package let name: String
  /// "main", or the name of an attached database.
  package let schema: String
  /// In the table's order, without the hidden columns of virtual tables.
  package let columns: [Column]
  package let foreignKeys: [ForeignKey]
  package let isWithoutRowid: Bool

  // What every row that is read and written asks for.
  package let sqlName: String
  /// The same for all names by which SQLite knows the table: it leaves out the case of ASCII letters, and of no others.
  let foldedName: String
  package let stored: [Column]
  package let key: [Column]
  /// The name by which the rowid can be asked for: a column may have the usual one. nil if there is no rowid, or no name left.
  package let rowid: String?
  /// A name that two columns have for Swift, and not for SQLite, which compares bytes: "é" as one character, and as two.
  package let ambiguousColumn: String?
  /// Of the columns, by the bytes of their names.
  package let places: NamePlaces
  /// The columns as the desk shows them.
  package let fields: [Field]
  /// Their names, which all versions of its records share; none where two of them are one name for Swift.
  package let fieldNames: FieldNames
  /// Where a row's title may be, in this order.
  package let titles: [String]
  private let columnList: String
  private let storedList: String
  /// All columns of the row with a key of one column.
  private let selectionByKey: String
  /// The names of the key in order, and what names a row by them.
  private let keyNames: [String]
  private let keyCondition: String
  /// The columns to which texts of other bytes may be equal.
  private let loose: Set<String>
  private let looseKeyNames: [String]
  private let lastUpdate = Mutex(Update())

  package init(
    name: String, schema: String, columns: [Column], foreignKeys: [ForeignKey], isWithoutRowid: Bool = false
  ) {
    (self.name, self.schema, self.columns, self.foreignKeys) = (name, schema, columns, foreignKeys)
    self.isWithoutRowid = isWithoutRowid
    sqlName = quoted(schema) + "." + quoted(name)
    foldedName = String(
      decoding: sqlName.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    stored = columns.filter { !$0.isGenerated }
    key = columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
    rowid = isWithoutRowid ? nil : TableShape.freeRowid(columns)
    ambiguousColumn = TableShape.ambiguous(columns.map(\.name))
    (columnList, storedList) = (TableShape.list(columns), TableShape.list(stored))
    loose = Set(columns.filter { !$0.comparesBytes }.map(\.name))
    keyNames = key.map(\.name).sorted()
    looseKeyNames = keyNames.filter(loose.contains)
    keyCondition = TableShape.condition(keyNames, looseKeyNames)
    let byKey = TableShape.condition([key.first?.name ?? ""], Array(looseKeyNames.prefix(1)))
    selectionByKey = "SELECT \(columnList) FROM \(sqlName) WHERE \(byKey)"
    places = NamePlaces(columns.map(\.name))
    fields = columns.map { Field($0, foreignKeys) }
    fieldNames = ambiguousColumn == nil ? FieldNames(columns.map(\.name)) : FieldNames()
    titles = TableShape.titles(columns, foreignKeys)
  }

  /// All else follows from these.
  package static func == (left: TableShape, right: TableShape) -> Bool {
    left === right
      || (left.name == right.name && left.schema == right.schema && left.columns == right.columns
        && left.foreignKeys == right.foreignKeys && left.isWithoutRowid == right.isWithoutRowid)
  }

  package struct Column: Sendable, Equatable {
    package let name: String
    package let declaredType: String
    package let affinity: Affinity
    package let isRequired: Bool
    /// 0 for a column that is no part of the primary key, else its place there.
    package let keyPosition: Int
    package let isGenerated: Bool
    /// Whether texts are equal in it only if their bytes are; not with COLLATE NOCASE, RTRIM, or one of the app's own.
    package var comparesBytes = true
    /// Whether it is computed as it is read, by what only the app has: no statement can be made here that reads it.
    package var isForTheApp = false
    /// See ``Field/initial``.
    package var initial: Value?
  }

  package struct ForeignKey: Sendable, Equatable {
    package let table: String
    package let columns: [String]
    /// Empty if the declaration names none: then the parent's primary key.
    package let parentColumns: [String]
    /// What SQLite does to the row when the parent is deleted: "CASCADE", "SET NULL" …
    package var onDelete = "NO ACTION"

    package init(table: String, columns: [String], parentColumns: [String], onDelete: String = "NO ACTION") {
      self.table = table
      self.columns = columns
      self.parentColumns = parentColumns
      self.onDelete = onDelete
    }

    /// Names of tables are compared as SQLite does, in whatever case the declaration has them.
    package func points(to parent: TableShape) -> Bool { table.lowercased() == parent.name.lowercased() }
  }

  /// The one column of the primary key; nil if there are several, or none.
  package var singleKey: Column? { key.count == 1 ? key.first : nil }

  package static let usualRowid = "rowid"
  package static let rowidNames = [usualRowid, "_rowid_", "oid"]

  private static func freeRowid(_ columns: [Column]) -> String? {
    let taken = Set(columns.map { $0.name.lowercased() })
    return rowidNames.first { !taken.contains($0) }
  }

  /// Why tables of these names cannot be told apart; nil if all can. Everything here knows a table by its name, and GRDB a statement by
  /// its text: what is asked of the one table could be told of the other.
  package static func reasonTablesAreAlike(_ names: [String]) -> String? {
    ambiguous(names).map {
      "it has two tables called \($0), which differ in their Unicode form alone: nothing here can tell them apart"
    }
  }

  /// The first that is there twice for Swift, which no two are for SQLite.
  private static func ambiguous(_ names: [String]) -> String? {
    var known: Set<String> = []
    return names.first { !known.insert($0).inserted }
  }

  package subscript(column: String) -> Column? { columns.first { $0.name == column } }

  /// SQLiteData gives a record a parent only where its table has exactly one foreign key
  /// (Sources/SQLiteDataStores/FORMAT.md, "Parents").
  package var parent: ForeignKey? {
    guard foreignKeys.count == 1, let only = foreignKeys.first, only.columns.count == 1 else { return nil }
    return only
  }

  package func foreignKeys(of column: String) -> [ForeignKey] {
    foreignKeys.filter { $0.columns.contains(column) }
  }

  /// The columns that a foreign key to this table points to, as they are called here: SQLite takes names in any case. nil if one
  /// of them is not there.
  package func columns(pointedToBy foreignKey: ForeignKey) -> [Column]? {
    let names = foreignKey.parentColumns
    if names.isEmpty { return key }
    let found = names.compactMap { name in columns.first { $0.name.lowercased() == name.lowercased() } }
    return found.count == names.count ? found : nil
  }

  /// The same of a foreign key of one column.
  package func column(pointedToBy foreignKey: ForeignKey) -> Column? {
    columns(pointedToBy: foreignKey).flatMap { $0.count == 1 ? $0.first : nil }
  }
}

extension Field {
  fileprivate init(_ column: TableShape.Column, _ keys: [TableShape.ForeignKey]) {
    self.init(
      column.name, kind: column.affinity.kind, declaredType: column.declaredType,
      isPrimaryKey: column.keyPosition > 0, isGenerated: column.isGenerated, isRequired: column.isRequired,
      referencedTable: keys.first { $0.columns.contains(column.name) }?.table)
    initial = column.initial
  }
}

extension TableShape.Column {
  fileprivate func value(in row: SQLRow, at index: Int32) -> Value {
    if isForTheApp { return .opaque(kind: "a value that only the app can compute", bytes: []) }
    let value = isGenerated ? row.computed(index) : row.value(index)
    // SQLite reads DEFAULT true of a column of texts as 1 in a row that is older than the column. Whoever writes that makes it '1'.
    if affinity == .text, case .integer = value { return affinity.stored(value) }
    return value
  }
}

extension TableShape {
  /// The columns of `wanted`, of the row with these key values; nil if there is no such row.
  package func row(_ key: RowImage, columns wanted: [Column], in db: Database) throws -> RowImage? {
    try row(where: condition(key), columns: wanted, in: db)
  }

  /// All columns of the row that a foreign key with this value points to, as the column compares.
  package func row(pointedToBy value: Value, in column: String, _ db: Database) throws -> RowImage? {
    try row(where: (TableShape.condition([column], []), [value]), columns: columns, in: db)
  }

  private func row(
    where condition: (sql: String, values: [Value]), columns wanted: [Column], in db: Database
  ) throws -> RowImage? {
    let sql = "SELECT \(list(wanted)) FROM \(sqlName) WHERE \(condition.sql)"
    return try db.firstRow(sql, condition.values) { TableShape.image(of: wanted, $0) }
  }

  /// What `body` makes of all columns of the row whose single key has this value; nil if there is none.
  package func withRow<Result>(
    _ key: Value, in db: Database, _ body: (SQLRow) throws -> Result
  ) throws -> Result? {
    try db.firstRow(selectionByKey, looseKeyNames.isEmpty ? [key] : [key, key], body)
  }

  /// The rowid of the row with this key; empty where it is the key, or has no name.
  package func rowidBeside(_ key: RowImage, in db: Database) throws -> RowImage {
    guard let rowid else { return [:] }
    let (condition, values) = condition(key)
    let sql = "SELECT \(rowid) FROM \(sqlName) WHERE \(condition)"
    let found = try db.firstRow(sql, values) { Value.integer($0.integer(0)) }
    // Of an INTEGER PRIMARY KEY both are one, but not of one that is DESC.
    return found.flatMap { singleKey.map { key[$0.name] } == $0 ? nil : [rowid: $0] } ?? [:]
  }

  /// Whether any row lies where one with this key is to lie.
  package func isTaken(_ key: RowImage, in db: Database) throws -> Bool {
    guard let rowid, key.count > 1, let place = key[rowid] else { return false }
    return try db.hasRow("SELECT 1 FROM \(sqlName) WHERE \(rowid) IS ?", [place])
  }

  /// What of a row can be written.
  package func withoutGenerated(_ row: RowImage) -> RowImage {
    let generated = columns.filter(\.isGenerated).map(\.name)
    return generated.isEmpty ? row : row.filter { !generated.contains($0.key) }
  }

  package func image(of row: SQLRow) -> RowImage { TableShape.image(of: columns, row) }

  private static func image(of columns: [Column], _ row: SQLRow) -> RowImage {
    var image = RowImage(minimumCapacity: columns.count)
    // By their places: of a loop over the columns themselves Swift 6.3.1 makes no program that it takes for sound.
    for place in columns.indices {
      image[columns[place].name] = columns[place].value(in: row, at: Int32(place))
    }
    return image
  }

  /// Of all columns, or all that are stored, it was made once.
  private func list(_ wanted: [Column]) -> String {
    if TableShape.areNamedAlike(wanted, columns) { return columnList }
    if TableShape.areNamedAlike(wanted, stored) { return storedList }
    return TableShape.list(wanted)
  }

  private static func areNamedAlike(_ some: [Column], _ others: [Column]) -> Bool {
    some.count == others.count && some.indices.allSatisfy { some[$0].name == others[$0].name }
  }

  static func list(_ columns: [Column]) -> String {
    columns.map { $0.isForTheApp ? "NULL" : quoted($0.name) }.joined(separator: ", ")
  }

  /// What names a row, as SQL. SQLite allows NULL in the primary key of most tables.
  ///
  /// Where a column takes "Urgent" for "urgent" the row of one is not that of the other: two records have two names. The first
  /// comparison finds it by the index, the second looks at the bytes. A rowid beside the key is where the row lies, or is to lie.
  package func condition(_ key: RowImage) -> (sql: String, values: [Value]) {
    // Mostly its own key, of which the words were made once.
    let own = keyNames.compactMap { key[$0] }
    if own.count == key.count, own.count == keyNames.count {
      return (keyCondition, own + looseKeyNames.map { key[$0] ?? .null })
    }
    let names = key.keys.filter { key.count == 1 || $0 != rowid }.sorted()
    let again = names.filter(loose.contains)
    return (TableShape.condition(names, again), (names + again).map { key[$0] ?? .null })
  }

  /// The words of an update that were made last.
  private struct Update {
    var names: [String] = []
    var condition = ""
    var sql = ""
  }

  /// Sets these columns of the rows that `condition` names. Of many rows mostly the same columns change, and to make its words takes as
  /// long as to find what they were compiled to.
  package func update(of names: [String], where condition: String) -> String {
    lastUpdate.withLock { last in
      if last.names == names, last.condition == condition { return last.sql }
      let list = names.map { quoted($0) + " = ?" }.joined(separator: ", ")
      let sql = "UPDATE \(sqlName) SET \(list) WHERE \(condition)"
      last = Update(names: names, condition: condition, sql: sql)
      return sql
    }
  }

  private static func condition(_ names: [String], _ loose: [String]) -> String {
    let exactly = loose.map { quoted($0) + " COLLATE BINARY IS ?" }
    return (names.map { quoted($0) + " IS ?" } + exactly).joined(separator: " AND ")
  }
}

/// What a row is called by: a column that is named like a title, else the first text that is no key.
extension TableShape {
  fileprivate static func titles(_ columns: [Column], _ keys: [ForeignKey]) -> [String] {
    let texts = columns.filter { column in
      !column.isGenerated && column.affinity == .text && column.keyPosition == 0
        && !keys.contains { $0.columns.contains(column.name) }
    }.map(\.name)
    return RecordTitle.usual.filter { name in columns.contains { $0.name == name } } + texts
  }
}

extension RecordTitle {
  package static func title(of versions: ThreeWay<RecordVersion>, shape: TableShape?) -> String? {
    title(of: versions, in: shape?.titles ?? usual)
  }

  package static func title(of row: RowImage, shape: TableShape) -> String? {
    first(of: shape.titles) { CollectionOfOne(row[$0]) }
  }
}
