// A whole object with all it holds, for what is carried through without being understood.

extension KeyedArchive {
  /// Keys in the order of their bytes and nothing shared, so that equal objects give equal trees.
  package mutating func object(at index: Int, depth: Int = 0) throws(ArchiveError) -> CodedObject {
    guard depth < Self.depthLimit else { throw ArchiveError(.tooDeep(limit: Self.depthLimit)) }
    try visit()
    try reserve(16)
    let node = try list.node(index)
    switch node {
    case .uid(0): return .null
    case .uid(let uid): return try codedObject(try object(uid), depth: depth)
    case .array(let elements): return .references(try objects(elements, depth: depth))
    default: return .inline(try leaf(node))
    }
  }

  /// The object that `$top.root` names.
  package mutating func rootObject() throws(ArchiveError) -> CodedObject {
    guard let root = try entry("root", of: top) else { throw ArchiveError(.missing, keys: ["root"]) }
    return try object(at: root)
  }

  private mutating func codedObject(_ node: Node, depth: Int) throws(ArchiveError) -> CodedObject {
    guard case .dictionary(let dictionary) = node else { return .leaf(try leaf(node)) }
    var fields: [CodedObject.Field] = []
    for position in 0..<dictionary.count {
      let (key, index) = try entry(position, of: dictionary)
      if "$class" ~= key { continue }
      let name = try text(try list.node(try list.element(position, of: dictionary))) ?? ""
      fields.append(.init(name, try object(at: index, depth: depth + 1)))
    }
    fields.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return .object(classes: try classes(of: dictionary), fields: fields)
  }

  private mutating func objects(_ elements: Extent, depth: Int) throws(ArchiveError) -> [CodedObject] {
    var objects: [CodedObject] = []
    for position in 0..<elements.count {
      objects.append(try object(at: try list.element(position, of: elements), depth: depth + 1))
    }
    return objects
  }

  private mutating func leaf(_ node: Node) throws(ArchiveError) -> PropertyList {
    switch node {
    case .bool(let bool): return .bool(bool)
    case .integer(let integer): return .integer(integer)
    case .unsigned(let unsigned): return .unsigned(unsigned)
    case .real(let real): return .real(real)
    case .data(let extent): return .data(try bytes(list.data(extent)))
    case .ascii, .utf16: return .string(try text(node) ?? "")
    case .null, .date, .uid, .array, .set, .dictionary:
      throw ArchiveError(.unexpected(found: node.kind, expected: "a value or an object"))
    }
  }

  /// The class, its superclass and so on; whatever `$classes` says, the first is the one that `$classname` names.
  private mutating func classes(of object: Extent) throws(ArchiveError) -> [String] {
    let classObject = try classObject(try classIndex(of: object))
    let name = try requiredText(try classNameIndex(classObject))
    guard let index = try entry("$classes", of: classObject), case .array(let chain) = try list.node(index)
    else {
      return [name]
    }
    var classes: [String] = []
    for position in 0..<chain.count {
      classes.append(try requiredText(try list.element(position, of: chain)))
    }
    return classes.first == name ? classes : [name] + classes
  }
}
