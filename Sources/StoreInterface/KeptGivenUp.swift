import ExactJSON
import Merging

/// What a decision gives up, as a journal keeps it: a list of
///
///     {"side":"server","field":"title","value":"Call Dr. Wu"}     an edit; without a value where that was too long
///     {"side":"client","field":"notes","was":"one","is":"two"}    a change of an edit; without the one that is not there
///     {"side":"client","field":"notes","key":"a.b[2]","is":"2"}   of a key of JSON
///     {"side":"client","field":"notes","more":41}                 so many more changes of an edit
///     {"side":"client","field":"list","value":9,"title":"Health"} of a value that points to a record of that title
///     {"side":"client","field":"k","value":"2","kind":"any"}      of a text that reads like what its field may hold, too
///     {"side":"client","of":"the earlier upload","field":…}       of a side that has more than one
///     {"side":"server","leaf":3,"field":"title","value":null}     of a record with more leaves than two
///     {"side":"server","is":"deletion"}                           or record, or unknown
///     {"is":"other","words":"the key of the file"}                what only the store knows
///
/// It is read only when somebody asks: a hundred thousand decisions are gone through that nobody looks at.
package struct KeptGivenUp: Sendable, Equatable {
  package let stored: String

  /// See ``GivenUp/longestKept``.
  package static let limit = GivenUp.longestKept

  package init(stored: String) { self.stored = stored }

  package init(_ all: [GivenUp]) {
    stored = String(decoding: JSON.array(all.map { JSON(kept: $0) }).bytes(), as: UTF8.self)
  }

  /// nil for what no Parley wrote.
  package var all: [GivenUp]? {
    // As many as were kept: earlier Parleys kept each change of hundreds of leaves.
    var rules = JSONReader.Rules()
    rules.values = stored.utf8.count
    var reader = JSONReader(Array(stored.utf8), rules: rules)
    guard let node = try? reader.single(), let elements = node.elements else { return nil }
    let all = elements.compactMap { GivenUp(kept: $0) }
    return all.count == elements.count ? all : nil
  }
}

extension JSON {
  fileprivate init(kept givenUp: GivenUp) {
    var members: [(name: String, value: JSON)] = []
    if let side = givenUp.side { members.append(("side", .string(side.rawValue))) }
    if let party = givenUp.party { members.append(("of", .string(party))) }
    if let leaf = givenUp.leaf { members.append(("leaf", .integer(Int64(leaf)))) }
    switch givenUp.what {
    case .edit(let field, let value):
      members.append(("field", .string(field)))
      if let kept = value?.short { members.append(("value", JSON(kept))) }
      if let title = givenUp.title { members.append(("title", .string(title))) }
      if givenUp.kind != .text { members.append(("kind", .string(givenUp.kind.rawValue))) }
    case .change(let field, let part):
      members.append(("field", .string(field)))
      members += part.kept
    case .more(let field, let count):
      members += [("field", .string(field)), ("more", .integer(Int64(count)))]
    case .deletion: members.append(("is", .string("deletion")))
    case .record: members.append(("is", .string("record")))
    case .unknown: members.append(("is", .string("unknown")))
    case .other(let words): members += [("is", .string("other")), ("words", .string(words))]
    }
    self = .object(members)
  }
}

extension GivenUp {
  fileprivate init?(kept node: JSONNode) {
    let side = node["side"]?.text.flatMap { Side(rawValue: $0) }
    guard let what = What(kept: node), side != nil || node["side"] == nil else { return nil }
    self.init(side, leaf: node["leaf"]?.number.flatMap { Int($0) }, party: node["of"]?.text, what)
    title = node["title"]?.text
    kind = node["kind"]?.text.flatMap { Field.Kind(rawValue: $0) } ?? .text
  }
}

extension GivenUp.What {
  fileprivate init?(kept node: JSONNode) {
    if let field = node["field"]?.text {
      let part = LostPart(name: node["key"]?.text, old: node["was"]?.text, new: node["is"]?.text)
      if part.old != nil || part.new != nil {
        self = .change(field: field, part)
        return
      }
      if let count = node["more"]?.number.flatMap({ Int($0) }), (1...Int(Int32.max)).contains(count) {
        self = .more(field: field, count)
        return
      }
      guard let value = node.members?["value"] else {
        self = .edit(field: field, nil)
        return
      }
      guard let read = try? RowJSON.value(value) else { return nil }
      self = .edit(field: field, read)
      return
    }
    switch node["is"]?.text {
    case "deletion": self = .deletion
    case "record": self = .record
    case "unknown": self = .unknown
    case "other": self = .other(node["words"]?.text ?? "")
    default: return nil
    }
  }
}

extension LostPart {
  /// None of them if it is too long to be kept.
  fileprivate var kept: [(name: String, value: JSON)] {
    guard [old, new].allSatisfy({ ($0?.utf8.count ?? 0) <= KeptGivenUp.limit }) else { return [] }
    return [("key", name), ("was", old), ("is", new)].compactMap { name, text in
      text.map { (name, .string($0)) }
    }
  }
}

extension Value {
  /// nil if it is too long to be kept.
  fileprivate var short: Value? {
    switch self {
    case .null, .integer, .real: self
    case .text(let text): text.utf8.count <= KeptGivenUp.limit ? self : nil
    case .opaque(_, let bytes): bytes.count <= KeptGivenUp.limit ? self : nil
    case .blob(let blob):
      (blob.bytes?.count ?? 0) <= KeptGivenUp.limit
        ? self : .blob(Blob(sha256: blob.sha256, count: blob.count))
    }
  }
}
