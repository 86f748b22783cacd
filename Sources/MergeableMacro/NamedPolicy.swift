#if Macros
  /// The name of a policy, as `@Policy` takes it.
  ///
  /// An attribute does not know the type of what it stands at. So the name is checked here, and the policy itself, with its type,
  /// where ``Mergeable()`` writes the field. Policies of one type alone, such as that of texts, are found without.
  public struct NamedPolicy: Sendable {
    public static func latest(tie: TieRule = .client, margin: Int64 = 0) -> NamedPolicy { NamedPolicy() }
    public static var client: NamedPolicy { NamedPolicy() }
    public static var server: NamedPolicy { NamedPolicy() }
    public static var ancestor: NamedPolicy { NamedPolicy() }
    public static func ancestor(tie: TieRule) -> NamedPolicy { NamedPolicy() }
    public static var counter: NamedPolicy { NamedPolicy() }
    public static func counter(tie: TieRule) -> NamedPolicy { NamedPolicy() }
    public static var set: NamedPolicy { NamedPolicy() }
    public static func set(tie: TieRule) -> NamedPolicy { NamedPolicy() }
    public static var maximum: NamedPolicy { NamedPolicy() }
    public static func maximum(tie: TieRule) -> NamedPolicy { NamedPolicy() }
    public static var minimum: NamedPolicy { NamedPolicy() }
    public static func minimum(tie: TieRule) -> NamedPolicy { NamedPolicy() }
  }
#endif
