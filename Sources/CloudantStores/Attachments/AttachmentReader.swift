import ExactJSON
import GRDB
import Merging
import SQLiteFiles
import StoreInterface

/// Reads attachments, and looks whether their files are what the rows say.
struct AttachmentReader {
  let db: Database
  let schema: DatastoreSchema
  let files: DatastoreFiles
  let checked: CheckedFiles

  /// What a revision has attached.
  ///
  /// - Throws: ``Refusal`` if nobody can tell all of it: a write that carried the rest would lose what is not told.
  func attachments(of sequence: Int64) throws -> [Attachment] {
    let attachments = try rows(of: sequence).map { row in
      guard let attachment = Attachment(row) else { throw Refusal(nil, Attachment.reasonOfNone) }
      return attachment
    }
    if let reason = attachments.reasonOfTwins { throw Refusal(nil, reason) }
    return attachments
  }

  private func rows(of sequence: Int64) throws -> [RowImage] {
    guard let columns = schema.attachments?.stored else { return [] }
    let list = columns.map { quoted($0.name) }.joined(separator: ", ")
    let sql = "SELECT \(list) FROM attachments WHERE sequence = ? ORDER BY filename"
    return try db.rows(sql, [.integer(sequence)]) { row in
      let values = zip(Int32(0)..., columns).map { index, column in (column.name, row.value(index)) }
      return RowImage(uniqueKeysWithValues: values)
    }
  }

  /// Why the attachment cannot be carried into a new revision; nil if its file is there and holds what its row says.
  func problem(of attachment: Attachment) throws -> String? {
    try checked.problem(of: attachment) { try problemOfItsFile(attachment) }
  }

  private func problemOfItsFile(_ attachment: Attachment) throws -> String? {
    guard let file = try file(of: attachment) else { return whyNoFile }
    do {
      return problem(of: attachment, file, try file.storedBytes())
    } catch {
      return whyUnread(file, error)
    }
  }

  /// Whether nobody can tell what files there are.
  var isOutOfSight: Bool { FileStatus.isOutOfSight(files.attachments + "/.") }

  /// Why no file of an attachment is seen.
  var whyNoFile: String {
    let folder = folderAndName(files.attachments).name
    return isOutOfSight
      ? "this user may not enter \(folder), where its file belongs" : "its file is not in \(folder)"
  }

  /// Why a file that was seen is not read.
  func whyUnread(_ file: AttachmentFile, _ error: any Error) -> String {
    switch error {
    case StoreError.fileMissing: whyNoFile
    case StoreError.cannotRead(_, let detail, _):
      "its file \(folderAndName(file.path).name) cannot be read: \(detail)"
    default: "its file \(folderAndName(file.path).name) cannot be read"
    }
  }

  private func problem(
    of attachment: Attachment, _ file: AttachmentFile, _ stored: AttachmentFile.Bytes
  ) -> String? {
    let name = folderAndName(file.path).name
    if stored.sha1 != attachment.key { return "its file \(name) is damaged: its bytes have another digest" }
    if attachment.isTooLongToDecode {
      return file.isNamedGzip(of: attachment.length)
        ? nil : "its file \(name) is damaged: it should be gzip of \(attachment.length) bytes"
    }
    let content = attachment.isCompressed ? file.content(atMost: attachment.length) : stored
    guard let content else {
      return "its file \(name) is damaged: it should be gzip of \(attachment.length) bytes"
    }
    return content.count == attachment.length
      ? nil : "its file \(name) holds \(content.count) bytes, and its row says \(attachment.length)"
  }
}

extension [Attachment] {
  /// Why these cannot be told apart by their fields; nil if they can. To a String names that differ in their normal form are one.
  fileprivate var reasonOfTwins: String? {
    if Set(map(\.name)).count == count { return nil }
    return Set(map { JSONText($0.name) }).count == count
      ? "two of its attachments are called alike but for their Unicode normal form"
      : "two of its attachments have one name"
  }
}

/// Comparing what is stored in several ways.
extension AttachmentReader {
  /// The same attachments, with the digest of the content where that has to be compared: a plain and a compressed copy of one
  /// file have two keys, and so may two compressed ones. A file is read only where keys of one name differ and lengths do not,
  /// and of all files of a document together no more than ``Attachment/longestDecoded`` is decoded.
  func comparable(_ attachments: [Int: [Attachment]]) throws -> [Int: [Attachment]] {
    let byName = Dictionary(grouping: attachments.values.joined(), by: \.name)
    var decoded: [[UInt8]: [UInt8]] = [:]
    var room = Attachment.longestDecoded
    for copies in byName.values {
      for copy in copies where copy.isCompressed && decoded[copy.key] == nil && copy.length <= room {
        guard copies.contains(where: { $0.key != copy.key && $0.length == copy.length }) else { continue }
        room -= copy.length
        decoded[copy.key] = try contentKey(of: copy)
      }
    }
    if decoded.isEmpty { return attachments }
    return attachments.mapValues { list in
      list.map { attachment in
        var attachment = attachment
        if attachment.isCompressed { attachment.contentKey = decoded[attachment.key] }
        return attachment
      }
    }
  }

  /// nil where the file is gone, damaged, or cannot be read; then the keys are all that is known.
  func contentKey(of attachment: Attachment) throws -> [UInt8]? {
    guard let file = try file(of: attachment), (try? file.storedBytes())?.sha1 == attachment.key,
      let content = file.content(atMost: attachment.length), content.count == attachment.length
    else { return nil }
    return content.sha1
  }
}

/// Coming back.
extension AttachmentReader {
  /// What a compaction has taken away nobody here has any more, but a backup may, and so may another replica: each file that has to be
  /// there first is named, as the way out.
  ///
  /// - Throws: ``Refusal`` if one of these cannot be carried into a new revision.
  func checkAll(_ attachments: [Attachment]) throws {
    let gone = try attachments.filter { try file(of: $0) == nil }
    if let first = gone.first, !isOutOfSight { throw Refusal(first.field, try whyNoFile + wayBack(of: gone)) }
    for attachment in attachments {
      if let problem = try problem(of: attachment) { throw Refusal(attachment.field, problem) }
    }
  }

  private func wayBack(of gone: [Attachment]) throws -> String {
    var names: [String] = []
    for attachment in gone {
      let words = "\(attachment.name) as \(try nameToBeFoundBy(attachment.key))"
      if !names.contains(words) { names.append(words) }
    }
    return """
      ; put there, as from a backup or the datastore of another device, \(names.joined(separator: ", ")), and then take it back
      """
  }

  /// Without a record a file is found by its digest, which is also what tells it in a folder of names that say nothing.
  private func nameToBeFoundBy(_ key: [UInt8]) throws -> String {
    if let recorded = try recordedName(of: key) { return recorded }
    let digest = Hexadecimal.text(key)
    return switch schema.platform {
    case .ios: digest.uppercased() + ".blob"
    case .android: digest
    }
  }
}

extension AttachmentReader {
  func file(of attachment: Attachment) throws -> AttachmentFile? {
    try paths(of: attachment).first { FileStatus(path: $0)?.isRegular == true }.map {
      AttachmentFile(path: $0)
    }
  }

  /// Since the table of names a file may be called anything. Before, it was the digest in upper case; those were recorded
  /// in lower case, and not renamed.
  private func paths(of attachment: Attachment) throws -> [String] {
    let hexadecimal = Hexadecimal.text(attachment.key)
    var names = [
      hexadecimal.uppercased() + ".blob", hexadecimal + ".blob", hexadecimal.uppercased(), hexadecimal,
    ]
    if let name = try recordedName(of: attachment.key) { names.insert(name, at: 0) }
    return names.map { files.attachments + "/" + $0 }
  }

  /// Whether somebody has recorded what the file of these bytes is called, be it a name that nobody follows.
  func isNameRecorded(of key: [UInt8]) throws -> Bool {
    if schema.fileNames == nil { return false }
    let sql = "SELECT 1 FROM \(DatastoreSchema.fileNamesTable) WHERE key = ?"
    return try db.hasRow(sql, [.text(Hexadecimal.text(key))])
  }

  /// What the file of these bytes is called; nil if nobody has recorded it, or the name leads out of the folder.
  func recordedName(of key: [UInt8]) throws -> String? {
    if schema.fileNames == nil { return nil }
    let sql = "SELECT filename FROM \(DatastoreSchema.fileNamesTable) WHERE key = ?"
    let name = try db.firstRow(sql, [.text(Hexadecimal.text(key))]) { $0.text(0) }
    return name.flatMap { $0.contains("/") ? nil : $0 }
  }
}

/// What was found wrong with files of attachments while one document was looked at. Many of its attachments may share a file,
/// and a few megabytes of gzip hold gigabytes: each is read and decoded once.
final class CheckedFiles {
  private struct Claim: Hashable {
    let key: [UInt8]
    let length: Int64
    let isCompressed: Bool
  }

  private var problems: [Claim: String?] = [:]

  /// nil if there is none; `find` is called for what was not looked at yet.
  func problem(of attachment: Attachment, _ find: () throws -> String?) rethrows -> String? {
    let claim = Claim(key: attachment.key, length: attachment.length, isCompressed: attachment.isCompressed)
    if let known = problems[claim] { return known }
    let found = try find()
    problems[claim] = .some(found)
    return found
  }
}
