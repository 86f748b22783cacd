import Crypto

extension RecordConflict {
  /// What a person saw of `subject`, in 32 hexadecimal digits: a decision stays in force only while this stays the same.
  ///
  /// Times are left out, as everywhere where versions are compared: an engine restamps fields whose value nobody edited.
  public func fingerprint(of subject: Subject) -> String {
    var digest = FingerprintDigest()
    switch subject {
    case .field(let name):
      self[name].map { digest.add($0) }
      for value in digests(ofOtherLeaves: name) { digest.add(.text(value)) }
    case .record:
      for side in Side.allCases { digest.add(version(side)) }
      for field in fields { digest.add(field) }
      for leaf in liveLeaves.dropFirst(2) { digest.add(leaf.version, leaf.id) }
    }
    return digest.finish()
  }

  /// What the leaves beside client and server have, in no order of theirs: an undo brings them back under other ids.
  private func digests(ofOtherLeaves name: String) -> [String] {
    liveLeaves.dropFirst(2).map { leaf in
      var digest = FingerprintDigest()
      digest.add(leaf.version.fields?[name]?.value)
      return digest.finish()
    }.sorted()
  }

  /// What a decision about `subject` keeps: its fingerprint, and behind it that of all that was to be seen of the record.
  public func decisionFingerprint(of subject: Subject) -> String {
    fingerprint(of: subject) + fingerprintOfAll
  }

  /// A leaf's id stands for its content.
  private var fingerprintOfAll: String {
    var digest = FingerprintDigest()
    for side in Side.allCases { digest.add(version(side)) }
    for leaf in liveLeaves { digest.add(leaf.version, leaf.id) }
    for field in fields where liveLeaves.isEmpty { digest.add(field) }
    return digest.finish()
  }

  /// The decisions of `decisions` that are in force for what this conflict is now.
  public func resolution(from decisions: [Decision]) -> Resolution { judged(decisions).resolution }

  /// What the decisions on this record are worth now.
  ///
  /// - Parameter decisions: oldest first; the last of each subject counts.
  public func judged(_ decisions: [Decision]) -> JudgedDecisions {
    var judged = JudgedDecisions()
    for decision in decisions where decision.id == id {
      let holds = decision.choice != nil && decision.isAbout(fingerprint(of: decision.subject))
      judged.resolution.decide(decision.subject, holds ? decision.choice : nil)
      judged.outdated.removeAll { $0.subject == decision.subject }
      if !holds, decision.choice != nil, !decision.isWritten { judged.outdated.append(decision) }
    }
    if judged.resolution.isEmpty && judged.outdated.isEmpty { return judged }
    if let last = decisions.last(where: { $0.id == id }), !last.isWritten, let seen = last.seen {
      judged.isMoved = seen != fingerprintOfAll
    }
    return judged
  }
}

/// What the decisions on a record are worth now.
public struct JudgedDecisions: Sendable, Equatable {
  /// Those in force.
  public var resolution = Resolution()
  /// Those that are not, because what they were about has changed. One that was written has had its say.
  public var outdated: [Decision] = []
  /// Whether anything of the record has changed since somebody last decided about it.
  public var isMoved = false

  public init() {}
}

extension Decision {
  private static let digits = 32

  fileprivate func isAbout(_ subject: String) -> Bool { fingerprint.prefix(Decision.digits) == subject }

  /// The fingerprint of the record as it was seen; nil in a decision that did not keep it.
  fileprivate var seen: Substring? {
    let rest = fingerprint.dropFirst(Decision.digits)
    return rest.isEmpty ? nil : rest
  }
}

/// Everything is written with a tag and a length in front, so that no two different things give the same bytes.
private struct FingerprintDigest {
  private var hash = SHA256()

  mutating func finish() -> String {
    hash.finalize().prefix(16).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  mutating func add(_ version: RecordVersion) {
    switch version {
    case .present: add(tag: 1, [])
    case .deleted: add(tag: 2, [])
    case .absent: add(tag: 3, [])
    case .unknown(let reason): add(tag: 4, Array(reason.utf8))
    }
  }

  mutating func add(_ version: RecordVersion, _ id: Leaf.ID) {
    add(tag: 14, Array(id.utf8))
    add(version)
  }

  mutating func add(_ field: FieldConflict) {
    add(tag: 5, Array(field.name.utf8))
    for side in Side.allCases { add(field.version(side)?.value) }
  }

  mutating func add(_ value: Value?) {
    switch value {
    case nil: add(tag: 6, [])
    case .null?: add(tag: 7, [])
    case .integer(let integer)?: add(tag: 8, bytes(integer))
    case .real(let real)?: add(tag: 9, bytes(Int64(bitPattern: real.bitPattern)))
    case .text(let text)?: add(tag: 10, Array(text.utf8))
    case .blob(let blob)?: add(tag: 11, blob.sha256)
    case .opaque(let kind, let bytes)?:
      add(tag: 12, Array(kind.utf8))
      add(tag: 13, bytes)
    }
  }

  private mutating func add(tag: UInt8, _ content: [UInt8]) {
    hash.update(data: [tag] + bytes(Int64(content.count)))
    hash.update(data: content)
  }

  private func bytes(_ integer: Int64) -> [UInt8] { withUnsafeBytes(of: integer.littleEndian, Array.init) }
}
