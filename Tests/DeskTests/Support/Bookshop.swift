import ExactJSON
import Merging
import StoreInterface

/// A store of documents: a bookshop whose records are trees of revisions.
enum Bookshop {
  static let store = StoreInfo(
    name: "bookshop.touchdb", path: "/tmp/bookshop.touchdb", kind: "Cloudant Sync",
    writing: "The draft as a new revision, and a deletion on every other live leaf.",
    can: [.tellTrees, .tellStatements, .tellContent],
    words: StoreInfo.Words(
      record: "document", table: "kind", field: "field", rules: nil, finding: "finding", findings: "findings",
      lastColumn: "Leaves", settled: "winner; the other leaves end", nothingElse: "the other leaves end"))

  static func desk(
    _ records: [RecordConflict] = [walden, many, bare, twice], columns: Int = 80, rows: Int = 24
  ) -> TestDesk {
    TestDesk(records, findings: [finding], columns: columns, rows: rows, store: store, trees: trees)
  }

  static let trees = [
    "walden": waldenTree, "many": manyTree, "bare": bareTree, "twice": twiceTree, "deep": deepTree,
    "odd": oddTree,
    "settled": RevisionTreePicture(branches: [branch([revision(1, 1), revision(2, 1)])], winner: id(2, 1)),
  ]

  /// A document that is in no conflict, with a tree all the same.
  static let finding = Finding(
    id: "purged:settled", table: "docs", record: "settled", title: "settled", what: "leaf flags disagree",
    evidence: "The leaf is not marked as current.", cause: "A purge.", remedy: "Open it with the library.")

  /// An id as the library makes them: two of a generation differ in their first digits.
  static func id(_ generation: Int, _ number: Int) -> String {
    var state = UInt64(generation * 1_000 + number) &* 0x9E37_79B9_7F4A_7C15
    let digits = (0..<32).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return String(state >> 60, radix: 16)
    }
    return "\(generation)-" + digits.joined()
  }

  static func revision(_ generation: Int, _ number: Int, isDeleted: Bool = false, hasBody: Bool = true)
    -> RevisionTreePicture.Revision
  {
    .init(id: id(generation, number), isDeleted: isDeleted, hasBody: hasBody)
  }

  static func branch(_ revisions: [RevisionTreePicture.Revision], on fork: (Int, Int)? = nil)
    -> RevisionTreePicture.Branch
  {
    .init(revisions: revisions, fork: fork.map { .init(branch: $0.0, revision: $0.1) })
  }

  /// Both leaves have another width, and the second another height.
  static func box() throws -> RecordConflict {
    func value(_ text: String) throws -> Value { Value(try JSONValue(parsing: text)) }
    return try document(
      "box", title: "Box", ancestor: version(["size": value(#"{"w":1,"h":1}"#)]),
      leaves: [
        leaf(id(2, 1), ["size": value(#"{"w":2,"h":1}"#)], of: [:]),
        leaf(id(2, 2), ["size": value(#"{"w":3,"h":4}"#)], of: [:]),
      ])
  }

  static func document(
    _ id: String, title: String, ancestor: RecordVersion? = version(book), leaves: [Leaf],
    ancestorTag: String? = id(1, 1), notes: [String] = []
  ) -> RecordConflict {
    let live = leaves.filter { !$0.isDeleted }
    let versions = live.map(\.version) + [ancestor].compactMap(\.self)
    let names = Set(versions.flatMap { $0.fields.map { Array($0.keys) } ?? [] })
    return RecordConflict(
      id: id, table: "docs", primaryKey: id, title: title,
      fields: names.sorted().map { Field($0, kind: .any, form: .json) },
      versions: ThreeWay(ancestor: ancestor, client: live[0].version, server: live[1].version),
      details: .init(ancestorTag: ancestorTag, serverTag: live[1].id, notes: notes, leaves: leaves))
  }

  /// A file that all leaves have alike, one that each has changed, and a key.
  static var album: RecordConflict {
    let file = { (digest: String) in
      Value.opaque(kind: Value.attachmentKind, bytes: Array(#"{"digest":"\#(digest)"}"#.utf8))
    }
    let cover = Field.attachmentPrefix + "cover"
    let all: [String: Value] = [
      Field.attachmentPrefix + "back": file("back"), cover: file("old"), "title": .text("Album"),
    ]
    let album = document(
      "album", title: "Album", ancestor: version(all),
      leaves: [
        leaf(id(2, 1), [cover: file("mine")], of: all), leaf(id(2, 2), [cover: file("yours")], of: all),
      ])
    let fields = album.fields.map { field in
      Field(field.name, form: field.name.hasPrefix(Field.attachmentPrefix) ? .attachment : .json)
    }
    return RecordConflict(
      id: album.id, table: album.table, primaryKey: album.primaryKey, title: album.title, fields: fields,
      versions: album.versions, details: album.details)
  }

  static func version(_ fields: [String: Value]) -> RecordVersion {
    .present(fields.mapValues { FieldVersion($0, time: nil) })
  }

  static func leaf(_ id: String, _ changes: [String: Value], of ancestor: [String: Value] = book) -> Leaf {
    Leaf(id: id, isDeleted: false, version: version(ancestor.merging(changes) { $1 }))
  }

  static let book: [String: Value] = [
    "pages": .integer(300), "price": .integer(9), "shelf": .text("A"), "stock": .integer(1),
    "title": .text("Walden"),
  ]
}

/// Five live leaves that each change something, and a deleted one.
extension Bookshop {
  static let walden = document(
    "walden", title: "Walden",
    leaves: [
      leaf(id(3, 1), ["price": .integer(8)]), leaf(id(3, 2), ["stock": .integer(2)]),
      leaf(id(2, 3), ["pages": .integer(352)]), leaf(id(2, 4), ["stock": .integer(7), "shelf": .text("B")]),
      leaf(id(2, 5), [:]), Leaf(id: id(3, 6), isDeleted: true, version: .deleted(time: nil)),
    ],
    notes: ["5 leaves are live, 1 deleted one beside them. The suggestion folds all of them."])

  static let waldenTree = RevisionTreePicture(
    branches: [
      branch([revision(1, 1), revision(2, 1), revision(3, 1)]),
      branch([revision(2, 2), revision(3, 2)], on: (0, 0)),
      branch([revision(2, 3)], on: (0, 0)), branch([revision(2, 4)], on: (0, 0)),
      branch([revision(2, 5)], on: (0, 0)),
      branch([revision(2, 6), revision(3, 6, isDeleted: true)], on: (0, 0)),
    ], winner: id(3, 1))

  /// As in a real datastore: 840 live leaves of the seventh generation.
  static let many = document(
    "many", title: "Many hands", ancestor: version(book.merging(["title": .text("Many hands")]) { $1 }),
    leaves: (0..<840).map {
      leaf("7-root\(939 - $0)", ["stock": .integer(Int64(100 + $0)), "title": .text("Many hands")])
    },
    ancestorTag: "6-root")

  static let manyTree = RevisionTreePicture(
    branches: [
      branch(
        (1...6).map { .init(id: "\($0)-root", isDeleted: false, hasBody: $0 == 6) }
          + [.init(id: "7-root939", isDeleted: false, hasBody: true)])
    ]
      + (1..<840).map {
        branch([.init(id: "7-root\(939 - $0)", isDeleted: false, hasBody: true)], on: (0, 5))
      },
    winner: "7-root939")

  /// A live leaf whose body is not here, an ancestor that is not kept, and deleted leaves.
  static let bare = document(
    "bare", title: "Compacted", ancestor: .unknown(reason: "not kept (compacted)"),
    leaves: [
      leaf(id(3, 11), ["stock": .integer(2)]), leaf(id(3, 12), ["stock": .integer(3)]),
      Leaf(id: id(3, 13), isDeleted: false, version: .unknown(reason: "not kept")),
      Leaf(id: id(4, 14), isDeleted: true, version: .deleted(time: nil)),
    ], ancestorTag: id(2, 10))

  static let bareTree = RevisionTreePicture(
    branches: [
      branch([revision(1, 10, hasBody: false), revision(2, 10, hasBody: false), revision(3, 11)]),
      branch([revision(3, 12)], on: (0, 1)), branch([revision(3, 13, hasBody: false)], on: (0, 1)),
      branch([revision(3, 14, hasBody: false), revision(4, 14, isDeleted: true)], on: (0, 1)),
    ], winner: id(3, 11))

  static let twice = document(
    "twice", title: "Made twice", ancestor: nil,
    leaves: [leaf(id(2, 21), ["stock": .integer(7)]), leaf(id(1, 22), ["stock": .integer(1)])],
    ancestorTag: nil,
    notes: ["The leaves have no common ancestor: the document was made twice, or its history was cut off."])

  static let twiceTree = RevisionTreePicture(
    branches: [branch([revision(1, 21), revision(2, 21)]), branch([revision(1, 22)])], winner: id(2, 21))

  /// Long, and a branch of a branch of a branch: wider than any screen.
  static let deep = document(
    "deep", title: "Deep",
    leaves: [leaf(id(40, 0), ["stock": .integer(2)])]
      + (1..<12).map { leaf(id(12 - $0, 100 + $0), ["pages": .integer(Int64($0))]) })

  static let deepTree = RevisionTreePicture(
    branches: [branch((1...40).map { revision($0, 0) })]
      + (1..<12).map { number in
        branch(
          (1...4).map { revision(12 - number, 4 * number + $0 + 200) } + [
            revision(12 - number, 100 + number)
          ], on: (number - 1, 2))
      },
    winner: id(40, 0))

  /// Ids that somebody made to hurt.
  static let odd = document(
    "odd", title: "Odd \u{1B}[31m",
    leaves: [
      leaf("3-\u{1B}[31mred", ["stock": .integer(2)]), leaf("2-買い物", ["pages": .integer(1)]),
      leaf("no generation at all, and long", ["price": .integer(1)]),
    ], ancestorTag: "1-x")

  static let oddTree = RevisionTreePicture(
    branches: [
      branch(["1-x", "3-\u{1B}[31mred"].map { .init(id: $0, isDeleted: false, hasBody: true) }),
      branch([.init(id: "2-買い物", isDeleted: false, hasBody: true)], on: (0, 0)),
      branch([.init(id: "no generation at all, and long", isDeleted: false, hasBody: true)], on: (0, 0)),
    ], winner: "3-\u{1B}[31mred")
}
