import ExactJSON
import Foundation
import Merging

@testable import RevisionTrees
@testable import SQLiteDataStores

/// The facts of cases/cloudant.json, which lie beside the project.
struct CloudantCases {
  static let file = "cases/cloudant.json"
  static let areThere = Shared.has(file)
  /// The one attachment that the cases have.
  static let blobs = "fixtures/cloudant/generated/conflicts-before attachments"

  let json: JSONValue

  init() throws {
    let folder = Shared.folder ?? ""
    json = try JSONValue(
      parsing: Array(try Data(contentsOf: URL(filePath: folder + "/" + CloudantCases.file))))
  }

  func list(_ name: String) throws -> [JSONValue] { try Missing.unwrap(json[name]?.elements, name) }

  func named(_ id: String) throws -> JSONValue {
    try Missing.unwrap(try list("cases").first { $0["id"]?.string == id }, id)
  }

  struct Missing: Error {
    let what: String

    static func unwrap<Thing>(_ thing: Thing?, _ what: String) throws -> Thing {
      guard let thing else { throw Missing(what: what) }
      return thing
    }
  }
}

extension JSONValue {
  subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[JSONText(key)] } else { nil }
  }

  var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
  var string: String? { if case .string(let text) = self { text.text } else { nil } }
  var integer: Int? { if case .literal(let token) = self { Int(token) } else { nil } }
  var bool: Bool { self == .literal("true") }
}

/// One row of a tree in the cases.
struct CaseRow: Equatable {
  var sequence: Int
  var parent: Int?
  let id: String
  var isCurrent: Bool
  let isDeleted: Bool
  /// nil: not here; "": a body of no bytes.
  let body: String?
  var attachments: [CaseAttachment]

  init(
    sequence: Int, parent: Int?, id: String, isCurrent: Bool, isDeleted: Bool = false, body: String?,
    attachments: [CaseAttachment] = []
  ) {
    (self.sequence, self.parent, self.id, self.body) = (sequence, parent, id, body)
    (self.isCurrent, self.isDeleted, self.attachments) = (isCurrent, isDeleted, attachments)
  }

  init(_ json: JSONValue) throws {
    sequence = try CloudantCases.Missing.unwrap(json["seq"]?.integer, "seq")
    id = try CloudantCases.Missing.unwrap(json["rev"]?.string, "rev")
    parent = json["parentSeq"]?.integer
    isCurrent = json["current"]?.bool ?? false
    isDeleted = json["deleted"]?.bool ?? false
    body = json["json"]?.string
    attachments = try (json["attachments"]?.elements ?? []).map { try CaseAttachment($0) }
  }

  /// The trees of a case by document: where a case has one document, the file does not name it everywhere.
  static func trees(_ json: JSONValue?, document: String) throws -> [String: [CaseRow]] {
    switch json {
    case .array(let rows)?: [document: try rows.map { try CaseRow($0) }]
    case .object(let trees)?:
      try trees.reduce(into: [:]) { result, tree in
        result[tree.key.text] = try (tree.value.elements ?? []).map { try CaseRow($0) }
      }
    default: [:]
    }
  }
}

struct CaseAttachment: Equatable {
  let name: String
  let type: String
  let sha1: String
  let length: Int64
  private(set) var revpos: Int64
  let encoding: Int64
  let encodedLength: Int64

  init(_ json: JSONValue) throws {
    func number(_ key: String) throws -> Int64 {
      Int64(try CloudantCases.Missing.unwrap(json[key]?.integer, key))
    }
    name = try CloudantCases.Missing.unwrap(json["name"]?.string, "name")
    type = try CloudantCases.Missing.unwrap(json["type"]?.string, "type")
    sha1 = try CloudantCases.Missing.unwrap(json["sha1"]?.string, "sha1")
    (length, revpos) = (try number("length"), try number("revpos"))
    (encoding, encodedLength) = (try number("encoding"), try number("encodedLength"))
  }

  /// As a desk carries it into a revision: sync-android's way, which is right for both (Sources/CloudantStores/FORMAT.md,
  /// "Attachments").
  func carried(to id: String) -> CaseAttachment {
    var attachment = self
    attachment.revpos = Int64(RevisionID(id).generation)
    return attachment
  }

  var words: String { " +\(name) \(sha1.prefix(6)) \(length) \(revpos) \(encoding) \(encodedLength)" }
}

extension RevisionTree {
  init(_ rows: [CaseRow], order: RevisionOrder = .cloudant) {
    let places = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.sequence, $0) })
    self.init(
      rows.map {
        Revision(
          id: $0.id, isDeleted: $0.isDeleted, hasBody: $0.body != nil, isCurrent: $0.isCurrent,
          row: Int64($0.sequence))
      }, parents: rows.map { $0.parent.flatMap { places[$0] } }, order: order)
  }

  /// A tree drawn by its edges: "1-x 2-x 4-x" is a line, and a "!" after an id says that it is deleted.
  init(lines: [String], order: RevisionOrder = .cloudant) {
    var ids: [String] = []
    var parents: [Int?] = []
    var deleted: Set<String> = []
    for line in lines {
      var parent: Int?
      for word in line.split(separator: " ") {
        let id = word.hasSuffix("!") ? String(word.dropLast()) : String(word)
        if word.hasSuffix("!") { deleted.insert(id) }
        if !ids.contains(id) {
          ids.append(id)
          parents.append(parent)
        }
        parent = ids.firstIndex(of: id)
      }
    }
    self.init(
      ids.map { Revision(id: $0, isDeleted: deleted.contains($0), hasBody: true) }, parents: parents,
      order: order)
  }

  func ids(_ places: [Int]) -> [String] { places.map { revisions[$0].id } }
}
