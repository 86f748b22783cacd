import ExactJSON

/// A revision as another place has it: without history.
package struct RevisionBody: Sendable {
  package let members: [JSONText: JSONValue]
  /// As they are told without their bytes; nil where that place names them by other digests.
  package let attachments: [JSONText: JSONValue]?

  package init(members: [JSONText: JSONValue], attachments: [JSONText: JSONValue]?) {
    (self.members, self.attachments) = (members, attachments)
  }
}

/// Another place that may still have the bodies of revisions which are not kept here: a replica on a device, another server.
package protocol RevisionSource: Sendable {
  /// What a person calls it.
  var name: String { get }

  /// Bodies by their documents, of one revision each; without those that are not kept there either.
  func bodies(of revisions: [(document: String, revision: String)]) throws -> [JSONText: RevisionBody]
}
