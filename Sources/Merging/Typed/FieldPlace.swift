/// Where a field lies in its row, for what is asked of every field of every row: whether two rows have the same in it.
///
/// A key path costs a call that no compiler sees through, hundreds of times what the comparison does. Swift tells how many bytes a
/// stored property lies behind the start of its struct (`MemoryLayout.offset(of:)`), and that it may be read there.
@usableFromInline
enum FieldPlace: Sendable {
  /// A `String` so many bytes behind the start.
  case text(Int)
  /// An `Int64`, or an `Int` of as many bytes.
  case integer(Int)
  case real(Int)
  case flag(Int)
  /// Of another type, or computed: its key path is asked.
  case elsewhere

  init<Row, Value>(_ keyPath: KeyPath<Row, Value>) {
    guard let offset = MemoryLayout<Row>.offset(of: keyPath) else {
      self = .elsewhere
      return
    }
    switch Value.self {
    case is String.Type: self = .text(offset)
    case is Int64.Type: self = .integer(offset)
    // Of a watch an Int has half as many bytes.
    case is Int.Type: self = MemoryLayout<Int>.size == 8 ? .integer(offset) : .elsewhere
    case is Double.Type: self = .real(offset)
    case is Bool.Type: self = .flag(offset)
    default: self = .elsewhere
    }
  }

  /// As ``areAlike(_:_:)`` has it; nil for a field that lies elsewhere.
  ///
  /// - Parameters: rows of the type whose field it is.
  @usableFromInline
  func isAlike(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool? {
    switch self {
    case .text(let offset):
      FieldPlace.read(left, offset, String.self).pointee
        .hasSameBytes(as: FieldPlace.read(right, offset, String.self).pointee)
    case .integer(let offset):
      FieldPlace.read(left, offset, Int64.self).pointee == FieldPlace.read(right, offset, Int64.self).pointee
    case .real(let offset):
      FieldPlace.read(left, offset, Double.self).pointee
        == FieldPlace.read(right, offset, Double.self).pointee
    case .flag(let offset):
      FieldPlace.read(left, offset, Bool.self).pointee == FieldPlace.read(right, offset, Bool.self).pointee
    case .elsewhere: nil
    }
  }

  /// Gives the field of one row to another; whether it did.
  @usableFromInline
  func copy(_ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer) -> Bool {
    switch self {
    case .text(let offset):
      (to + offset).assumingMemoryBound(to: String.self).pointee =
        FieldPlace.read(from, offset, String.self).pointee
    case .integer(let offset):
      (to + offset).assumingMemoryBound(to: Int64.self).pointee =
        FieldPlace.read(from, offset, Int64.self).pointee
    case .real(let offset):
      (to + offset).assumingMemoryBound(to: Double.self).pointee =
        FieldPlace.read(from, offset, Double.self).pointee
    case .flag(let offset):
      (to + offset).assumingMemoryBound(to: Bool.self).pointee =
        FieldPlace.read(from, offset, Bool.self).pointee
    case .elsewhere: return false
    }
    return true
  }

  private static func read<Value>(
    _ row: UnsafeRawPointer, _ offset: Int, _ type: Value.Type
  ) -> UnsafePointer<Value> {
    (row + offset).assumingMemoryBound(to: type)
  }
}
