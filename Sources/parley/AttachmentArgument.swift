import Merging
import StoreInterface

/// Which attachment is meant by `--attachment` and `--of`.
struct AttachmentArgument {
  let name: String
  /// A side, or the revision of a leaf, or the beginning of that; also with `leaf:` in front, as behind `--set`.
  let side: String

  /// Prints its bytes as they are.
  func write(_ conflict: RecordConflict, of store: any ConflictStore, _ surroundings: Surroundings) throws {
    let field = try field(in: conflict)
    guard let value = try value(of: field, in: conflict), value.isAttachment else {
      throw CommandError.misused(words: "The \(side) of \(conflict.id) has no attachment \(name).")
    }
    let bytes = try content(of: field, value, in: conflict, store)
    if surroundings.width != nil, String(validating: bytes, as: UTF8.self) == nil {
      let command = (["parley"] + surroundings.arguments).map(shellQuoted).joined(separator: " ")
      throw CommandError.misused(
        words: "These are \(bytes.count) bytes and no text. Send them into a file: \(command) > FILE")
    }
    try surroundings.output.write(bytes)
  }

  private func field(in conflict: RecordConflict) throws -> String {
    let attachments = conflict.fields.map(\.name).filter { $0.hasPrefix(Field.attachmentPrefix) }
    let wanted = [name, Field.attachmentPrefix + name]
    if let field = attachments.first(where: wanted.contains) { return field }
    throw StoreError.noSuchAttachment(
      record: conflict.id, name: name,
      known: attachments.map { String($0.dropFirst(Field.attachmentPrefix.count)) })
  }

  private func value(of field: String, in conflict: RecordConflict) throws -> Value? {
    switch Side(rawValue: side) {
    case .ancestor?: return conflict[field]?.ancestor?.value
    case .client?: return conflict[field]?.client?.value
    case .server?: return conflict[field]?.server?.value
    case nil:
      let leaves = conflict.leaves(named: LeafArgument.name(in: side)).filter { !$0.isDeleted }
      guard let leaf = leaves.first, leaves.count == 1 else {
        throw CommandError.misused(
          words:
            "\(side) is no side of \(conflict.id) and no leaf. Name client, server, ancestor, or a revision that "
            + "parley show tells.")
      }
      return leaf.version.fields?[field]?.value
    }
  }

  private func content(
    of field: String, _ value: Value, in conflict: RecordConflict, _ store: any ConflictStore
  ) throws -> [UInt8] {
    do {
      if let bytes = try store.content(of: field, value, in: conflict.id) { return bytes }
    } catch let refusal as Refusal {
      throw StoreError.bytesNotHad(record: conflict.id, attachment: name, detail: refusal.reason)
    }
    throw StoreError.bytesNotHad(record: conflict.id, attachment: name, detail: "they are not kept any more")
  }
}
