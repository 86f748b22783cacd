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
    var related: [String: RelatedFiles] = [:]
    for file in rows { related[file.uuid] = RelatedFiles(owner: try owner(of: file)) }
    for (owner, file) in try owned(by: Set(rows.map(\.uuid))) { related[owner]?.owned.append(file) }
    return related
  }

  private func owner(of file: FileRows) throws -> RelatedFiles.Named? {
    let sql = """
      SELECT ZUUID, coalesce(ZREMOTEFILENAME, ZUUID), \(FileReader.isWaitedFor) FROM ZSMLOCALFILE WHERE ZUUID = ?
      """
    for (key, text) in AppMetaData.texts(file.metadata ?? []) where text != file.uuid && !text.isEmpty {
      let named = try db.firstRow(sql, [.text(text)]) {
        RelatedFiles.Named(uuid: $0.text(0), title: $0.text(1), key: key, waits: $0.integer(2) != 0)
      }
      if let named { return named }
    }
    return nil
  }

  /// The files whose metadata name one of these, each with its name.
  private func owned(by names: Set<String>) throws -> [(owner: String, file: RelatedFiles.Named)] {
    // Of one file only what holds its name is taken apart; of many, all that could hold one.
    let isOne = names.count == 1
    let sql = """
      SELECT ZUUID, coalesce(ZREMOTEFILENAME, ZUUID), \(FileReader.isWaitedFor), ZINTERNALAPPMETADATA FROM ZSMLOCALFILE
      WHERE ZUUID <> '' AND length(ZINTERNALAPPMETADATA) > 6
        \(isOne ? "AND instr(CAST(ZINTERNALAPPMETADATA AS TEXT), ?) > 0" : "") ORDER BY Z_PK
      """
    return try db.rows(sql, isOne ? names.map { .text($0) } : []) { row in
      let uuid = row.text(0)
      let owner = AppMetaData.texts(row.bytes(3)).first { $0.text != uuid && names.contains($0.text) }
      return owner.map { owner in
        let file = RelatedFiles.Named(
          uuid: uuid, title: row.text(1), key: owner.key, waits: row.integer(2) != 0)
        return (owner.text, file)
      }
    }.compactMap(\.self)
  }
}
