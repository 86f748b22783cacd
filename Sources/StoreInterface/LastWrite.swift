import Merging

/// The newest write, or mending, that was not taken back: what it changed, and what taking it back will do.
package struct LastWrite: Sendable, Equatable, Identifiable {
  package struct Record: Sendable, Equatable {
    package var id: String
    package var title: String
    /// What it changed, in the order of a screen; empty where it touched no field of the record.
    package var fields: [FieldChange]

    package init(id: String, title: String, fields: [FieldChange]) {
      self.id = id
      self.title = title
      self.fields = fields
    }
  }

  package struct FieldChange: Sendable, Equatable {
    package var name: String
    /// nil where the record was not there.
    package var before: Value?
    package var after: Value?

    package init(name: String, before: Value?, after: Value?) {
      self.name = name
      self.before = before
      self.after = after
    }
  }

  /// The journal's number of it.
  package var id: Int64
  package var records: [Record]
  /// What taking it back will do, in a sentence or two.
  package var takingBack: String
  /// What of that was never checked against the real thing.
  package var notVerified: String?

  package init(id: Int64, records: [Record], takingBack: String, notVerified: String? = nil) {
    self.id = id
    self.records = records
    self.takingBack = takingBack
    self.notVerified = notVerified
  }
}

/// What would become of one record if its write were taken back.
package struct CheckedUndo: Sendable, Equatable {
  /// Fine if it can be.
  package var checked: CheckedWrite
  /// What the write changed: `before` is what comes back, `after` what it left.
  package var fields: [LastWrite.FieldChange]

  package init(_ checked: CheckedWrite, fields: [LastWrite.FieldChange]) {
    self.checked = checked
    self.fields = fields
  }
}
