import Merging
import StoreInterface

/// What is told of the versions beside their fields.
extension Versions {
  func details(isSynced: Bool?) -> RecordConflict.Details {
    var details = RecordConflict.Details(
      ancestorTag: ancestorArchive?.stamp.tag, serverTag: serverArchive?.stamp.tag,
      serverDevice: serverArchive?.device, receivedAt: inbox.receivedAt, notes: notes,
      notWritable: notWritable(isSynced: isSynced), ancestorNotChoosable: ancestorNotChoosable)
    details.isMetOnSend = inbox.path == "send" && returned == nil
    details.isReturned = returned != nil
    details.clocksApart = clocks?.apart
    details.isGoneSince = isGoneSince
    details.withoutPolicy = withoutPolicy
    if case .row = captured, !isDeletion { details.mergedRow = rowAsMerged }
    return details
  }

  /// Without what was edited after the merge.
  private var rowAsMerged: RowImage? {
    if edited.isEmpty, setBack.isEmpty { return row }
    let before = editsOfBefore
    return row?.filter { name, _ in
      before[name] != nil || setBack[name] == nil && !edited.contains(name)
    }
  }

  private func notWritable(isSynced: Bool?) -> String? {
    guard RecordName(inbox.recordName) != nil else { return "the record's name names no table" }
    guard let shape else { return "the app database has no table for it; a newer app may" }
    if shape.singleKey == nil { return "the table's primary key is not a single column" }
    return isSynced == false ? "the table is not among those that sync" : nil
  }

  private var ancestorNotChoosable: String? {
    if inbox.isDeleted || (server.isPresent && inbox.serverRecord != nil) { return nil }
    return
      "without the server's archive the ancestor cannot be advanced, and the app would overwrite this value again"
  }

  private var notes: [String] {
    var notes: [String] = []
    if !bytesNotHere.isEmpty { notes.append(Versions.notHere(bytesNotHere.sorted())) }
    if isEditedSince { notes.append("the row was edited after this record came in") }
    if isGoneSince { notes.append(Versions.goneSince) }
    if isWithoutArchive { notes.append(Versions.withoutArchive) }
    if returned != nil {
      notes.append(inbox.path == "fetch" ? Versions.madeAgain : Versions.savedAgain)
    } else if inbox.isUndoneDeletion(by: metadata) {
      notes.append(Versions.backOnServer)
    }
    if isOutdated, anew == nil || anew == .overDeletion {
      notes.append("the app has received a newer version of this record since; that one stays the ancestor")
    }
    if case .unreadable(let reason) = captured {
      notes.append("the captured row cannot be read (\(reason)); the row as it is now counts")
    }
    if let clocks { notes.append("\(clocks.words); edits less apart than that are to decide") }
    if let reason = unknownAncestor {
      notes.append("ancestor not known: \(reason)")
    } else if ancestorArchive == nil, !isDeletion {
      notes.append(mayHaveMoved ? Versions.withoutAncestorHere : Versions.neverAgreed)
    }
    if let names = serverArchive?.unknownFields, shape != nil, !names.isEmpty {
      notes.append("the server's record has fields that this table has not: \(names.joined(separator: ", "))")
    }
    if let names = ancestorArchive?.unknownFields, isDeletion, shape != nil, !names.isEmpty {
      notes.append(
        "the record had fields that this table has not, and is made anew without them if it is kept: "
          + names.joined(separator: ", "))
    }
    return notes
  }

  private var isWithoutArchive: Bool {
    !inbox.isDeleted && inbox.serverRecord == nil && inbox.serverJSON != nil
  }

  /// The engine forgets the ancestors of all that belong to a record that moves to another zone.
  private var mayHaveMoved: Bool {
    inbox.isCaptured && inbox.path == "fetch" && serverArchive?.record?.parentRecordName != nil
  }

  /// What the app has received since, nobody here need have edited.
  private var isEditedSince: Bool {
    let unknown = bytesNotHere
    if setBack.contains(where: { $0.value == 0 && !unknown.contains($0.key) }) { return true }
    let newest = edited.isEmpty ? nil : newest
    return edited.contains { !unknown.contains($0) && row?[$0] != newest?[$0]?.value }
  }
}
