import Digests
import ExactJSON

/// One thing wrong with a store that is not a conflict.
package struct Finding: Sendable, Equatable, Identifiable {
  /// Stable between two walks: the kind and the record.
  package var id: String
  package var table: String
  package var record: String
  package var title: String
  /// Short, for the list: "never uploaded".
  package var what: String
  /// What the files show, with its names marked.
  package var shown: Evidence
  /// Why, in one sentence.
  package var cause: String
  /// What mends it.
  package var remedy: String
  /// What ``ConflictStore/mend(_:note:)`` would do, in a sentence; nil if it can do nothing.
  package var canBeMended: String?
  /// What mending ``takingServer`` would do, where mending this keeps the client's side; nil where nothing else can be done.
  package var takesServer: String?
  /// Whether that goes only in a copy, which ``canBeMended`` tells there.
  package var mendsInCopy = false
  /// Whether mending loses what one side did, such as an edit. It is done only to findings that somebody named.
  package var takesSide: Bool
  /// Whether it is a write that was interrupted. What mends it has no receipt of its own, and is no write to take back.
  package var isInterrupted: Bool
  /// Whether mending gives the write up: what became of it stays unknown, and nothing of the store is changed.
  package var isGivenUp: Bool { isInterrupted && takesSide }
  /// Whether nothing is wrong with it yet: a change that is on its way, and only has to be sent.
  package var isWaiting: Bool
  /// Where the server's values and those here differ: `before` is what the server last had, as far as is known here, and `after` what would
  /// take its place. Of ``takingServer`` it is the other way round. Where `after` is nil, mending would end what is in `before`. Empty where
  /// no value would be overwritten, or nobody knows them.
  package var differences: [LastWrite.FieldChange] = []
  /// Names of other records that it is about: a parent, children. Cause and remedy name none, so that they can be shown to
  /// anybody.
  package var related: [String]
  /// Nanoseconds since 1970, where known.
  package var time: Int64?

  package init(
    id: String, table: String, record: String, title: String, what: String, evidence: Evidence, cause: String,
    remedy: String, canBeMended: String? = nil, takesSide: Bool = false, isInterrupted: Bool = false,
    isWaiting: Bool = false, related: [String] = [], time: Int64? = nil
  ) {
    (self.id, self.table, self.record, self.title, self.what) = (id, table, record, title, what)
    shown = evidence
    (self.cause, self.remedy, self.canBeMended, self.takesSide) = (cause, remedy, canBeMended, takesSide)
    (self.isInterrupted, self.isWaiting) = (isInterrupted, isWaiting)
    (self.related, self.time) = (related, time)
  }

  /// What the files show.
  package var evidence: String { shown.description }

  /// What stands behind the key of a finding that is mended by what the server has.
  package static let serverSuffix = "=server"

  /// Whether an id is one of these: a record's own name may hold the same.
  package static func takesServer(_ id: String) -> Bool {
    endOfKey(id).map { id[..<$0].hasSuffix(serverSuffix) } ?? false
  }

  /// The same finding, to be mended by taking the server's side; nil where that cannot be done.
  package var takingServer: Finding? {
    guard let takesServer, let colon = Finding.endOfKey(id) else { return nil }
    var other = self
    other.id = id[..<colon] + Self.serverSuffix + id[colon...]
    (other.canBeMended, other.takesServer, other.takesSide) = (takesServer, nil, true)
    other.differences = differences.map(\.reversed)
    other.remedy = "Give the row the server's value."
    return other
  }

  /// One that is mended by the server's side, by the id that it has for either side; any other as it is.
  package var ofEitherSide: Finding {
    guard Finding.takesServer(id), let colon = Finding.endOfKey(id) else { return self }
    var other = self
    other.id = "\(id[..<colon].dropLast(Self.serverSuffix.count))\(id[colon...])"
    other.differences = differences.map(\.reversed)
    return other
  }

  /// The id that its record has where it is in conflict, too.
  package var subject: String { Finding.parts(of: id)?.subject ?? id }

  /// What it is, without the record that it is about: "never-uploaded".
  package var key: String { Finding.parts(of: id)?.key ?? id }

  /// The key of an id and the record that it is about; nil of what has no colon.
  package static func parts(of id: Finding.ID) -> (key: String, subject: String)? {
    endOfKey(id).map { (key: String(id[..<$0]), subject: String(id[id.utf8.index(after: $0)...])) }
  }

  /// By bytes: a record's name may begin with a combining accent.
  private static func endOfKey(_ id: String) -> String.Index? { id.utf8.firstIndex(of: UInt8(ascii: ":")) }
}

extension Finding {
  /// What is said of a trouble, whatever has it.
  package struct Words: Sendable, Equatable {
    /// Part of a finding's identity, so never changed. Holds no colon.
    package let key: String
    package let what: String
    /// What the files show, with its names marked.
    package var evidence: Evidence
    package let cause: String
    package let remedy: String

    package init(_ key: String, what: String, _ evidence: Evidence, cause: String, remedy: String) {
      (self.key, self.what, self.evidence, self.cause, self.remedy) = (key, what, evidence, cause, remedy)
    }
  }

  /// - Parameter subject: what has it, as its id tells.
  package init(
    _ words: Words, of subject: String, table: String, record: String, title: String,
    canBeMended: String? = nil, takesSide: Bool = false, isWaiting: Bool = false, related: [String] = [],
    time: Int64? = nil
  ) {
    self.init(
      id: "\(words.key):\(subject)", table: table, record: record, title: title, what: words.what,
      evidence: words.evidence, cause: words.cause, remedy: words.remedy, canBeMended: canBeMended,
      takesSide: takesSide, isWaiting: isWaiting, related: related, time: time)
  }
}

/// An id with what was seen: whoever names a finding so means it for as long as it is that.
///
///     deletion-lost:q             whatever is found of q then
///     deletion-lost=5d41402a:q    what its evidence told, by the beginning of a hash
extension Finding {
  package var idAsSeen: Finding.ID {
    guard let colon = Finding.endOfKey(id) else { return id }
    return "\(id[..<colon])=\(mark)\(id[colon...])"
  }

  private var mark: String { Hexadecimal.text(SHA256.of(Array(evidence.utf8)).prefix(4)) }

  /// Whether a name means this finding, and as what it is now; nil if it means none, or says nothing of what was seen.
  package func isSeen(by name: String) -> Bool? {
    guard let colon = Finding.endOfKey(name) else { return nil }
    let seen = name[..<colon].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard seen.count == 2, seen[1].utf8.count == mark.utf8.count,
      (seen[0] + name[colon...]).hasSameBytes(as: id)
    else { return nil }
    return seen[1] == mark
  }
}

extension [Finding] {
  package var byID: ByRecord<Finding> { ByRecord(map { ($0.id, $0) }) { first, _ in first } }
}

extension Finding {
  package static let interruptedPrefix = "interrupted:"

  /// The id of the finding that the write of a record was interrupted.
  package static func interrupted(_ record: String) -> Finding.ID { interruptedPrefix + record }

  /// The record that it is about then.
  package var interruptedRecord: String? {
    isInterrupted && id.utf8.starts(with: Self.interruptedPrefix.utf8) ? subject : nil
  }
}
