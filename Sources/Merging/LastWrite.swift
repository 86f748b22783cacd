/// The newest write, or mending, that was not taken back: what it changed, and what taking it back will do.
public struct LastWrite: Sendable, Equatable, Identifiable {
  public struct Record: Sendable, Equatable {
    public var id: String
    public var title: String
    /// What it changed, in the order of a screen; empty where it touched no field of the record.
    public var fields: [FieldChange]

    public init(id: String, title: String, fields: [FieldChange]) {
      self.id = id
      self.title = title
      self.fields = fields
    }
  }

  public struct FieldChange: Sendable, Equatable {
    public var name: String
    /// nil where the record was not there.
    public var before: Value?
    public var after: Value?

    public init(name: String, before: Value?, after: Value?) {
      self.name = name
      self.before = before
      self.after = after
    }
  }

  /// The journal's number of it.
  public var id: Int64
  public var records: [Record]
  /// What taking it back will do, in a sentence or two.
  public var takingBack: String
  /// What of that was never checked against the real thing.
  public var notVerified: String?

  public init(id: Int64, records: [Record], takingBack: String, notVerified: String? = nil) {
    self.id = id
    self.records = records
    self.takingBack = takingBack
    self.notVerified = notVerified
  }
}

/// What would become of one record if its write were taken back.
public struct CheckedUndo: Sendable, Equatable {
  /// Fine if it can be.
  public var checked: CheckedWrite
  /// What the write changed: `before` is what comes back, `after` what it left.
  public var fields: [LastWrite.FieldChange]

  public init(_ checked: CheckedWrite, fields: [LastWrite.FieldChange]) {
    self.checked = checked
    self.fields = fields
  }
}
