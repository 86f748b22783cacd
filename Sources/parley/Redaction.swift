import Journals
import Synchronization
import Telling

/// How this person's reports are redacted, and by what their names are found again. The key is looked for when the first is asked for,
/// and stays the same as long as the program runs.
final class Redaction: Sendable {
  private let look: @Sendable () throws -> RedactionKey
  private let found = Mutex<(privacy: Privacy, trouble: String?)?>(nil)

  /// - Parameter look: throws where a key cannot be kept.
  init(_ look: @escaping @Sendable () throws -> RedactionKey) { self.look = look }

  var privacy: Privacy { all.privacy }

  /// Why the names of a report hold no longer than this run; nil if they are found again.
  var trouble: String? { all.trouble }

  private var all: (privacy: Privacy, trouble: String?) {
    found.withLock { found in
      let all = found ?? looked()
      found = all
      return all
    }
  }

  /// Without a key that is kept a report is worth reading all the same, and it must not fall back to hashes that can be guessed.
  private func looked() -> (Privacy, String?) {
    do {
      return (.redacted(by: try look()), nil)
    } catch {
      return (.redacted(by: RedactionKey()), Self.words(error))
    }
  }

  private static func words(_ error: any Error) -> String {
    "Nobody can find a record again by the hashes of this report, as the key that makes them cannot be kept: \(error). "
      + "XDG_STATE_HOME=FOLDER names another folder for it."
  }
}

extension Surroundings {
  /// What a report may show, and what goes wrong from now on. Says so where its names are found no more.
  func privacy(isRedacted: Bool) throws -> Privacy {
    guard isRedacted else { return .open }
    if let trouble = redaction.trouble {
      try errors.print("parley: " + trouble)
      try errors.flush()
    }
    opened.privacy = redaction.privacy
    return redaction.privacy
  }
}

extension Redaction {
  /// By the key in the folder of the journals.
  static func kept(_ environment: [String: String]) -> Redaction {
    Redaction { try RedactionKeyFile(folder: JournalPath.stateFolder(environment)).key() }
  }
}
