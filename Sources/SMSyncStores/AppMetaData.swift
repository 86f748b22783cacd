import ExactJSON
import Merging
import StoreInterface

/// What an app has said of a file in words of its own: JSON, in which it may name another file.
///
///     {"ownedByNoteUUID":"5B35D24D-…"}      an image in a note
enum AppMetaData {
  static func value(_ bytes: [UInt8]) -> Value {
    if let json = try? JSONValue(parsing: bytes) { return Value(json) }
    return FileContent.value(bytes)
  }

  /// The texts in it, each with its key.
  static func texts(_ bytes: [UInt8]) -> [(key: String, text: String)] {
    guard bytes.count <= 1 << 20, case .object(let members)? = try? JSONValue(parsing: bytes) else {
      return []
    }
    return members.sorted { $0.key < $1.key }.compactMap { key, value in
      if case .string(let text) = value { (key.text, text.text) } else { nil }
    }
  }
}

/// The files of a container that belong together with one.
struct RelatedFiles: Sendable, Equatable {
  struct Named: Sendable, Equatable {
    let uuid: String
    let title: String
    /// The key under which one of the two names the other.
    let key: String
    /// Whether something waits for it as well.
    let waits: Bool
  }

  /// The file that its metadata names.
  var owner: Named?
  /// Those whose metadata name it.
  var owned: [Named] = []
}

extension FileReader {
  /// What belongs to each of these files.
  func related(_ rows: [FileRows]) throws -> [String: RelatedFiles] {
    if rows.isEmpty { return [:] }
    let all = try named()
    let titles = Dictionary(all.map { ($0.uuid, $0) }) { first, _ in first }
    var related: [String: RelatedFiles] = [:]
    for file in all {
      guard
        let owner = file.texts.lazy.filter({ $0.text != file.uuid }).compactMap({ text in
          titles[text.text].map { (key: text.key, file: $0) }
        }).first
      else { continue }
      related[file.uuid, default: RelatedFiles()].owner = RelatedFiles.Named(
        uuid: owner.file.uuid, title: owner.file.title, key: owner.key, waits: owner.file.waits)
      related[owner.file.uuid, default: RelatedFiles()].owned.append(
        RelatedFiles.Named(uuid: file.uuid, title: file.title, key: owner.key, waits: file.waits))
    }
    return related
  }

  private struct NamedFile {
    let uuid: String
    let title: String
    let waits: Bool
    let texts: [(key: String, text: String)]
  }

  private func named() throws -> [NamedFile] {
    let sql = """
      SELECT ZUUID, ZREMOTEFILENAME, ZINTERNALAPPMETADATA, \(FileReader.isWaitedFor) FROM ZSMLOCALFILE
      WHERE ZUUID <> '' ORDER BY Z_PK
      """
    return try db.rows(sql) { row in
      NamedFile(
        uuid: row.text(0), title: row.optionalText(1) ?? row.text(0), waits: row.integer(3) != 0,
        texts: AppMetaData.texts(row.bytes(2)))
    }
  }
}
