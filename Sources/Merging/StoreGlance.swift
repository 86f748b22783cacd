/// A store as it is seen from outside: nothing is opened, locked or read, so that it costs next to nothing to look again.
public struct StoreGlance: Sendable, Equatable {
  public var access: StoreAccess
  /// The traces that writing leaves, such as the sizes and times of files: other numbers once anybody has written. Empty where
  /// nobody else can write.
  public var traces: [Int64]

  public init(access: StoreAccess, traces: [Int64] = []) {
    self.access = access
    self.traces = traces
  }
}
