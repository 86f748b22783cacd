import Merging
import StoreInterface

extension Finding {
  /// Whose the values of its differences are.
  package typealias Parties = (before: String, after: String)

  package var parties: Parties { Finding.takesServer(id) ? ("here", "server") : ("server", "here") }
}

extension LastWrite.FieldChange {
  /// What stands before the values of a finding: whether they differ, or mending ends them.
  package var headingOfFinding: String { after == nil ? "Would go" : "Differs" }
}

extension Privacy {
  /// The values of a change, whole.
  package func told(_ field: LastWrite.FieldChange) -> (old: String, new: String) {
    (
      line(field.before, titles: field.titles, kind: field.kind),
      line(field.after, titles: field.titles, kind: field.kind)
    )
  }
}
