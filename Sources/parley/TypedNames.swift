import ExactJSON
import Merging
import StoreInterface
import Telling

// How a person may name a record: by its whole name `PK:TABLE`, as `TABLE/PK`, by the key alone, by its title, by the hash
// that a redacted report has in its place, or by any beginning or end of a name that fits one record only. A leading `…` or `..`, with
// which the list shortens a key, is ignored, and so is the case of letters where no name fits exactly.

extension ConflictStore {
  /// The records' own names, each once, in the order given.
  ///
  /// - Parameter privacy: what an error may tell of names that nobody typed.
  /// - Throws: ``CommandError/unknownRecord(_:nearest:)``, ``CommandError/ambiguousRecord(_:candidates:)``
  func recordIDs(
    named names: [String], _ redaction: Redaction, telling privacy: Privacy = .open
  ) throws -> [String] {
    if names.contains("") { throw CommandError.emptyName }
    var searches: [RecordSearch] = []
    for name in names { searches.append(RecordSearch(name, exact: try conflictIfAny(name)?.id)) }
    if searches.contains(where: { $0.exact == nil }) {
      try forEachSummary { summary in
        for index in searches.indices { searches[index].look(at: RecordSearch.Candidate(summary, redaction)) }
      }
    }
    return try searches.map { try found($0, redaction, privacy) }.unique
  }

  /// A record that is not in conflict may have been a moment ago.
  private func found(_ search: RecordSearch, _ redaction: Redaction, _ privacy: Privacy) throws -> String {
    let info = info
    do {
      return try search.found { privacy.recordName($0, in: info) }
    } catch CommandError.unknownRecord(let name, let nearest, let isAlone) {
      if let last = lastWrite(ofRecord: name, redaction) {
        throw CommandError.alreadyWritten(
          privacy.told(last, in: info).record, time: last.time, noUndo: info.wordsOfNoUndo)
      }
      throw CommandError.unknownRecord(name, nearest: nearest, isAlone: isAlone)
    }
  }

  /// The last that was done to the one record that `name` means, if that is a write.
  private func lastWrite(ofRecord name: String, _ redaction: Redaction) -> JournalEntry? {
    guard let entries = try? journal.entries(limit: .max),
      let id = try? writtenRecordIDs(named: [name], among: entries, redaction).first
    else { return nil }
    var written = WrittenRecords(entries, in: info, redaction)
    return written.entry(named: id)
  }

  /// The records that were written at any time, in the same way.
  ///
  /// - Throws: ``CommandError/neverWritten(_:nearest:)``, ``CommandError/ambiguousRecord(_:candidates:)``
  func writtenRecordIDs(named names: [String], _ redaction: Redaction) throws -> [String] {
    try writtenRecordIDs(named: names, among: try journal.entries(limit: .max), redaction)
  }

  /// - Parameter journal: all of it.
  private func writtenRecordIDs(
    named names: [String], among journal: [JournalEntry], _ redaction: Redaction
  ) throws -> [String] {
    if names.contains("") { throw CommandError.emptyName }
    let entries = journal.filter { [.write, .import, .interrupted].contains($0.kind) }
    let (written, info) = (ByRecord(grouping: entries, by: \.record), info)
    let candidates = written.sorted { $0.key < $1.key }.map { id, entries in
      let titles = Set(entries.compactMap(\.title))
      return RecordSearch.Candidate(
        id, titles: titles, in: info, redaction, isFinding: entries.contains(where: \.isOfFinding))
    }
    return try names.map { name in
      // Who names a record that is there, and was never written, means no other.
      if written[name] == nil, try conflictIfAny(name) != nil {
        throw CommandError.neverWritten(name, nearest: [], isAlone: false)
      }
      var search = RecordSearch(name, among: written.keys)
      for candidate in candidates { search.look(at: candidate) }
      return try search.foundAmongWritten()
    }.unique
  }
}

extension ConflictStore {
  /// The records that the journal tells of, or that are in conflict, in the same way.
  ///
  /// - Throws: ``CommandError/notLogged(_:nearest:isAlone:)``, ``CommandError/ambiguousRecord(_:candidates:)``
  func loggedRecordIDs(
    named names: [String], _ redaction: Redaction, telling privacy: Privacy = .open
  ) throws -> [String] {
    if names.contains("") { throw CommandError.emptyName }
    let entries = try journal.entries(limit: .max)
    let mends = entries.mendsByRecord
    var titles = ByRecord(grouping: entries, by: \.record).mapValues { Set($0.compactMap(\.title)) }
    // What a finding was called its record was.
    for (record, findings) in mends {
      titles[record, default: []].formUnion(findings.compactMap { titles[$0] }.joined())
    }
    // A decision has no title, and its record may still be in conflict.
    try forEachSummary { titles[$0.id, default: []].insert($0.title) }
    let (found, info) = (Set(mends.values.joined()), info)
    let candidates = titles.filter { !found.contains($0.key) }.sorted { $0.key < $1.key }
      .map { RecordSearch.Candidate($0, titles: $1, in: info, redaction) }
    return try names.flatMap { name in
      let findings = found.sorted().filter { redaction.isID(name, ofFinding: $0, in: info) }
      if !findings.isEmpty { return findings }
      var search = RecordSearch(name, among: titles.keys)
      for candidate in candidates { search.look(at: candidate) }
      let id = try search.foundInLog { privacy.recordName($0, in: info) }
      return [id] + (mends[id] ?? [])
    }.unique
  }
}

extension Redaction {
  /// Whether a redacted report gives a finding this id; asked in vain of most names, so that no hash is made for them.
  fileprivate func isID(_ name: String, ofFinding id: Finding.ID, in store: StoreInfo) -> Bool {
    RecordSearch.mayBeRedacted(name) && privacy.findingID(id, in: store) == name
  }
}

extension [JournalEntry] {
  /// By the record, the findings of it that were mended: a mend is part of its past, and kept by the finding's id.
  fileprivate var mendsByRecord: ByRecord<[Finding.ID]> {
    reduce(into: [:]) { mends, entry in
      guard entry.isMend, let record = Finding.parts(of: entry.record)?.subject else { return }
      if mends[record]?.contains(entry.record) != true { mends[record, default: []].append(entry.record) }
    }
  }
}

/// The search for the one record that a name means.
struct RecordSearch {
  struct Candidate {
    var id: String
    var table: String
    var primaryKey: String
    /// A record may have had several, one after the other.
    var titles: Set<String>
    /// What a redacted report calls it; made only when asked for, as each is a hash.
    var redactedNames: () -> Set<String> = { [] }

    init(_ summary: ConflictSummary, _ redaction: Redaction) {
      (id, table, primaryKey, titles) = (summary.id, summary.table, summary.primaryKey, [summary.title])
      redactedNames = { redaction.privacy.recordNames(summary) }
    }

    /// A record as the journal has it: `PK:TABLE`, or what else a store calls it, and what it was called.
    ///
    /// - Parameter isFinding: whether that is the id of a finding, which a report tells otherwise.
    init(
      _ id: String, titles: Set<String>, in store: StoreInfo, _ redaction: Redaction? = nil,
      isFinding: Bool = false
    ) {
      let (key, table) = store.parts(ofRecord: id)
      (self.id, self.table, primaryKey, self.titles) = (id, table ?? "", key, titles)
      redactedNames = {
        guard let privacy = redaction?.privacy else { return [] }
        guard isFinding else { return privacy.recordNames(id, in: store) }
        let ofRecord = Finding.parts(of: id).map { privacy.recordNames($0.subject, in: store) } ?? []
        return ofRecord.union([privacy.findingID(id, in: store)])
      }
    }
  }

  let name: String
  private(set) var exact: String?
  private let wanted: String
  private var fitting: [String] = []
  private var fittingExactly: [String] = []
  private var titled: [String] = []
  private var nearest: [(distance: Int, name: String)] = []
  private var looked = 0

  /// - Parameter exact: the record, if the store knows one of this very name.
  init(_ name: String, exact: String?) {
    (self.name, self.exact) = (name, exact)
    wanted = name.lowercased()
  }

  /// Found by its bytes, as the journal finds it: what is typed in another normal form is looked for like any other part of a name.
  init(_ name: String, among ids: some Sequence<String>) {
    self.init(name, exact: ids.contains { $0.hasSameBytes(as: name) } ? name : nil)
  }

  mutating func look(at summary: Candidate) {
    guard exact == nil, !wanted.isEmpty else { return }
    let key = summary.primaryKey.lowercased()
    let table = summary.table.lowercased()
    let names = [summary.id.lowercased(), key, "\(table)/\(key)"]
    if names.contains(wanted) || isRedacted(summary) { fittingExactly.append(summary.id) }
    if summary.titles.contains(where: { $0.lowercased() == wanted }) { titled.append(summary.id) }
    if fits(names, key: key, table: table) { fitting.append(summary.id) }
    remember(summary)
  }

  private func isRedacted(_ summary: Candidate) -> Bool {
    Self.mayBeRedacted(name) && summary.redactedNames().contains(name)
  }

  /// Whether it looks like what a redacted report calls a record, or a finding.
  static func mayBeRedacted(_ name: String) -> Bool {
    name.hasPrefix("#") || name.contains(":#") || name.contains("/#")
  }

  /// - Parameter told: what an error calls a record.
  func found(_ told: (String) -> String = { $0 }) throws(CommandError) -> String {
    if let exact { return exact }
    let found = [fittingExactly, titled, fitting].first { !$0.isEmpty } ?? []
    switch found.count {
    case 0: throw .unknownRecord(name, nearest: nearest.map { told($0.name) }, isAlone: looked == 0)
    case 1: return found[0]
    default:
      throw .ambiguousRecord(name, candidates: found.prefix(4).map(told) + (found.count > 4 ? ["…"] : []))
    }
  }

  func foundAmongWritten() throws -> String {
    do {
      return try found()
    } catch CommandError.unknownRecord(let name, let nearest, let isAlone) {
      throw CommandError.neverWritten(name, nearest: nearest, isAlone: isAlone)
    }
  }

  /// Mostly of a record that is no longer in conflict.
  func foundInLog(_ told: (String) -> String = { $0 }) throws -> String {
    do {
      return try found(told)
    } catch CommandError.unknownRecord(let name, let nearest, let isAlone) {
      throw CommandError.notLogged(name, nearest: nearest, isAlone: isAlone)
    }
  }

  private func fits(_ names: [String], key: String, table: String) -> Bool {
    var part = Substring(wanted)
    var names = names
    if part.hasPrefix(table + "/") {
      part = part.dropFirst(table.count + 1)
      names = [key]
    }
    for sign in ["…", ".."] where part.hasPrefix(sign) { part = part.dropFirst(sign.count) }
    return !part.isEmpty && names.contains { $0.hasPrefix(part) || $0.hasSuffix(part) }
  }

  /// The nearest three among the first records, so that a wrong name on a large store is told soon.
  private mutating func remember(_ summary: Candidate) {
    looked += 1
    guard looked <= 1000 else { return }
    let candidates =
      [summary.id, summary.primaryKey, "\(summary.table)/\(summary.primaryKey)"] + summary.titles
    let distance = candidates.map { searchDistance(wanted, in: $0.lowercased()) }.min() ?? .max
    // What differs in more than a third of its letters was not meant.
    guard distance <= max(1, wanted.utf8.count / 3) else { return }
    nearest.append((distance, summary.id))
    nearest.sort { $0.distance < $1.distance }
    if nearest.count > 3 { nearest.removeLast() }
  }
}

/// How many letters have to be put in, taken out or changed to find `wanted` anywhere in `text`; only the first 80 of each
/// count. What stands before and behind it in `text` costs nothing, since names are mostly given in part.
func searchDistance(_ wanted: String, in text: String) -> Int {
  let wanted = Array(wanted.utf8.prefix(80))
  let text = Array(text.utf8.prefix(80))
  var row = Array(repeating: 0, count: text.count + 1)
  for (line, letter) in wanted.enumerated() {
    var diagonal = row[0]
    row[0] = line + 1
    for (column, other) in text.enumerated() {
      let changed = diagonal + (letter == other ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(changed, row[column] + 1, diagonal + 1)
    }
  }
  return row.min() ?? 0
}

// How a person may name a finding: by its id, by the id that a redacted report gives it, by the beginning of either that fits one
// finding only, or by the name of its record, if only one finding is about that. A command that is offered names it with what was seen.

extension ConflictStore {
  /// The findings that `names` mean, in the order in which they are found.
  ///
  /// - Parameters:
  ///   - privacy: what an error may tell of ids that nobody typed.
  ///   - endOfPage: gets how many records were looked at.
  /// - Throws: ``CommandError/unknownFinding(_:)``, ``CommandError/ambiguousFinding(_:candidates:)``, ``CommandError/findingMoved(_:)``
  func findings(
    named names: [String], _ redaction: Redaction, telling privacy: Privacy = .open,
    endOfPage: (Int) throws -> Void = { _ in }
  ) throws -> [Finding] {
    // As the log has it.
    var searches = names.map { name in
      let plain = name.replacing(Finding.serverSuffix, with: "", maxReplacements: 1)
      return FindingSearch(Finding.takesServer(name) ? plain : name, in: info, redaction)
    }
    var (order, count) = (ByRecord<Int>(), 0)
    try forEachFinding { finding in
      count += 1
      for index in searches.indices where searches[index].look(at: finding) { order[finding.id] = count }
    } endOfPage: { records in
      try endOfPage(records)
    }
    var chosen: ByRecord<Finding> = [:]
    for (name, search) in zip(names, searches) {
      let found = try search.found(telling: privacy)
      let finding = Finding.takesServer(name) ? found.takingServer ?? found : found
      chosen[finding.id] = finding
      order[finding.id] = order[found.id]
    }
    return chosen.values.sorted { order[$0.id, default: 0] < order[$1.id, default: 0] }
  }
}

extension [Finding] {
  /// The only one of them that a name means.
  func meant(by name: String, in store: StoreInfo, _ redaction: Redaction) -> Finding? {
    var search = FindingSearch(name, in: store, redaction)
    for finding in self { _ = search.look(at: finding) }
    return try? search.found(telling: .open)
  }
}

private struct FindingSearch {
  let name: String
  private let redaction: Redaction
  private let store: StoreInfo
  private var exact: [Finding] = []
  /// Those of a record that is called so.
  private var named: [Finding] = []
  /// The same of what is typed in another normal form.
  private var alike: [Finding] = []
  private var fitting: [Finding] = []
  /// Whether it was named as it was seen, and is something else now.
  private var isMoved = false

  init(_ name: String, in store: StoreInfo, _ redaction: Redaction) {
    (self.name, self.store, self.redaction) = (name, store, redaction)
  }

  /// - Returns: whether it may be the one.
  mutating func look(at finding: Finding) -> Bool {
    let told = redaction.privacy.told(finding, in: store)
    let ids = [finding.id, told.id]
    let isSeen = finding.isSeen(by: name)
    if isSeen == false { isMoved = true }
    let names = finding.recordNames + (RecordSearch.mayBeRedacted(name) ? redactedNames(told) : [])
    if isSeen == true || ids.contains(where: { $0.hasSameBytes(as: name) }) {
      exact.append(finding)
    } else if names.contains(where: { $0.hasSameBytes(as: name) }) {
      named.append(finding)
    } else if ids.contains(name) || names.contains(name) {
      alike.append(finding)
    } else if !name.isEmpty, fitting.count < 5, ids.contains(where: { $0.hasPrefix(name) }) {
      fitting.append(finding)
    } else {
      return false
    }
    return true
  }

  /// Of a record as lists and logs have it, too.
  private func redactedNames(_ told: Finding) -> [String] {
    told.recordNames + (store.hasFixedFields ? ["\(told.record):\(told.table)"] : [])
  }

  func found(telling privacy: Privacy) throws(CommandError) -> Finding {
    let found = [exact, named, alike, fitting].first { !$0.isEmpty } ?? []
    switch found.count {
    case 0: throw isMoved ? CommandError.findingMoved(name) : .unknownFinding(name)
    case 1: return found[0]
    default:
      let ids = found.prefix(4).map { privacy.told($0, in: store).id }
      throw .ambiguousFinding(name, candidates: ids + (found.count > 4 ? ["…"] : []))
    }
  }
}

extension Finding {
  /// By its key, by its whole name and as `TABLE/PK`; none of what is about no record.
  fileprivate var recordNames: [String] { record.isEmpty ? [] : [record, subject, "\(table)/\(record)"] }
}

extension JournalEntry {
  /// At once, or by whoever finished it after it was interrupted.
  var hasWritten: Bool {
    guard case .ended(.write, let finished, _) = event else { return false }
    return finished == nil || finished == .completed
  }
}
