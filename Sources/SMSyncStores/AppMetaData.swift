import ExactJSON
import Merging

/// What an app has said of a file in words of its own: JSON, in which it may name another file.
///
///     {"ownedByNoteUUID":"5B35D24D-…"}      an image in a note
enum AppMetaData {
  /// For a text that has some of it in it, a few levels down: nothing is refused there that is read here, and no number changes.
  static let rules = {
    var rules = JSONValue.rules
    (rules.depth, rules.passesByteOrderMark) = (rules.depth + 8, true)
    return rules
  }()

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
  /// What belongs to each file of which anything is named.
  func related() throws -> [String: RelatedFiles] {
    let all = try named()
    let files = Dictionary(all.map { (JSONText($0.uuid), $0) }) { first, _ in first }
    var related: [String: RelatedFiles] = [:]
    for file in all {
      let others = file.texts.lazy.filter { $0.text != file.uuid }
      guard let owner = others.compactMap({ text in files[JSONText(text.text)].map { (text.key, $0) } }).first
      else { continue }
      related[file.uuid, default: RelatedFiles()].owner = owner.1.named(by: owner.0)
      related[owner.1.uuid, default: RelatedFiles()].owned.append(file.named(by: owner.0))
    }
    return related
  }

  private struct NamedFile {
    let uuid: String
    let title: String
    let waits: Bool
    let texts: [(key: String, text: String)]

    func named(by key: String) -> RelatedFiles.Named {
      RelatedFiles.Named(uuid: uuid, title: title, key: key, waits: waits)
    }
  }

  private func named() throws -> [NamedFile] {
    let sql = """
      SELECT ZUUID, coalesce(ZREMOTEFILENAME, ZUUID), \(FileReader.isWaitedFor), ZINTERNALAPPMETADATA FROM ZSMLOCALFILE
      WHERE ZUUID <> '' ORDER BY Z_PK
      """
    return try db.rows(sql) { row in
      // Most have none, which is "{}".
      let texts = row.withBytes(3) { $0.count } > 6 ? AppMetaData.texts(row.bytes(3)) : []
      return NamedFile(uuid: row.text(0), title: row.text(1), waits: row.integer(2) != 0, texts: texts)
    }
  }
}
