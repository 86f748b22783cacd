import ExactJSON
import Journals

/// The ids that the server answered with to what it accepted, or under which that was found by its content where the answer was lost; by
/// the document and by what each revision follows.
///
/// A document may have another revision with the same content on the same parent: another replica decided alike, and made its id otherwise.
/// Which of them a write has made, its id alone tells. As a server appends to a leaf once, one parent has one of Parley's, whichever write
/// it was of; where a database was made anew under its name, the newest counts.
struct AcceptedIDs: Sendable, Equatable {
  /// By the document, and there by the parent.
  fileprivate var ids: [JSONText: [JSONText: String]] = [:]

  subscript(document: String, parent: String) -> String? {
    get { ids[JSONText(document)]?[JSONText(parent)] }
    set { ids[JSONText(document), default: [:]][JSONText(parent)] = newValue }
  }

  /// Whether a revision is one that was made by who has this journal.
  func has(_ id: String, of document: String) -> Bool {
    ids[JSONText(document)]?.values.contains(id) ?? false
  }
}

extension Journal {
  private static let kindOfAccepted = "accepted"

  /// What cannot be kept is told by its content later, as what an older Parley has written: the server has it all the same.
  func keep(_ accepted: AcceptedIDs) {
    if accepted.ids.isEmpty { return }
    try? write { db in
      for (document, ids) in accepted.ids {
        let json = JSONValue.object(ids.mapValues { .string($0) })
        _ = try Payload(kind: Journal.kindOfAccepted, bytes: json.canonical).keep(of: document.text, in: db)
      }
    }
  }

  func acceptedIDs(of documents: [String]) throws -> AcceptedIDs {
    var accepted = AcceptedIDs()
    for document in documents {
      for entry in try kept(Journal.kindOfAccepted, of: document).reversed() {
        let json = try? JSONValue(parsing: entry.bytes)
        for (parent, id) in json?.members ?? [:] { accepted[document, parent.text] = id.string }
      }
    }
    return accepted
  }
}
