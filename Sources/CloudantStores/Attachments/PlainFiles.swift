import ExactJSON
import Foundation
import RevisionTrees
import SQLiteFiles
import StoreInterface

/// The files that a write makes, of the plain bytes of attachments that are gzip: see ``CarriedAttachment``.
///
/// While it is found out what changes they are only noted, for that is done to look, too.
final class PlainFiles {
  /// Whether they will be made.
  var canBeMade = true
  private var names: [[UInt8]: String] = [:]
  /// By the path of the new file.
  private var packed: [String: (file: AttachmentFile, length: Int64)] = [:]

  /// As the library calls a new one: 20 bytes by chance, in hexadecimal. Before there were records of names it was the digest.
  func newName(of content: [UInt8], isRecorded: Bool) -> String {
    if !isRecorded { return Hexadecimal.text(content) }
    if let known = names[content] { return known }
    let name = Hexadecimal.text((1...20).map { _ in UInt8.random(in: .min ... .max) })
    names[content] = name
    return name
  }

  /// - Throws: ``Refusal`` where it cannot be made.
  func add(_ file: AttachmentFile, of attachment: Attachment, from source: AttachmentFile?) throws {
    guard canBeMade else {
      throw Refusal(attachment.field, "it is unpacked into a file of its own, and SQL makes no files")
    }
    guard let source else { throw Refusal(attachment.field, "its file cannot be unpacked") }
    packed[file.path] = (source, attachment.length)
  }

  /// They are durable when this returns.
  ///
  /// - Throws: ``StoreError/writeFailed(path:detail:)``
  func make() throws {
    for (path, source) in packed {
      let bytes = try bytes(of: source.file, source.length, for: path)
      try DurableFile.write(bytes, to: path, like: source.file.path)
    }
    for folder in Set(packed.keys.map { folderAndName($0).folder }) { DurableFile.sync(folder: folder) }
  }

  private func bytes(of source: AttachmentFile, _ length: Int64, for path: String) throws -> [UInt8] {
    guard let stored = try? RegularFile(source.path).bytes(limit: Int(Attachment.longestDecoded)),
      let bytes = Gzip.unpacked(stored, atMost: Int(length)), bytes.count == length
    else {
      throw StoreError.writeFailed(path: path, detail: "the file that it is unpacked from cannot be read")
    }
    return bytes
  }
}
