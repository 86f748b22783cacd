import Digests
import ExactJSON
import Foundation
import Merging
import RevisionTrees
import StoreInterface

/// The bytes of attachments that a write sends, and of those that its undo will need: the server drops them when it compacts.
extension DocumentAppends {
  /// In bytes, of one document: what its undo may need is kept up to there. A longer one comes back as long as the server has it.
  static let longestKept = 16 << 20
  /// The same of what is sent though a stub could stand for it: with what else is sent the request stays below what servers and what
  /// stands before them take (Cloudant 11 MB, in base64).
  static let longestRepeated = 4 << 20

  /// The same with the bytes at hand.
  ///
  /// - Parameter document: as it is now: any live leaf of it may have what the one that had it first has lost.
  /// - Throws: ``Refusal`` if one that is to be sent cannot be had, whole.
  func withBytes(_ server: CouchDBServer, of document: ServerDocument?) throws -> DocumentAppends {
    var (whole, room) = (self, DocumentAppends.longestKept)
    whole.stages = try stages.map {
      try $0.map { try $0.withBytes(of: self.document, document, server, &whole.parts) }
    }
    for index in before.indices {
      let id = before[index].id
      let sent = whole.own.first { $0.parent == id }?.attachments ?? [:]
      for (name, told) in before[index].attachments.sorted(by: { $0.key < $1.key }) {
        if let repeated = sent[name], repeated.source == id {
          whole.before[index].kept[name] = repeated.sha256
        } else if sent[name]?.source != nil || sent[name]?.told != told {
          whole.keep(name, told, ofLeaf: index, server, &room)
        }
      }
    }
    return whole
  }

  /// What cannot be had now is no reason not to write: it comes back as long as the server has it, and a person is told so.
  private mutating func keep(
    _ name: JSONText, _ told: JSONValue, ofLeaf index: Int, _ server: CouchDBServer, _ room: inout Int
  ) {
    do {
      guard let length = told["length"]?.integer, (0...room).contains(length) else {
        throw Refusal(nil, "of a document \(DocumentAppends.longestKept >> 20) MB are kept")
      }
      guard let bytes = try server.content(name, told, of: document, before[index].id) else {
        throw Refusal(nil, "the server no longer has it")
      }
      // Of one that came packed it is the packed length that is told.
      if bytes.count > room { throw Refusal(nil, "unpacked it is too long") }
      room -= bytes.count
      before[index].kept[name] = parts.keep(bytes)
    } catch {
      let why = (error as? Refusal)?.reason ?? StoreError.detail(of: error)
      notKept.append("\(name.text) of \(before[index].id) (\(why))")
    }
  }

  /// What a person should know before it is written, and after; nil if all is kept.
  var note: String? {
    notKept.isEmpty
      ? nil
      : "an undo brings these attachments back only as long as the server has their bytes, until it compacts: \(notKept.joined(separator: ", "))"
  }
}

extension DocumentAppends.Append {
  /// The same with the bytes that are sent.
  func withBytes(
    of document: String, _ now: ServerDocument?, _ server: CouchDBServer, _ parts: inout [[UInt8]: [UInt8]]
  ) throws -> DocumentAppends.Append {
    var whole = self
    for (name, attachment) in attachments where attachment.sha256 == nil {
      guard let source = attachment.source, source != parent else { continue }
      guard
        let bytes = try server.content(name, attachment.told, of: document, source)
          ?? now?.content(likeThat: attachment.told, server)
      else {
        throw Refusal(
          Field.attachmentPrefix + name.text,
          "the server no longer keeps it (it compacted the revision \(source))")
      }
      whole.attachments[name]?.sha256 = parts.keep(bytes)
      whole.attachments[name]?.sent(bytes)
    }
    try whole.repeatAttachments(of: document, server, &parts)
    return whole
  }

  /// With the bytes of what the parent has, too, as far as there is room beside what comes from elsewhere. Of the rest goes a stub.
  private mutating func repeatAttachments(
    of document: String, _ server: CouchDBServer, _ parts: inout [[UInt8]: [UInt8]]
  ) throws {
    let others = attachments.values.filter { $0.source != parent }.compactMap(\.sha256)
    var room = DocumentAppends.longestRepeated - others.reduce(0) { $0 + (parts[$1]?.count ?? 0) }
    for (name, attachment) in attachments.sorted(by: { $0.key < $1.key }) where attachment.source == parent {
      let kept = attachment.sha256.flatMap { parts[$0] }
      let bytes = try kept ?? server.content(name, attachment.told, of: document, parent, upTo: room)
      if let bytes, bytes.count <= room {
        room -= bytes.count
        attachments[name]?.sha256 = parts.keep(bytes)
        attachments[name]?.sent(bytes)
      } else {
        attachments[name] = DocumentAppends.Attachment(told: attachment.told, source: nil)
      }
    }
  }
}

extension DocumentAppends.Attachment {
  /// - Parameter bytes: what it is sent by.
  mutating func sent(_ bytes: [UInt8]) {
    plain = .object(["length": .literal(String(bytes.count)), "digest": .string(bytes.digest)])
  }
}

extension ServerDocument {
  /// The same bytes from a live leaf: one digest and one length are told of them, under whatever name.
  fileprivate func content(likeThat told: JSONValue, _ server: CouchDBServer) throws -> [UInt8]? {
    for leaf in live {
      for (name, other) in leaf.attachments
      where [other, leaf.alike[name] ?? other].contains(where: {
        $0["digest"] == told["digest"] && $0["length"] == told["length"]
      }) {
        if let bytes = try server.content(name, other, of: id, leaf.id) { return bytes }
      }
    }
    return nil
  }
}

extension CouchDBStore {
  /// From the first revision that has it and still has its bytes: equal ones are told alike wherever they are.
  package func content(of field: String, _ value: Value, in id: String) throws -> [UInt8]? {
    guard let document = try documents([id]).first else { throw StoreError.noSuchRecord(id: id) }
    var refusal: Refusal?
    for revision in document.revisions.values.sorted(by: { $0.id > $1.id }) {
      guard let (name, own) = revision.attachment(field), own == value, let told = revision.attachments[name]
      else { continue }
      do {
        if let bytes = try server.content(name, told, of: id, revision.id) { return bytes }
      } catch let error as Refusal {
        refusal = refusal ?? error
      }
    }
    if let refusal { throw refusal }
    return nil
  }

  /// What is attached has to be on this server: another place lends the body of an ancestor, and no bytes.
  package func judge(_ field: String, in write: PlannedWrite) throws -> ValueVerdict {
    guard let value = write.draft[field], value.isAttachment else {
      return write.verdictByNumber(of: field) ?? write.verdictByType(of: field)
    }
    if [Side.client, .server].contains(where: { write.seen[field]?.version($0)?.value == value }) {
      return .fits
    }
    let documents = try server.documents([write.seen.id])
    return documents.contains { $0.keeps(field, value) } ? .fits : .refused(DocumentAppends.noSuchAttachment)
  }
}

extension ServerDocument {
  /// Whether a live leaf has this attached, or the ancestor, where its body is kept.
  fileprivate func keeps(_ field: String, _ value: Value) -> Bool {
    let kept = live + [ancestor.flatMap { revisions[$0] }].compactMap(\.self)
    return kept.contains { $0.attachment(field)?.value == value }
  }
}

extension CouchDBServer {
  /// nil where it is told longer than `length`, or cannot be had.
  fileprivate func content(
    _ name: JSONText, _ told: JSONValue, of document: String, _ revision: String, upTo length: Int
  ) throws -> [UInt8]? {
    guard let toldLength = told["length"]?.integer, toldLength >= 0, toldLength <= length else { return nil }
    do { return try content(name, told, of: document, revision) } catch is Refusal { return nil }
  }

  /// The bytes of an attachment as its revision tells them; nil if they are not kept.
  ///
  /// - Throws: ``Refusal`` if others came: they would replace it for good.
  func content(_ name: JSONText, _ told: JSONValue, of document: String, _ revision: String) throws
    -> [UInt8]?
  {
    let refusal = { (words: String) in Refusal(Field.attachmentPrefix + name.text, words) }
    let changed = refusal(
      "its bytes come otherwise than the server tells them: something on the way changes them; reach the server without it"
    )
    do {
      guard let stored = try bytes(name.text, of: document, revision) else { return nil }
      let cameWhole = stored.bytes.count == told["length"]?.integer && stored.bytes.isTold(by: told)
      guard let bytes = stored.isPacked ? Gzip.unpackedWhole(stored.bytes) : stored.bytes else {
        throw cameWhole
          ? refusal(
            "somebody attached it packed (gzip), and what is there cannot be unpacked, or is too long")
          : changed
      }
      // Of one that was attached packed, length and digest are those of the packed bytes.
      if cameWhole { return bytes }
      let isTold = stored.bytes.isTold(by: told) || bytes.isTold(by: told)
      if isTold && bytes.count == told["length"]?.integer { return bytes }
      guard try tells(bytes, as: name, told, of: document, revision) else { throw changed }
      return bytes
    } catch StoreError.server(_, .refused(let status, _)) {
      let way = status < 500 ? "" : "; do it again"
      throw refusal("the server does not give its bytes (HTTP \(status))\(way)")
    } catch StoreError.server(_, let trouble) where trouble.isOfOneAnswer {
      throw refusal("its bytes did not come as the server tells them; do it again")
    }
  }

  /// Whether these are the bytes that the revision's own JSON has. Where a proxy takes `Accept-Encoding` away the server unpacks what it
  /// has packed, and its digest is that of the packed bytes; in JSON they come unpacked whoever asks, and nothing on the way changes them.
  private func tells(
    _ bytes: [UInt8], as name: JSONText, _ told: JSONValue, of document: String, _ revision: String
  ) throws -> Bool {
    let query = ["rev": revision, "attachments": "true"]
    let there = try get(CouchDBServer.parts(of: document), query)["_attachments"]?.members[name]
    guard let digest = told["digest"], there?["digest"] == digest else { return false }
    return there?["data"]?.string.flatMap { Data(base64Encoded: $0) } == Data(bytes)
  }
}

extension ServerTrouble {
  /// Whether the one attachment that was asked for is what went wrong: other documents may be had.
  var isOfOneAnswer: Bool {
    switch self {
    case .cut, .tooLong, .refused, .redirected, .silent, .slow: true
    case .notReached, .insecure, .astray, .nameADatabase, .notLoggedIn, .notJSON, .unreadable, .tooMany,
      .busy:
      false
    }
  }
}

extension [UInt8] {
  /// As CouchDB tells it: over what it stores, which it packs where that seems worth it.
  fileprivate var digest: String { "md5-" + Data(md5(self)).base64EncodedString() }

  fileprivate func isTold(by told: JSONValue) -> Bool { told["digest"] == .string(digest) }
}

extension [[UInt8]: [UInt8]] {
  /// - Returns: under what it is kept.
  fileprivate mutating func keep(_ bytes: [UInt8]) -> [UInt8] {
    let hash = SHA256.of(bytes)
    self[hash] = bytes
    return hash
  }
}
