import ExactJSON
import Foundation
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// What a new revision gets of an attachment that it takes over.
struct CarriedAttachment {
  /// Its row, still with the sequence and the generation of the revision that it is taken from.
  let row: RowImage
  /// What is changed beside that row.
  var others: [StoredChange] = []
}

extension Attachment {
  /// On Android nothing is carried as gzip: sync-android sends an attachment that is new in its revision unpacked, and under the length of
  /// the gzip. Such a push fails whenever it is tried ("too many bytes written"), and holds up all that comes after it. The library itself
  /// sends what it pulled as a stub. CDTDatastore sends the bytes as they are stored, and says that they are gzip.
  fileprivate func isUnpacked(on platform: DatastoreSchema.Platform) -> Bool {
    switch platform {
    case .ios: false
    case .android: isCompressed
    }
  }

  /// Then no draft and no undo can take it over.
  func isTooLongToCarry(on platform: DatastoreSchema.Platform) -> Bool {
    isUnpacked(on: platform) && isTooLongToDecode
  }
}

extension DocumentReader {
  /// What a revision gets that takes the attachment over.
  ///
  /// - Throws: ``Refusal`` if it has to be unpacked, and cannot.
  func carried(_ attachment: Attachment) throws -> CarriedAttachment {
    guard attachment.isUnpacked(on: schema.platform) else {
      return CarriedAttachment(row: attachment.row, others: try recording(attachment))
    }
    let content = try contentKey(of: attachment)
    var row = attachment.row
    row["key"] = .blob(Blob(bytes: content))
    row["encoding"] = .integer(0)
    // As the library has it of what is plain.
    row["encoded_length"] = .integer(0)
    let names = try plainFile(of: attachment, content)
    return CarriedAttachment(row: row, others: [StoredChange.found(content, in: attachment.key)] + names)
  }

  /// The name of its file, if nobody has recorded it: a compaction takes the record with the file. Who puts that back puts back no record,
  /// and without one the library finds no file.
  private func recording(_ attachment: Attachment) throws -> [StoredChange] {
    guard schema.fileNames != nil, try !attachments.isNameRecorded(of: attachment.key),
      let file = try attachments.file(of: attachment)
    else { return [] }
    return [.naming(folderAndName(file.path).name, attachment.key)]
  }

  private func contentKey(of attachment: Attachment) throws -> [UInt8] {
    if let problem = try attachments.problem(of: attachment) { throw Refusal(attachment.field, problem) }
    if attachment.isTooLongToDecode {
      let words =
        "its \(attachment.length) bytes are too many to be unpacked here, and packed the app could not send it"
      throw Refusal(attachment.field, words)
    }
    guard let content = try attachment.contentKey ?? attachments.contentKey(of: attachment) else {
      throw Refusal(attachment.field, "its file cannot be unpacked")
    }
    return content
  }

  /// The name of the file of the plain bytes, if nobody has recorded one. The file itself is made before the commit.
  private func plainFile(of attachment: Attachment, _ content: [UInt8]) throws -> [StoredChange] {
    let known = try attachments.recordedName(of: content)
    let name = known ?? plainFiles.newName(of: content, isRecorded: schema.fileNames != nil)
    let file = AttachmentFile(path: files.attachments + "/" + name)
    if FileStatus(path: file.path) == nil {
      try plainFiles.add(file, of: attachment, from: attachments.file(of: attachment))
    } else if (try? file.storedBytes())?.sha1 != content {
      throw Refusal(attachment.field, "the file of its plain bytes, \(name), is damaged")
    }
    return known == nil && schema.fileNames != nil ? [.naming(name, content)] : []
  }
}

/// What comes with a carried attachment.
extension StoredChange {
  static let foundContent = "found content"

  /// No row of the datastore, and nothing changes: which content a compressed attachment was found to have. By their keys alone nobody
  /// could tell later that what was carried is the same.
  fileprivate static func found(_ content: [UInt8], in key: [UInt8]) -> StoredChange {
    let key: RowImage = ["key": .blob(Blob(bytes: key))]
    let row = key.merging(["content": .blob(Blob(bytes: content))]) { key, _ in key }
    return StoredChange(file: .app, table: foundContent, key: key, before: row, after: row)
  }

  fileprivate static func naming(_ name: String, _ content: [UInt8]) -> StoredChange {
    let key: RowImage = ["key": .text(Hexadecimal.text(content))]
    let row = key.merging(["filename": .text(name)]) { key, _ in key }
    return StoredChange(file: .app, table: DatastoreSchema.fileNamesTable, key: key, after: row)
  }
}

extension [StoredChange] {
  /// What several attachments of one content bring with them is there once.
  var withoutRepeats: [StoredChange] {
    var seen: Set<RowImage> = []
    let tables = [StoredChange.foundContent, DatastoreSchema.fileNamesTable]
    return filter { !tables.contains($0.table) || seen.insert($0.key).inserted }
  }

  /// The key of the content by the key of a compressed attachment.
  var foundContents: [[UInt8]: [UInt8]] {
    let found = filter { $0.table == StoredChange.foundContent }.compactMap { change -> ([UInt8], [UInt8])? in
      guard case .blob(let key)? = change.after?["key"], case .blob(let content)? = change.after?["content"],
        let key = key.bytes, let content = content.bytes
      else { return nil }
      return (key, content)
    }
    return Dictionary(found) { first, _ in first }
  }

  /// The files that a write makes. What is called by its own digest was there before, and was only recorded.
  fileprivate var newFileNames: [String] {
    filter { $0.table == DatastoreSchema.fileNamesTable && $0.before == nil }.compactMap {
      guard case .text(let name)? = $0.after?["filename"], case .text(let digest)? = $0.after?["key"],
        !name.lowercased().hasPrefix(digest)
      else { return nil }
      return name
    }
  }
}

extension DocumentReader {
  /// Takes away what an interrupted write has made, where no row tells of it. Its names are random: nobody else can have meant them.
  func removeFiles(of changes: [StoredChange]) {
    for name in changes.newFileNames where !name.contains("/") && (try? isRecorded(name)) == false {
      for file in [name, name + DurableFile.suffix] { unlink(files.attachments + "/" + file) }
    }
  }

  private func isRecorded(_ name: String) throws -> Bool {
    try db.hasRow("SELECT 1 FROM \(DatastoreSchema.fileNamesTable) WHERE filename = ?", [.text(name)])
  }
}
