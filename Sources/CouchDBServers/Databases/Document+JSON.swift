import ExactJSON

/// What is shown of a document beside its contents.
struct DocumentOptions {
  var revisions = false
  var revisionsInfo = false
  var conflicts = false
  var deletedConflicts = false
  var attachments = false
  var encodingInfo = false
  var localSequence = false
  /// Attachments that these revisions had stay stubs.
  var attachmentsSince: [String]?

  init() {}

  init(_ query: [String: String]) {
    let isMeta = query["meta"] == "true"
    revisions = query["revs"] == "true"
    revisionsInfo = isMeta || query["revs_info"] == "true"
    conflicts = isMeta || query["conflicts"] == "true"
    deletedConflicts = isMeta || query["deleted_conflicts"] == "true"
    attachments = query["attachments"] == "true"
    encodingInfo = query["att_encoding_info"] == "true"
    localSequence = query["local_seq"] == "true"
  }
}

extension Document {
  /// nil for a revision whose contents are not here.
  func json(of place: Int, _ options: DocumentOptions = DocumentOptions()) -> JSON? {
    let revision = revisions[place]
    guard let contents = revision.contents else { return nil }
    var members: [(name: String, value: JSON)] = [("_id", .string(id)), ("_rev", .string(revision.id))]
    members += contents.members
    if revision.isDeleted { members.append(("_deleted", .bool(true))) }
    members += meta(place, options)
    if !contents.attachments.isEmpty {
      members.append(("_attachments", attachments(contents.attachments, place, options)))
    }
    return .object(members)
  }

  private func attachments(_ attachments: [StoredAttachment], _ place: Int, _ options: DocumentOptions)
    -> JSON
  {
    let path = path(from: place)
    let known = options.attachmentsSince?.filter { path.contains($0) }.map { RevisionKey.generation($0) }
    return .object(
      attachments.map { attachment in
        let isKnown = known?.max().map { attachment.revisionPosition <= $0 } ?? false
        let json = attachment.json(
          withBytes: options.attachments && !isKnown, encodingInfo: options.encodingInfo)
        return (name: attachment.name, value: json)
      })
  }

  private func meta(_ place: Int, _ options: DocumentOptions) -> [(name: String, value: JSON)] {
    var members: [(name: String, value: JSON)] = []
    if options.revisions { members.append(("_revisions", RevisionKey.json(of: path(from: place)))) }
    if options.revisionsInfo { members.append(("_revs_info", .array(line(from: place).map { info($0) }))) }
    let others = options.conflicts || options.deletedConflicts ? leaves.filter { $0 != place } : []
    if options.conflicts { members += list("_conflicts", others.filter { !revisions[$0].isDeleted }) }
    if options.deletedConflicts {
      members += list("_deleted_conflicts", others.filter { revisions[$0].isDeleted })
    }
    if options.localSequence { members.append(("_local_seq", JSON(sequence))) }
    return members
  }

  private func list(_ name: String, _ places: [Int]) -> [(name: String, value: JSON)] {
    places.isEmpty ? [] : [(name, .array(places.map { .string(revisions[$0].id) }))]
  }

  private func info(_ place: Int) -> JSON {
    let revision = revisions[place]
    let status = revision.contents == nil ? "missing" : revision.isDeleted ? "deleted" : "available"
    return .object([("rev", .string(revision.id)), ("status", .string(status))])
  }
}
