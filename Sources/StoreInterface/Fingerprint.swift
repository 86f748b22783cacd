import Digests
import ExactJSON
import Merging

/// What a person has seen, as a decision keeps it: a decision stays in force only while this stays the same.
package struct Fingerprint: Sendable, Equatable, ExpressibleByStringLiteral {
  /// In 32 hexadecimal digits.
  package let subject: String
  /// Of all that was to be seen of the record; empty in a decision that did not keep it.
  package let record: String
  /// Of what tells the conflict from another one about the same record with the same values; empty in a decision that did not keep it.
  package let conflict: String

  package init(subject: String, record: String = "", conflict: String = "") {
    (self.subject, self.record, self.conflict) = (subject, record, conflict)
  }

  /// Journals hold the one behind the other.
  package init(stored: String) {
    // By bytes, as these are digits, and where they lie: of each decision that is read it is asked.
    var stored = stored
    (subject, record, conflict) = stored.withUTF8 { digits in
      func text(_ part: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: part), as: UTF8.self)
      }
      return (text(digits.prefix(32)), text(digits.dropFirst(32).prefix(32)), text(digits.dropFirst(64)))
    }
  }

  package init(stringLiteral stored: String) { self.init(stored: stored) }

  /// Without the second there is no place for the third.
  package var stored: String { record.isEmpty ? subject : subject + record + conflict }
}

/// Makes fingerprints. Journals hold these texts, so they never change. Every one of a field looks at all leaves, so they are
/// made together for all fields of a conflict: what they share is hashed once.
///
/// What a row has by now is seen, too, where its app's engine has merged it: that is what a write overwrites, and somebody may have set it
/// to what another side shows.
package struct Fingerprints {
  private let conflict: RecordConflict
  private lazy var columns = conflict.leafColumns
  private lazy var otherLeaves = Array(conflict.liveLeaves.dropFirst(2))
  private lazy var ofAll = makeOfAll(ancestor: conflict.version(.ancestor))
  private lazy var ofAllWithAncestor = makeOfAllWithAncestor()
  /// What tells it from another conflict of the record, be all values the same again.
  package private(set) lazy var ofConflict = makeOfConflict()
  /// The same of those that came in before it.
  private lazy var ofThoseBefore = makeOfThoseBefore()
  private var ofValues: [Value?: String] = [:]
  /// How often something was hashed: the work, for tests.
  package private(set) var count = 0

  package init(_ conflict: RecordConflict) { self.conflict = conflict }

  /// What was to be seen of `subject`, in 32 hexadecimal digits.
  ///
  /// Times are left out, as everywhere where versions are compared: an engine restamps fields whose value nobody edited.
  package mutating func of(_ subject: Subject) -> String {
    switch subject {
    case .field(let name): ofField(name)
    case .record: ofRecord()
    }
  }

  /// What a decision about `subject` keeps.
  package mutating func ofDecision(about subject: Subject) -> Fingerprint {
    Fingerprint(subject: of(subject), record: ofAll, conflict: ofConflict)
  }

  package mutating func ofEverything() -> String { ofAll }

  /// Whether what was seen of `subject` is what is there, or nothing else of it is otherwise than that its ancestor cannot be read any more:
  /// a server compacts by itself, and what was decided before that has taken no less into account.
  package mutating func fit(_ seen: Fingerprint, _ subject: Subject) -> Bool {
    seen.subject == of(subject) || isSeenWithAncestor(seen)
  }

  /// Whether what was decided about this conflict of the record was about one that is over: of what it was about nothing waits any more. Nobody
  /// has seen this one then, be all values the same again.
  package mutating func isOver(_ seen: String) -> Bool {
    guard conflict.details.cameBefore != nil, !seen.isEmpty, seen != ofConflict else { return false }
    return !ofThoseBefore.contains(seen)
  }

  /// The same of all of the record.
  package mutating func fitAll(_ seen: Fingerprint) -> Bool {
    seen.record == ofAll || isSeenWithAncestor(seen)
  }

  /// Whether it is the same as what is there but for the ancestor, which could be read then.
  private mutating func isSeenWithAncestor(_ seen: Fingerprint) -> Bool {
    ofAllWithAncestor.map { $0 == seen.record } ?? false
  }

  private mutating func ofField(_ name: String) -> String {
    let (conflict, others) = (conflict, ofOtherLeaves(name))
    let since = conflict.details.serverSince
    return hashed { digest in
      if let place = conflict.fields.place(of: name) { digest.add(conflict, at: place) }
      for (value, count) in others { digest.add(.text(value), times: count) }
      since.map { digest.add(since: $0) }
      // Its values are what was captured, as before somebody deleted it: to write one makes the record again.
      let (isGone, file) = (conflict.details.isGoneSince, conflict.details.file)
      if isGone || file?.isDeletedBehindUpload == true { digest.addRow(of: conflict) }
      digest.addEarlierUploads(of: conflict)
    }
  }

  private mutating func ofRecord() -> String {
    let (conflict, others, own) = (conflict, ofOtherVersions(), ownVersions)
    return hashed { digest in
      for side in Side.allCases { digest.add(conflict.version(side)) }
      for place in conflict.fields.indices { digest.add(conflict, at: place) }
      digest.addRow(of: conflict)
      for version in others { digest.add(.text(version), times: 1) }
      for (version, id) in own { digest.add(version, id) }
      digest.addEarlierUploads(of: conflict)
      conflict.details.serverSince.map { digest.add(since: $0) }
    }
  }

  /// What the leaves beside client and server are, with all that each of them has, as whoever decides the record as a whole ends them. In no
  /// order of theirs; see ``ofOtherLeaves(_:)``.
  private mutating func ofOtherVersions() -> [String] {
    let names = conflict.fields.declared.map(\.name)
    return otherLeaves.map { leaf in
      hashed { digest in
        digest.add(leaf.version)
        for name in names { digest.add(leaf.version.fields?[name]?.value) }
      }
    }.sorted()
  }

  /// What a file that syncs as a whole could become besides what the sides show: of an upload with a deletion after it, its text.
  private var ownVersions: [(RecordVersion, String)] {
    guard conflict.details.file != nil else { return [] }
    return conflict.alternatives.compactMap { alternative in
      guard Side(rawValue: alternative.id) == nil, case .save(let version) = alternative.outcome else {
        return nil
      }
      return (version, alternative.id)
    }
  }

  /// nil where it can be read, and where there are no leaves, which alone tell that they are the same without it.
  private mutating func makeOfAllWithAncestor() -> String? {
    guard conflict.version(.ancestor).isUnknown, !conflict.liveLeaves.isEmpty else { return nil }
    return makeOfAll(ancestor: .present([:]))
  }

  /// A leaf's id stands for its content.
  private mutating func makeOfAll(ancestor: RecordVersion) -> String {
    let (conflict, own) = (conflict, ownVersions)
    return hashed { digest in
      for version in [ancestor, conflict.version(.client), conflict.version(.server)] { digest.add(version) }
      let leaves = conflict.liveLeaves
      for leaf in leaves { digest.add(leaf.version, leaf.id) }
      if leaves.isEmpty { for place in conflict.fields.indices { digest.add(conflict, at: place) } }
      digest.addRow(of: conflict)
      for (version, id) in own { digest.add(version, id) }
      digest.addEarlierUploads(of: conflict)
      conflict.details.serverSince.map { digest.add(since: $0) }
    }
  }

  /// The version that the server has; a deletion has no tag of its own, and is told by the moment at which it came in. A history that is a
  /// tree has its leaves. No time is compared with one of another clock.
  private mutating func makeOfConflict() -> String {
    let (details, leaves) = (conflict.details, conflict.liveLeaves)
    return hashed { digest in
      for leaf in leaves { digest.add(leaf.version, leaf.id) }
      if !leaves.isEmpty { return }
      if let tag = details.serverTag, !details.isReturned {
        digest.add(.text(tag))
      } else {
        digest.add(details.receivedAt.map { .integer($0) })
      }
    }
  }

  private mutating func makeOfThoseBefore() -> Set<String> {
    let marks = conflict.details.cameBefore?.marks ?? []
    return marks.reduce(into: []) { all, mark in all.insert(hashed { $0.add(mark) }) }
  }

  /// What the leaves beside client and server have, in no order of theirs: an undo brings them back under other ids.
  private mutating func ofOtherLeaves(_ name: String) -> [(value: String, count: Int)] {
    guard !otherLeaves.isEmpty else { return [] }
    // A field that is none is one that no leaf has.
    guard let place = conflict.fields.place(of: name), let column = columns?[place] else {
      return [(ofValue(nil), otherLeaves.count)]
    }
    let counts = zip(column.values, column.counts(droppingFirst: 2)).filter { $0.1 > 0 }
    return counts.map { (ofValue($0.0), $0.1) }.sorted { $0.0 < $1.0 }
  }

  private mutating func ofValue(_ value: Value?) -> String {
    if let known = ofValues[value] { return known }
    let made = hashed { $0.add(value) }
    ofValues[value] = made
    return made
  }

  private mutating func hashed(_ body: (inout FingerprintDigest) -> Void) -> String {
    count += 1
    var digest = FingerprintDigest()
    body(&digest)
    return digest.finish()
  }
}

extension RecordConflict {
  /// What a person saw of `subject`. See ``decisions(about:in:at:note:)`` for what a decision keeps.
  package func fingerprint(of subject: Subject) -> Fingerprint {
    var fingerprints = Fingerprints(self)
    return Fingerprint(subject: fingerprints.of(subject))
  }
}

/// Everything is written with a tag and a length in front, so that no two different things give the same bytes.
private struct FingerprintDigest {
  private var hash = SHA256()
  /// Hundreds of leaves are hundreds of short pieces, and each call of the hash costs more than its bytes.
  private var pending: [UInt8] = []

  init() { pending.reserveCapacity(256) }

  mutating func finish() -> String {
    hash.update(pending)
    return Hexadecimal.text(hash.finish().prefix(16))
  }

  mutating func add(_ version: RecordVersion) {
    switch version {
    case .present: add(tag: 1)
    case .deleted: add(tag: 2)
    case .absent: add(tag: 3)
    case .unknown(let reason): add(tag: 4, reason.utf8)
    }
  }

  mutating func add(_ version: RecordVersion, _ id: Leaf.ID) {
    add(tag: 14, id.utf8)
    add(version)
  }

  mutating func add(since words: String) { add(tag: 15, words.utf8) }

  /// A field, and what its row has by now unless that is the client's.
  mutating func add(_ conflict: RecordConflict, at place: Int) {
    let name = conflict.fields.declared[place].name
    add(tag: 5, name.utf8)
    conflict.fields.look(at: place) { field in
      for side in Side.allCases { add(field.pointee.version(side)?.value) }
      guard let now = conflict.details.mergedRow?[name], now != field.pointee.client?.value else { return }
      add(tag: 16)
      add(now)
    }
  }

  /// Whether there is a row, where that is not what the client's version tells.
  mutating func addRow(of conflict: RecordConflict) {
    if conflict.details.rowIsBack { add(tag: 17) }
    for (name, value) in (conflict.details.ownOfRowBack ?? [:]).sorted(by: { $0.key < $1.key }) {
      add(tag: 19, name.utf8)
      add(value)
    }
    if conflict.details.rowIsGone { add(tag: 18) }
    if conflict.details.file?.isDeletedBehindUpload == true { add(tag: 20) }
  }

  /// What waits before the client's version, and is in none: each answer sends it, too, or drops it.
  mutating func addEarlierUploads(of conflict: RecordConflict) {
    for text in conflict.details.earlierUploads {
      add(tag: 21)
      add(text)
    }
  }

  mutating func add(_ value: Value?) {
    switch value {
    case nil: add(tag: 6)
    case .null?: add(tag: 7)
    case .integer(let integer)?: withUnsafeBytes(of: integer.littleEndian) { add(tag: 8, $0) }
    case .real(let real)?: withUnsafeBytes(of: real.bitPattern.littleEndian) { add(tag: 9, $0) }
    case .text(let text)?: add(tag: 10, text.utf8)
    case .blob(let blob)?: add(tag: 11, blob.sha256)
    case .opaque(let kind, let bytes)?:
      add(tag: 12, kind.utf8)
      add(tag: 13, bytes)
    }
  }

  /// The same again and again.
  mutating func add(_ value: Value, times count: Int) {
    if count == 0 { return }
    let start = pending.count
    add(value)
    // A long one is in the hash already.
    guard pending.count > start else {
      for _ in 1..<count { add(value) }
      return
    }
    let piece = Array(pending[start...])
    for _ in 1..<count { append(piece) }
  }

  private mutating func add(tag: UInt8) { add(tag: tag, EmptyCollection()) }

  private mutating func add(tag: UInt8, _ content: some Collection<UInt8>) {
    pending.append(tag)
    withUnsafeBytes(of: Int64(content.count).littleEndian) { pending.append(contentsOf: $0) }
    append(content)
  }

  private mutating func append(_ bytes: some Collection<UInt8>) {
    pending.append(contentsOf: bytes)
    if pending.count < 1 << 16 { return }
    hash.update(pending)
    pending.removeAll(keepingCapacity: true)
  }
}

extension RecordConflict {
  /// What moved between the conflict a person saw and what it is now, in words; nil if nothing did.
  package func moved(to now: RecordConflict) -> String? {
    if details.leaves.map(\.id) != now.details.leaves.map(\.id) { return "its leaves are others now" }
    if details.serverTag != now.details.serverTag || details.receivedAt != now.details.receivedAt {
      return "a newer server version came in"
    }
    if details.serverSince != now.details.serverSince { return "the server's index tells otherwise now" }
    if let words = movedFile(to: now) { return words }
    if details.ancestorTag != now.details.ancestorTag { return "the ancestor is another one now" }
    if let words = movedRow(to: now) { return words }
    let computed = Set(fields.filter(\.field.isGenerated).map(\.name))
    for side in Side.allCases {
      if let words = version(side).moved(to: now.version(side), side, except: computed) { return words }
    }
    if details.earlierUploads != now.details.earlierUploads {
      return "other uploads wait before the last one"
    }
    // What is suggested hangs on other records, too, such as one that the same write has just taken away: it is no part of this.
    return fields.declared == now.fields.declared && versions == now.versions ? nil : "the table changed"
  }

  /// A deletion behind an upload is in no version.
  private func movedFile(to now: RecordConflict) -> String? {
    let isDeleted = now.details.file?.isDeletedBehindUpload ?? false
    if isDeleted == details.file?.isDeletedBehindUpload ?? false { return nil }
    return isDeleted ? "the app has deleted the file since" : "the app's deletion of the file is gone"
  }

  /// What of the row is another that the client's version does not tell: a write overwrites it all the same.
  private func movedRow(to now: RecordConflict) -> String? {
    let (before, after) = (details, now.details)
    let (mine, other) = (version(.client), now.version(.client))
    if mine.isPresent == other.isPresent,
      before.rowIsGone != after.rowIsGone || before.rowIsBack != after.rowIsBack
    {
      return after.rowIsGone || before.rowIsBack ? "the row was deleted" : "the row is there again"
    }
    if before.ownOfRowBack != after.ownOfRowBack, before.rowIsBack, after.rowIsBack {
      return "the row that is back was edited"
    }
    let changed = (before.mergedRow ?? [:]).filter { name, value in
      after.mergedRow?[name] != value && mine.fields?[name]?.value == other.fields?[name]?.value
    }
    return changed.isEmpty ? nil : "\(changed.keys.sorted().joined(separator: ", ")) changed in the row"
  }
}

extension RecordVersion {
  /// Fields that are computed of others are not named where the others are.
  fileprivate func moved(to now: RecordVersion, _ side: Side, except computed: Set<String>) -> String? {
    switch (self, now) {
    case (.present(let before), .present(let after)):
      RecordVersion.moved(before, after, side, except: computed)
    case (.deleted, .deleted), (.absent, .absent), (.unknown, .unknown):
      self == now ? nil : "the \(side.rawValue) changed"
    case (_, .deleted), (_, .absent): "the record was deleted on the \(side.rawValue)"
    case (_, .present): "the \(side.rawValue) has the record again"
    case (_, .unknown): "the \(side.rawValue) can no longer be read"
    }
  }

  private static func moved(
    _ before: Fields, _ after: Fields, _ side: Side, except computed: Set<String>
  ) -> String? {
    let names = Set(before.keys).union(after.keys).sorted()
    let changed = names.filter { before[$0]?.value != after[$0]?.value }
    let own = changed.filter { !computed.contains($0) }
    let edited = own.isEmpty ? changed : own
    if !edited.isEmpty { return "\(edited.joined(separator: ", ")) changed on the \(side.rawValue)" }
    return before == after ? nil : "the time of the last change moved on the \(side.rawValue)"
  }
}
