#if Macros
  @_exported import Merging

  /// Lists the fields of a row's type, and so makes it `Mergeable`: what is written by hand without it.
  ///
  /// ```swift
  /// @Mergeable
  /// struct Reminder {
  ///   let id: Int                      // the primary key, by its name
  ///   var title: String                // the latest edit
  ///   @Policy(.counter) var visits: Int
  ///   @Policy(.text) var notes: String?
  ///   @NotMerged var titleLength: Int?  // the database generates it
  /// }
  /// ```
  ///
  /// Every stored property is a field, but for the primary key and what says that it is none. A policy that does not fit its
  /// field does not compile, and the error is at the field. `primaryKey` and `resolve` may be written in the type.
  ///
  /// Of SQLiteData's own attributes it reads `@Column`, for the column's name, the primary key and what is generated, and
  /// `@Ephemeral`.
  @attached(
    extension, conformances: Mergeable,
    names: named(primaryKey), named(mergeFields), named(listMergeFields))
  public macro Mergeable() = #externalMacro(module: "MergeableExpansion", type: "MergeableMacro")

  /// The policy of a field of a ``Mergeable()`` type, and its column's name where that is another one than the property's.
  @attached(peer)
  public macro Policy(_ policy: NamedPolicy, column: String? = nil) =
    #externalMacro(module: "MergeableExpansion", type: "FieldMarker")

  /// The same with a policy of the app's own: `@Policy(.either)`, found by the type that it is for.
  @attached(peer)
  public macro Policy<Value: Equatable & Sendable>(_ policy: MergePolicy<Value>, column: String? = nil) =
    #externalMacro(module: "MergeableExpansion", type: "FieldMarker")

  /// Where values are no Equatable, or are equal where something of them is: `@Policy(.server, comparing: \Picture.sha256)`. The path tells
  /// the types, and so a policy of the app's own is found too, one of `MergePolicy<Compared<Picture, [UInt8]>>`.
  @attached(peer)
  public macro Policy<Value: Sendable, Key: Equatable & Sendable>(
    _ policy: MergePolicy<Compared<Value, Key>> = .latest(), comparing key: KeyPath<Value, Key>,
    column: String? = nil
  ) = #externalMacro(module: "MergeableExpansion", type: "FieldMarker")

  /// The column's name alone; the field is merged by the latest edit.
  @attached(peer)
  public macro Policy(column: String) = #externalMacro(module: "MergeableExpansion", type: "FieldMarker")

  /// The primary key of a ``Mergeable()`` type, where it is not the property `id`. It is left out of every draft.
  @attached(peer)
  public macro PrimaryKey() = #externalMacro(module: "MergeableExpansion", type: "FieldMarker")

  /// A stored property that is no field: a generated column, or no column at all. It is left out of every draft.
  @attached(peer)
  public macro NotMerged() = #externalMacro(module: "MergeableExpansion", type: "FieldMarker")
#else
  /// Stands where the macro would, so that `@Mergeable` says what it needs. An actor, as only that and a macro are attributes of a type.
  @available(
    *, unavailable,
    message:
      "the package trait 'Macros' of Parley makes this macro: .package(url: \"…/parley\", …, traits: [\"Macros\"])"
  )
  @globalActor public actor Mergeable {
    public static let shared = Mergeable()
  }
#endif
