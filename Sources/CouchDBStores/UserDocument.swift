import ExactJSON

/// What the function refuses that CouchDB puts into `_users` (`_design/_auth`, as 3.5.0 has it), so that who rehearses a write hears it.
///
/// It is asked by the server alone, and an administrator may have put another one in its place; so it is told, and the write is tried.
struct UserDocument {
  private let id: String
  private let members: [JSONText: JSONValue]

  /// nil for what is no user: a design document, and a deletion.
  init?(_ appends: DocumentAppends) {
    guard !appends.document.hasPrefix("_design/"),
      let draft = appends.own.first(where: { !$0.isDeleted })
    else { return nil }
    (id, members) = (appends.document, draft.members)
  }

  /// nil where it would take this.
  var objection: String? {
    if members["type"]?.string != "user" { return "type has to be user" }
    guard let name = members["name"]?.string, id == "org.couchdb.user:" + name else {
      return "name has to be what stands behind org.couchdb.user: in the document's name"
    }
    return objectionToRoles ?? objectionToPassword
  }

  private var objectionToRoles: String? {
    guard case .array(let roles)? = members["roles"] else { return "roles has to be a list" }
    let names = roles.compactMap(\.string)
    if names.count != roles.count { return "roles has to be a list of texts" }
    return names.contains { $0.hasPrefix("_") && $0 != "_metrics" } ? "no role may begin with _" : nil
  }

  private var objectionToPassword: String? {
    guard members["password_scheme"]?.string == "pbkdf2" else { return nil }
    if members["derived_key"]?.string == nil { return "derived_key has to be a text" }
    guard case .literal(let text)? = members["iterations"], Double(text) != nil else {
      return "iterations has to be a number"
    }
    return nil
  }
}

extension UserDocument {
  /// What is to be known of a write beside what it does; nil where nothing is.
  var note: String? {
    objection.map { "the function that CouchDB puts into _users refuses that, unless it was changed: \($0)" }
  }
}
