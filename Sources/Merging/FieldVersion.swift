/// One field as one side knows it: its value, and when it was last set.
public struct FieldVersion<Value: Sendable>: Sendable {
  /// What the side holds in the field.
  public var value: Value
  /// Nanoseconds since 1970; nil if nobody recorded it. Never part of equality of values.
  public var time: Int64?

  /// A value, and when it was set, in nanoseconds since 1970; nil if nobody recorded that.
  public init(_ value: Value, time: Int64?) { (self.value, self.time) = (value, time) }
}

extension FieldVersion: Equatable where Value: Equatable {}
