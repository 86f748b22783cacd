import Synchronization

/// What was made of a file, for as long as the file stays as it was: a walk asks for it with every page, and a command with every
/// record.
final class Remembered<Value: Sendable>: Sendable {
  private let known = Mutex<(traces: [Int64], value: Value)?>(nil)

  /// - Parameter traces: of the file, from before it is read: what changes meanwhile is read again the next time.
  func value(at traces: [Int64], _ make: () throws -> Value) rethrows -> Value {
    if let known = known.withLock({ $0 }), known.traces == traces { return known.value }
    let value = try make()
    known.withLock { $0 = (traces, value) }
    return value
  }
}
