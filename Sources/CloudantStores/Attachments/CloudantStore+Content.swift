import Merging
import RevisionTrees
import SQLiteFiles
import StoreInterface

extension CloudantStore {
  package func content(of field: String, _ value: Value, in id: String) throws -> [UInt8]? {
    let found: Result<[UInt8]?, Refusal> = try readDocuments { reader in
      guard let state = try reader.state(of: id) else { throw StoreError.noSuchRecord(id: id) }
      let all = state.attached.values.joined()
      guard let attachment = all.first(where: { $0.field == field && $0.value == value }) else {
        return .success(nil)
      }
      do {
        return .success(try reader.attachments.content(of: attachment))
      } catch let refusal as Refusal {
        return .failure(refusal)
      }
    }
    return try found.get()
  }
}

extension AttachmentReader {
  /// nil if its file is not there.
  ///
  /// - Throws: ``Refusal`` if it does not hold what its row says, cannot be read, or is too long to be held in memory.
  fileprivate func content(of attachment: Attachment) throws -> [UInt8]? {
    guard let file = try file(of: attachment) else {
      if isOutOfSight { throw Refusal(attachment.field, whyNoFile) }
      return nil
    }
    // Of neither is anything read before: the file may be of any size, whatever its row says.
    let size = max(attachment.length, FileStatus(path: file.path)?.size ?? 0)
    if size > Attachment.longestDecoded {
      throw Refusal(attachment.field, "its \(size) bytes are too many to be shown")
    }
    if let problem = try problem(of: attachment) { throw Refusal(attachment.field, problem) }
    let stored = try stored(file, attachment)
    guard attachment.isCompressed else { return stored }
    guard let content = Gzip.unpacked(stored, atMost: Int(attachment.length)) else {
      throw Refusal(attachment.field, "its file changed while it was read")
    }
    return content
  }

  private func stored(_ file: AttachmentFile, _ attachment: Attachment) throws -> [UInt8] {
    do {
      return try RegularFile(file.path).bytes(limit: Int(Attachment.longestDecoded))
    } catch StoreError.tooLarge {
      throw Refusal(attachment.field, "its file grew while it was read, and is too long to be shown")
    } catch {
      throw Refusal(attachment.field, whyUnread(file, error))
    }
  }
}
