/// What a store knows of one of its columns or keys. Everything a value must satisfy is checked by the store itself;
/// this is for showing, and for catching a wrong value while it is typed.
public struct Field: Sendable, Hashable {
  /// Which storage classes fit a field, by the type that its store declares.
  public enum Kind: String, Sendable {
    case integer, real, text, blob
    /// What reads as a number is kept as one, and everything else as it is: SQLite's affinity NUMERIC, as of DECIMAL, BOOLEAN and
    /// DATETIME.
    case numeric
    /// Any storage class fits, as in a column without a type, or a key of a JSON document.
    case any
  }

  /// What it is a part of, and so which values it takes.
  public enum Form: Sendable {
    /// Of a table: values of its kind.
    case column
    /// Of a JSON document: any JSON. Its kind says only how a person's words are read.
    case json
    /// Of a document's files: one of a version as it is, or none.
    case attachment
  }

  /// How fields that hold attachments are called. No key of a document may begin like this.
  public static let attachmentPrefix = "_attachments/"

  /// The column's name, the document's key, or ``attachmentPrefix`` and the name of a file.
  public var name: String
  /// The storage class of its values; of JSON, how a person's words are read.
  public var kind: Kind
  /// What it is a part of: a column, unless the store says otherwise.
  public var form: Form
  /// The type as the store spells it: "TEXT", "varchar(20)", "".
  public var declaredType: String
  /// Whether it names the record, so that no draft may change it.
  public var isPrimaryKey: Bool
  /// Shown, never written.
  public var isGenerated: Bool
  /// Whether the store refuses NULL in it.
  public var isRequired: Bool
  /// The table a foreign key points to.
  public var referencedTable: String?
  /// What the rows that were there have of it that nobody has set: of a column that was added its default. nil where that is not known.
  package var initial: Value? = .some(.null)

  /// A field of which nothing is said but its name takes any value and may be written.
  public init(
    _ name: String, kind: Kind = .any, form: Form = .column, declaredType: String = "",
    isPrimaryKey: Bool = false,
    isGenerated: Bool = false, isRequired: Bool = false, referencedTable: String? = nil
  ) {
    (self.name, self.kind, self.form, self.declaredType) = (name, kind, form, declaredType)
    (self.isPrimaryKey, self.isGenerated, self.isRequired) = (isPrimaryKey, isGenerated, isRequired)
    self.referencedTable = referencedTable
  }

  /// Whether a draft can hold a value for this field.
  public var isWritable: Bool { !isPrimaryKey && !isGenerated }
}
