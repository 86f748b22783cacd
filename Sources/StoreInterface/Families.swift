import ExactJSON
import Merging

/// Another conflict of a record's family, and what it belongs there by.
package struct Relative: Sendable, Equatable {
  package enum Kind: String, Sendable {
    case parent, child
  }

  package let id: String
  package let kind: Kind
  /// Whose parent or child it is.
  package let of: String
  /// The field of the child that points to the parent.
  package let field: String

  package init(id: String, kind: Kind, of: String, field: String) {
    (self.id, self.kind, self.of, self.field) = (id, kind, of, field)
  }
}

/// Which conflicts belong together, by the fields that point to other records (``Field/referencedTable``).
///
/// What any version of a child points to counts: a child whose row is gone here, or which the server moved, belongs to what it
/// pointed to as well.
package struct Families {
  private struct Link {
    let child: String
    let field: String
    let parent: RecordPointer
  }

  private var ids: [RecordPointer: String] = [:]
  private var own: ByRecord<RecordPointer> = [:]
  private var parents: ByRecord<[Link]> = [:]
  private var children: [RecordPointer: [Link]] = [:]

  package init() {}

  package mutating func add(_ conflict: RecordConflict) {
    let pointer = RecordPointer(conflict)
    (ids[pointer], own[conflict.id]) = (conflict.id, pointer)
    for field in conflict.fields {
      for parent in field.pointers.unique {
        let link = Link(child: conflict.id, field: field.name, parent: parent)
        parents[conflict.id, default: []].append(link)
        children[parent, default: []].append(link)
      }
    }
  }

  /// The record's parents in conflict, theirs, and all children in conflict of any of these and of the record; without itself.
  /// Each once, by what it was found by first.
  package func family(of id: String) -> [Relative] {
    var found = Found(id)
    found.goThrough { parents(of: $0) }
    found.goThrough { children(of: $0) }
    return found.relatives
  }

  private func parents(of id: String) -> [Relative] {
    (parents[id] ?? []).compactMap { link in
      ids[link.parent].map { Relative(id: $0, kind: .parent, of: id, field: link.field) }
    }
  }

  private func children(of id: String) -> [Relative] {
    (own[id].flatMap { children[$0] } ?? []).map {
      Relative(id: $0.child, kind: .child, of: id, field: $0.field)
    }
  }

  /// Whoever belongs to it so far: those that are found are gone through in turn, each once, so that circles end.
  private struct Found {
    private let id: String
    private(set) var relatives: [Relative] = []
    private var known: RecordNames

    init(_ id: String) { (self.id, known) = (id, [id]) }

    mutating func goThrough(_ next: (String) -> [Relative]) {
      var place = -1
      while place < relatives.count {
        for relative in next(place < 0 ? id : relatives[place].id)
        where known.insert(relative.id).inserted { relatives.append(relative) }
        place += 1
      }
    }
  }
}

/// A record, as fields of others point to it. SQLite compares names of tables without regard to case.
package struct RecordPointer: Sendable, Hashable {
  private let table: JSONText
  private let key: JSONText

  fileprivate init(table: String, key: String) {
    (self.table, self.key) = (JSONText(table.lowercased()), JSONText(key))
  }

  package init(_ conflict: RecordConflict) {
    self.init(table: conflict.table, key: conflict.primaryKey)
  }
}

extension RecordConflict {
  /// Whether any version of it points to that record.
  package func points(to record: RecordConflict) -> Bool {
    let wanted = RecordPointer(record)
    return fields.contains { $0.pointers.contains(wanted) }
  }
}

extension FieldConflict {
  /// What the versions of the field point to.
  fileprivate var pointers: [RecordPointer] {
    Side.allCases.compactMap { side in version(side).flatMap { pointer($0.value) } }
  }

  /// What this value of the field points to; nil if the field points to nothing.
  package func pointer(_ value: Value?) -> RecordPointer? {
    guard let table = field.referencedTable, let key = value?.keyText else { return nil }
    return RecordPointer(table: table, key: key)
  }
}

extension Value {
  /// As a key stands in a record's name; nil of what is no key.
  package var keyText: String? {
    switch self {
    case .text(let text): text
    case .integer(let integer): String(integer)
    case .null, .real, .blob, .opaque: nil
    }
  }
}

/// What becomes of a record by what is decided about it, as far as those care that point to it or that it points to.
package struct FamilyStanding: Sendable, Equatable {
  package let id: String
  fileprivate let pointer: RecordPointer
  /// nil while something is undecided, or where the store alone knows.
  package let goes: Bool?
  /// What it points to once it is written, by field.
  fileprivate let parents: [String: RecordPointer]

  package init(_ decided: DecidedConflict) {
    let conflict = decided.conflict
    (id, pointer) = (conflict.id, RecordPointer(conflict))
    let draft = decided.draft
    switch draft?.action {
    case nil, .alternative?: (goes, parents) = (nil, [:])
    case .delete?: (goes, parents) = (true, [:])
    case .save?:
      goes = false
      let pointers = conflict.fields.compactMap { field in
        // What no draft holds stays as this device has it.
        field.pointer(draft?[field.name] ?? field.client?.value).map { (field.name, $0) }
      }
      parents = Dictionary(pointers) { first, _ in first }
    }
  }
}

/// A record that stays by what is decided, and points to one that goes: it would point to nothing.
package struct Contradiction: Sendable, Equatable {
  package let child: String
  package let field: String
  package let parent: String

  package init(child: String, field: String, parent: String) {
    (self.child, self.field, self.parent) = (child, field, parent)
  }

  /// In the order of the children, and of the names of their fields.
  package static func all(among standings: [FamilyStanding]) -> [Contradiction] {
    let gone = standings.filter { $0.goes == true }.map { ($0.pointer, $0.id) }
    let ids = Dictionary(gone) { first, _ in first }
    return standings.flatMap { child in
      child.parents.sorted { $0.key < $1.key }.compactMap { field, parent in
        ids[parent].map { Contradiction(child: child.id, field: field, parent: $0) }
      }
    }
  }
}

extension ConflictStore {
  /// The other conflicts that belong to this one: its parents, theirs, and the children of all of them. It goes through the
  /// whole store, as a child whose row is gone points to its parent in its ancestor or on the server alone. Of a store that
  /// can ``StoreInfo/Ability/tellFamilies``; in any other a record has none.
  package func family(of id: String) throws -> [Relative] {
    var families = Families()
    let walk = conflicts()
    while let page = try walk.nextConflicts(limit: 200, of: self) {
      for conflict in page { families.add(conflict) }
    }
    return families.family(of: id)
  }
}
