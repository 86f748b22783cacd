extension RecordVersion.Fields {
  /// A field of the version, or that it does not have it. It is no `FieldVersion<Value>?`: what is made of generic types is copied
  /// and taken away by their witnesses, which costs more than all that is done with it.
  package struct Slot: Sendable, Equatable {
    // The first, where it is compared; behind it what fits into the bytes that it leaves.
    package var value: Merging.Value
    package private(set) var isThere: Bool
    private var hasTime: Bool
    private var nanoseconds: Int64

    init(_ version: Version?) {
      (value, isThere) = (version?.value ?? .null, version != nil)
      (nanoseconds, hasTime) = (version?.time ?? 0, version?.time != nil)
    }

    package var time: Int64? { hasTime ? nanoseconds : nil }
    package var version: Version? { isThere ? Version(value, time: time) : nil }
  }

  /// The fields by the places of their names, and the names, in one piece of memory: a version is copied more often than made, and each
  /// piece is counted with every copy.
  ///
  /// It changes only while a single version has it, as the buffer of an array.
  final class Slots: ManagedBuffer<Slots.Header, Slot> {
    struct Header {
      var names: FieldNames
      /// How many there are, with those that the version does not have, and for how many there is room.
      var count = 0
      let room: Int
      /// How many of them the version has.
      var countThere = 0
    }

    // Not by the property itself, which is watched for somebody else who has it at the same time, each look anew.
    var names: FieldNames { withUnsafeMutablePointerToHeader { $0.pointee.names } }
    var count: Int { withUnsafeMutablePointerToHeader { $0.pointee.count } }
    var room: Int { withUnsafeMutablePointerToHeader { $0.pointee.room } }
    var countThere: Int { withUnsafeMutablePointerToHeader { $0.pointee.countThere } }

    // Not checked, because nobody changes it: as it is held here, no version has it alone, and each copies it before it is changed.
    nonisolated(unsafe) static let none = make(FieldNames(), room: 0)

    deinit { withUnsafeMutablePointers { _ = $1.deinitialize(count: $0.pointee.count) } }

    static func make(_ names: FieldNames, room: Int) -> Slots {
      let new = create(minimumCapacity: room) { _ in Header(names: names, room: room) }
      return unsafeDowncast(new, to: Slots.self)
    }

    /// - Parameter slots: as many as names.
    static func make(_ names: FieldNames, _ slots: some Sequence<Slot>) -> Slots {
      let new = make(names, room: names.count)
      for slot in slots { new.append(slot) }
      return new
    }

    func copy(room: Int) -> Slots {
      let new = Slots.make(names, room: room)
      withAll { for slot in $0 { new.append(slot) } }
      return new
    }

    func append(_ name: String, _ slot: Slot) {
      withUnsafeMutablePointerToHeader { $0.pointee.names.append(name) }
      append(slot)
    }

    /// There has to be room.
    func append(_ slot: Slot) {
      withUnsafeMutablePointers { header, slots in
        (slots + header.pointee.count).initialize(to: slot)
        header.pointee.count += 1
        header.pointee.countThere += slot.isThere ? 1 : 0
      }
    }

    func set(at place: Int, _ slot: Slot) {
      withUnsafeMutablePointers { header, slots in
        precondition(place < header.pointee.count, "a place of its names")
        header.pointee.countThere += (slot.isThere ? 1 : 0) - (slots[place].isThere ? 1 : 0)
        slots[place] = slot
      }
    }

    func withAll<Result>(_ body: (UnsafeBufferPointer<Slot>) throws -> Result) rethrows -> Result {
      try withUnsafeMutablePointers { header, slots in
        try body(UnsafeBufferPointer(start: slots, count: header.pointee.count))
      }
    }
  }
}
