import Merging
import StoreInterface

/// The version that both had before: of which fields there is one, and which of them no policy knows.
extension Versions {
  /// The ancestor, with what the engine had taken before the edits.
  var base: RecordVersion? {
    let known = unknownAncestor.map { .unknown(reason: $0) } ?? ancestorArchive?.version
    return known?.replacing(bases)
  }

  private var bases: [String: FieldVersion<Value>] { chain.taken(before: row, edited, server, shape) }

  /// The fields of which it is none.
  var withoutAncestor: Set<String> {
    // Of nearly every record it is that of all.
    if setBack.isEmpty, back.notKnown.isEmpty, edited.isEmpty, chain.links.count == 1, returned == nil {
      return bytesNotHere
    }
    let base = base
    return Set(setBack.keys).union(notKnown.filter { isTheClientsAlone($0, base) })
      .union(chain.setToAncestors(row, edited, base, server)).union(ofBeforeTheDeletion).union(bytesNotHere)
  }

  /// What was edited before a deletion, of a record that is there again: as this device itself may have made it, nobody knows whether that
  /// stands.
  private var ofBeforeTheDeletion: [String] {
    guard returned != nil, captured.row != nil, ancestorArchive?.version.isPresent == true else { return [] }
    return Array(chain.edits(shape).keys)
  }

  /// Whether only the client would have changed a field: of one of which nobody knows whether that stands, it would be sure.
  private func isTheClientsAlone(_ name: String, _ ancestor: RecordVersion?) -> Bool {
    serverValue(name) == ancestor?.fields?[name]?.value
  }

  /// Where there was an ancestor, and this is not known to be it. Of a record that both made there is none, which policies know; but what was
  /// edited upon a value that the engine took has that for one, and is no edit beside it.
  var withoutPolicy: Set<String> {
    if unknownAncestor != nil { return Set(server.fields?.keys ?? []) }
    let upon = ancestorArchive?.version.isPresent == true ? [:] : bases
    return withoutAncestor.union(upon.keys).union(notKnown)
  }

  /// Those that were edited upon the server's value, which the engine had put in the place of an edit: of both no policy knows, as it takes them
  /// for edits of one ancestor.
  func madeUponTheServers(in before: RowImage) -> [String] {
    edited.filter { name in before[name].map { $0 == serverValue(name) } ?? false }
  }

  static let laterAncestor = "the app received it after this record"

  var unknownAncestor: String? {
    if isAncestorLater { return Versions.laterAncestor }
    if let anew { return anew.words }
    if case .unknown(let reason)? = ancestorArchive?.version { return reason }
    return nil
  }

  /// A captured ancestor is the one of that moment, and cannot be.
  private var isAncestorLater: Bool { isOutdated && !inbox.isCaptured }
}
