/// An object on its way into a keyed archive, or out of one.
package indirect enum CodedObject: Sendable {
  /// nil: a reference to entry 0.
  case null
  /// A truth value or number of the coder's own calls: lies in its owner's dictionary.
  case inline(PropertyList)
  /// Text, data or an NSNumber: an entry of `$objects` of its own.
  case leaf(PropertyList)
  /// The references of a collection: an array in its owner's dictionary.
  case references([CodedObject])
  /// - Parameter classes: the class, its superclass and so on up to NSObject.
  case object(classes: [String], fields: [Field])

  package struct Field: Sendable {
    package var key: String
    package var object: CodedObject

    package init(_ key: String, _ object: CodedObject) {
      self.key = key
      self.object = object
    }
  }
}

/// Writes a keyed archive the way NSKeyedArchiver numbers it: an object, then what it holds, then its class.
package struct KeyedArchiveWriter {
  private var objects: [PropertyList] = [.string("$null")]
  private var uidByClass: [[String]: UInt64] = [:]
  private var uidByText: [[UInt8]: UInt64] = [:]

  package static func archive(root: CodedObject) -> [UInt8] { archive(top: [.init("root", root)]) }

  package static func archive(top: [CodedObject.Field]) -> [UInt8] {
    var writer = KeyedArchiveWriter()
    let top = writer.entries(top)
    return BinaryPropertyListWriter.bytes(
      of: .dictionary([
        .init("$version", .integer(100_000)), .init("$archiver", .string("NSKeyedArchiver")),
        .init("$top", .dictionary(top)), .init("$objects", .array(writer.objects)),
      ]))
  }

  private mutating func entries(_ fields: [CodedObject.Field]) -> [PropertyList.Entry] {
    fields.map { .init($0.key, encode($0.object)) }
  }

  /// What stands for `object` in the dictionary or array that holds it.
  private mutating func encode(_ object: CodedObject) -> PropertyList {
    switch object {
    case .null: return .uid(0)
    case .inline(let list): return list
    case .leaf(.string(let text)): return .uid(addText(text))
    case .leaf(let list): return .uid(add(list))
    case .references(let objects): return .array(objects.map { encode($0) })
    case .object(let classes, let fields):
      let uid = add(.dictionary([]))
      let entries = entries(fields)
      objects[Int(uid)] = .dictionary(entries + [.init("$class", .uid(addClass(classes)))])
      return .uid(uid)
    }
  }

  private mutating func add(_ list: PropertyList) -> UInt64 {
    objects.append(list)
    return UInt64(objects.count - 1)
  }

  private mutating func addText(_ text: String) -> UInt64 {
    let bytes = Array(text.utf8)
    if let uid = uidByText[bytes] { return uid }
    let uid = add(.string(text))
    uidByText[bytes] = uid
    return uid
  }

  private mutating func addClass(_ classes: [String]) -> UInt64 {
    if let uid = uidByClass[classes] { return uid }
    let uid = add(
      .dictionary([
        .init("$classname", .string(classes.first ?? "")),
        .init("$classes", .array(classes.map { .string($0) })),
      ]))
    uidByClass[classes] = uid
    return uid
  }
}
