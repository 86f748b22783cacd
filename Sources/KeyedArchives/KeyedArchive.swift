/// A keyed archive: objects that refer to each other by number, inside a binary property list.
///
/// ```
/// $archiver  "NSKeyedArchiver"
/// $version   100000
/// $objects   [ "$null", "reminders", {RecordName: ②, ZoneID: ④, $class: ⑧}, … ]
/// $top       {RecordType: ①, KnownToServer: true, …}      or  {root: ①}
/// ```
///
/// A circled number is a UID: an index into `$objects`; 0 is nil. Booleans and numbers of the coder's own calls lie in
/// the dictionary itself. A class is an object as well: {$classname: "NSDate", $classes: ["NSDate", "NSObject"]}.
/// Learnt from archives in public test data.
///
/// Objects may contain each other, by damage or on purpose. Looking at a reference therefore uses up a budget that grows
/// with the size of the archive, and so does everything that is made of it: a read takes linear time and memory. The budgets
/// are counted by bytes, not by objects, because a list may name one object ten thousand times in good faith.
package struct KeyedArchive {
  package typealias Extent = BinaryPropertyList.Extent
  package typealias Node = BinaryPropertyList.Node

  /// Levels of values inside values. CloudKit has one: a list.
  package static let depthLimit = 16

  package let list: BinaryPropertyList
  private let objects: Extent
  /// The dictionary of the keys that were encoded without an enclosing object.
  package let top: Extent
  let visitLimit: Int
  var visits = 0
  private let outputLimit: Int
  private var output = 0
  /// The classes met so far, by where the reference to each lies: a record's values share a handful.
  private var classes: [(index: Int, class: ObjectClass)] = []
  /// What ``ValueInPlace/made(_:)`` counts in.
  var made: [ArchivedValue] = []

  struct ObjectClass {
    let name: ArchiveKey
    /// nil of a class that holds no encrypted value.
    let payload: EncryptedPayload?
  }

  package init(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
    list = try BinaryPropertyList(bytes)
    (objects, top) = try Self.parts(list)
    visitLimit = 2 * bytes.count + 1000
    outputLimit = min(64 * bytes.count + 65_536, 1 << 28)
  }
}

extension KeyedArchive {
  /// What a dictionary's entry or an array's element refers to. nil of the archive is ``Node/null``.
  @inline(__always)
  package mutating func target(of index: Int) throws(ArchiveError) -> Node {
    try visit()
    let node = try list.node(index)
    guard case .uid(let uid) = node else { return node }
    return uid == 0 ? .null : try object(uid)
  }

  @inline(__always)
  package func object(_ uid: UInt64) throws(ArchiveError) -> Node {
    guard uid < objects.count else { throw ArchiveError(.noSuchObject(uid)) }
    let node = try list.node(try list.element(Int(uid), of: objects))
    if case .uid = node { throw ArchiveError(.unexpected(found: "a reference", expected: "an object")) }
    return node
  }

  /// The index of the object that an entry refers to, or of what lies there itself.
  func number(ofObject index: Int) throws(ArchiveError) -> Int {
    guard case .uid(let uid) = try list.node(index) else { return index }
    guard uid < objects.count else { throw ArchiveError(.noSuchObject(uid)) }
    return try list.element(Int(uid), of: objects)
  }

  /// A key of a dictionary, and the index of its value.
  @inline(__always)
  package mutating func entry(_ position: Int, of dictionary: Extent) throws(ArchiveError) -> (
    key: ArchiveKey, value: Int
  ) {
    try visit()
    let key = try ArchiveKey(try list.element(position, of: dictionary), in: list)
    return (key, try list.value(position, of: dictionary))
  }

  /// The index of the value under `name`, or nil.
  package mutating func entry(_ name: StaticString, of dictionary: Extent) throws(ArchiveError) -> Int? {
    for position in 0..<dictionary.count {
      try visit()
      if name ~= (try ArchiveKey(try list.element(position, of: dictionary), in: list)) {
        return try list.value(position, of: dictionary)
      }
    }
    return nil
  }

  package mutating func required(_ name: StaticString, of dictionary: Extent) throws(ArchiveError) -> Int {
    guard let index = try entry(name, of: dictionary) else {
      throw ArchiveError(.missing, keys: ["\(name)"])
    }
    return index
  }

  /// An object's class, from its `$class`.
  mutating func objectClass(of object: Extent) throws(ArchiveError) -> ObjectClass {
    let index = try required("$class", of: object)
    for known in classes where known.index == index { return known.class }
    let name = try ArchiveKey(try classNameIndex(try classObject(index)), in: list)
    let found = ObjectClass(name: name, payload: EncryptedPayload(className: name))
    if classes.count < 8 { classes.append((index, found)) }
    return found
  }

  package mutating func classObject(_ index: Int) throws(ArchiveError) -> Extent {
    guard case .dictionary(let fields) = try target(of: index) else {
      throw ArchiveError(.unexpected(found: "something else", expected: "a class"), keys: ["$class"])
    }
    return fields
  }

  package mutating func classNameIndex(_ classObject: Extent) throws(ArchiveError) -> Int {
    guard let name = try entry("$classname", of: classObject) else {
      throw ArchiveError(.missing, keys: ["$class", "$classname"])
    }
    return name
  }

  @inline(__always)
  package mutating func visit() throws(ArchiveError) {
    visits &+= 1
    if visits > visitLimit { throw ArchiveError(.tooManyReferences(limit: visitLimit)) }
  }

  /// To be called before something of `count` bytes is made of the archive; an element of a list counts 16.
  @inline(__always)
  package mutating func reserve(_ count: Int) throws(ArchiveError) {
    output += count
    if output > outputLimit { throw ArchiveError(.expandsTooFar(limit: outputLimit)) }
  }
}

extension KeyedArchive {
  /// The outermost dictionary of an archive, checked.
  private static func parts(
    _ list: BinaryPropertyList
  ) throws(ArchiveError) -> (objects: Extent, top: Extent) {
    guard case .dictionary(let root) = try list.node(list.top) else {
      throw ArchiveError(.notAKeyedArchive("no dictionary at its root"))
    }
    var (archiver, version, objects, top): (Bool, Bool, Extent?, Extent?) = (false, false, nil, nil)
    // The four names are looked for among the first few keys only: an archive has these four and no more.
    for position in 0..<min(root.count, 16) {
      let key = try ArchiveKey(try list.element(position, of: root), in: list)
      switch (key, try list.node(try list.value(position, of: root))) {
      case ("$archiver", .ascii(let extent)):
        archiver = "NSKeyedArchiver" ~= ArchiveKey(bytes: list.data(extent))
      case ("$version", .integer(100_000)): version = true
      case ("$objects", .array(let extent)): objects = extent
      case ("$top", .dictionary(let extent)): top = extent
      default: break
      }
    }
    guard archiver else { throw ArchiveError(.notAKeyedArchive("$archiver is not NSKeyedArchiver")) }
    guard version else { throw ArchiveError(.notAKeyedArchive("$version is not 100000")) }
    guard let objects else { throw ArchiveError(.notAKeyedArchive("no array $objects")) }
    guard let top else { throw ArchiveError(.notAKeyedArchive("no dictionary $top")) }
    return (objects, top)
  }
}
