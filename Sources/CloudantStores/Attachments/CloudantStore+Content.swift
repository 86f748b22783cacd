import Foundation
import Merging
import RevisionTrees
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
  /// - Throws: ``Refusal`` if it does not hold what its row says, or is too long to be held in memory.
  fileprivate func content(of attachment: Attachment) throws -> [UInt8]? {
    guard let file = try file(of: attachment) else { return nil }
    if let problem = try problem(of: attachment) { throw Refusal(attachment.field, problem) }
    guard attachment.length <= Attachment.longestDecoded,
      let stored = try? Data(contentsOf: URL(filePath: file.path))
    else { throw Refusal(attachment.field, "its \(attachment.length) bytes are too many to be shown") }
    return attachment.isCompressed
      ? Gzip.unpacked(Array(stored), atMost: Int(attachment.length)) : Array(stored)
  }
}
