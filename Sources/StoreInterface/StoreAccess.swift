/// Whether a store can be written.
package enum StoreAccess: Sendable, Equatable {
  case writable
  /// It is being asked.
  case unknown
  /// The reason says who can write, and when.
  case readOnly(reason: String)
  /// The same for a moment, as another of us has it, or who cannot be told: worth to be waited for.
  case inUse(reason: String)
  /// The same for good: neither waiting nor a copy helps, only a Parley that knows more.
  case tooNew(reason: String)

  /// Who opens a store for reading writes nothing to it, whoever could.
  package static let openedForReading = StoreAccess.readOnly(reason: "the store was opened read-only")

  /// Why nothing can be written.
  package var reason: String? {
    switch self {
    case .writable, .unknown: nil
    case .readOnly(let reason), .inUse(let reason), .tooNew(let reason): reason
    }
  }

  /// Goes on where nothing keeps anybody from writing the store at `path`.
  ///
  /// - Throws: ``StoreError/readOnly(path:reason:)``, ``StoreError/tooNewToWrite(path:reason:)``; of what was waited for until nobody wanted
  ///   it any more, what ended that.
  package func check(_ path: String) throws {
    switch self {
    case .writable, .unknown: break
    case .readOnly(let reason): throw StoreError.readOnly(path: path, reason: reason)
    case .inUse(let reason):
      try StoreCall.current.check(path)
      throw StoreError.readOnly(path: path, reason: reason)
    case .tooNew(let reason): throw StoreError.tooNewToWrite(path: path, reason: reason)
    }
  }
}
