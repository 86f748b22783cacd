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
  package static let openedForReading = StoreAccess.readOnly(reason: "it was opened for reading")

  /// Why nothing can be written.
  package var reason: String? {
    switch self {
    case .writable, .unknown: nil
    case .readOnly(let reason), .inUse(let reason), .tooNew(let reason): reason
    }
  }

  /// What writing the store at `path` ends with; nil if nothing keeps anybody from it.
  package func error(_ path: String) -> StoreError? {
    switch self {
    case .writable, .unknown: nil
    case .readOnly(let reason), .inUse(let reason): .readOnly(path: path, reason: reason)
    case .tooNew(let reason): .tooNewToWrite(path: path, reason: reason)
    }
  }
}
