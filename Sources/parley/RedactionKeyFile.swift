import Foundation
import Journals
import SQLiteFiles
import Telling

/// The key of one person's reports, for its owner alone. It is in no report, and a copy of a store does not bring it along.
struct RedactionKeyFile {
  let folder: String

  var path: String { folder + "/redaction.key" }

  struct Trouble: Error, CustomStringConvertible {
    var description: String
  }

  /// Made when it is first asked for.
  ///
  /// - Throws: ``Trouble``
  func key() throws -> RedactionKey {
    if FileStatus(path: path) == nil { try make() }
    PrivateFile.tighten(path)
    guard let bytes = try? bytes(ofFile: path, limit: RedactionKey.size), let key = RedactionKey(bytes) else {
      throw Trouble(description: "\(path) cannot be read, or is no key of \(RedactionKey.size) bytes")
    }
    return key
  }

  /// Under its name it is whole at once, as another Parley may make one in the same moment: then that one counts.
  private func make() throws {
    let draft = "\(path).\(getpid())"
    unlink(draft)
    defer { unlink(draft) }
    guard PrivateFile.makeFolder(folder), write(RedactionKey().bytes, to: draft),
      link(draft, path) == 0 || errno == EEXIST
    else { throw Trouble(description: "\(path) cannot be written, \(systemError())") }
  }

  private func write(_ bytes: [UInt8], to draft: String) -> Bool {
    let file = open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    return Foundation.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
  }
}
