/// A row type that declares which of its fields are merged, and how.
///
/// ```swift
/// extension Reminder: Mergeable {
///   var primaryKey: Int { id }
///   static let mergeFields: [MergeField<Reminder>] = [
///     .field("title", \.title),              // the latest edit
///     .field("visits", \.visits, .counter),  // does not compile for a String
///     .field("notes", \.notes, .text),
///   ]
/// }
/// ```
///
/// A row is a struct: an object would be one in all three versions.
///
/// Primary key and generated columns are left out of `mergeFields`, and so of every draft.
public protocol Mergeable: Sendable {
  /// What tells one row of the table from another.
  associatedtype PrimaryKey: Equatable & Sendable
  /// What a conflict results in: ``RowDraft``, unless the type has a draft type of its own.
  associatedtype Draft: Sendable = RowDraft<Self>

  /// The same in all three versions of a row: no draft has it.
  var primaryKey: PrimaryKey { get }
  /// The columns that a draft has, each once.
  static var mergeFields: [MergeField<Self>] { get }
  /// The draft of a conflict. A type that does not say otherwise has every field merged by its own policy.
  static func resolve(_ conflict: MergeConflict<Self>) -> Draft
  /// The last word on a draft of which every field is merged by its own policy: rules over several fields. Nothing, unless the
  /// type says otherwise.
  ///
  /// It is in ``MergeConflict/draft`` already, and so in a draft type of the app's own, which is made of that. For that it may not
  /// ask the conflict for either.
  static func adjust(_ draft: inout RowDraft<Self>, of conflict: MergeConflict<Self>)
}

extension Mergeable {
  /// Leaves the draft as the policies of the fields made it.
  @inlinable public static func adjust(_ draft: inout RowDraft<Self>, of conflict: MergeConflict<Self>) {}
}

extension Mergeable where Draft == RowDraft<Self> {
  /// The draft as the policies of the fields made it, and ``adjust(_:of:)`` left it.
  @inlinable public static func resolve(_ conflict: MergeConflict<Self>) -> RowDraft<Self> { conflict.draft }
}

/// A draft type that an app has already, such as the one that SQLiteData's `@Table` makes: its conformance is empty.
public protocol DraftOfRow {
  /// The type of the rows that it is a draft of.
  associatedtype Row: Mergeable
  /// A draft that holds what the row does.
  init(_ row: Row)
}

extension Mergeable where Draft: DraftOfRow, Draft.Row == Self {
  /// The app's own draft of the row that the policies of the fields made, and ``adjust(_:of:)`` left.
  public static func resolve(_ conflict: MergeConflict<Self>) -> Draft { Draft(conflict.draft.row) }
}

extension MergeRules {
  /// The rules by which the desk merges a table as `type` does: those of its configuration, for an app's tests to compare.
  ///
  /// A policy that was given in code is left out, whatever its name. So is one that computes by what only the app's type knows: the
  /// order of an enum, the range of an `Int8`, the members of an `OptionSet`, the structs or fractions in a set. Tie and margin are those
  /// of the app's conflicts: the desk has one of each for all fields, and knows none of a `latest(tie:margin:)`.
  public init<Row: Mergeable>(table: String, of type: Row.Type, tie: TieRule = .client, margin: Int64 = 0) {
    let rules = type.mergeFields.compactMap { field in
      field.ruleOfDesk.map { ("\(table).\(field.column)", $0) }
    }
    self.init(tie: tie, rules: Dictionary(rules, uniquingKeysWith: { first, _ in first }), margin: margin)
  }
}
