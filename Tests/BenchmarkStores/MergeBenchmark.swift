import CMerge
import Merging

/// How long plain rows take to merge in memory, against the same comparison in C; for `Tests/benchmark`.
///
/// Of twelve fields the client has changed two and the server two, one of them the same. Each row has texts of its own, so that a million
/// of them lie in memory as those of a million records do, and not in the processor's caches; of a thousand it is the computing alone.
public enum MergeBenchmark {
  public struct Result {
    /// Nanoseconds of this thread for a row, best of several rounds over all.
    public var c, untyped, typed: Double
    /// Of all rows the fields that differ; the same number, if all three have merged the same.
    public var changed: [Int]
  }

  public static func run(rows: Int, rounds: Int) -> Result {
    let (c, inC) = best(of: PlainRows(rows), rows, rounds)
    let (untyped, inUntyped) = best(of: Untyped(rows), rows, rounds)
    let (typed, inTyped) = best(of: Typed(rows), rows, rounds)
    return Result(c: c, untyped: untyped, typed: typed, changed: [inC, inUntyped, inTyped])
  }

  /// Nanoseconds of this thread for all that an app does with a row: its versions are made of rows and times by column, and the draft is
  /// asked which columns it changes here.
  public static func ofAnApp(rows: Int, rounds: Int) -> Double { best(of: AppRows(rows), rows, rounds).0 }

  private static func best(of rows: some MergedRows, _ count: Int, _ rounds: Int) -> (Double, Int) {
    var (best, changed) = (Double.infinity, 0)
    for _ in 0..<rounds {
      let start = ProcessorTime.ofThread()
      changed = rows.merge()
      best = min(best, Double(ProcessorTime.ofThread() - start) / Double(count))
    }
    return (best, rows.check(changed))
  }
}

/// The sides of many rows, as somebody has them who merges them.
private protocol MergedRows {
  /// - Returns: how many fields differ, or what ``check(_:)`` makes that of.
  func merge() -> Int
  func check(_ merged: Int) -> Int
}

extension MergedRows {
  func check(_ merged: Int) -> Int { merged }
}

/// One row's values on a side.
struct MergedRow: Sendable {
  var id: String
  var title: String
  var notes: String
  var list: String
  var owner: String
  var place: String
  var priority: Int64
  var visits: Int64
  var created: Int64
  var isCompleted: Int64
  var estimate: Double
  var rank: Double

  init(_ number: Int, client: Bool = false, server: Bool = false) {
    id = "5eed0000-0000-4000-8000-\(100_000_000_000 + number)"
    title =
      client || server ? "Water the \(client ? "tomatoes" : "beans") \(number)" : "Water the plants \(number)"
    notes = "Only in the evening, and not the leaves. The can is behind the shed, number \(number)."
    (list, owner, place) = ("Garden \(number % 7)", "Blob", "Behind the house, by the fence")
    (priority, visits, created, isCompleted) = (Int64(number % 4), 17, Int64(number) * 1_000_003, 0)
    (estimate, rank) = (0.25, Double(number))
    if client { visits += 1 }
    if server { rank += 0.5 }
  }
}

extension MergedRow: Mergeable {
  var primaryKey: String { id }

  static let mergeFields: [MergeField<MergedRow>] = [
    .field("title", \.title), .field("notes", \.notes), .field("list", \.list), .field("owner", \.owner),
    .field("place", \.place), .field("priority", \.priority), .field("visits", \.visits),
    .field("created", \.created), .field("isCompleted", \.isCompleted), .field("estimate", \.estimate),
    .field("rank", \.rank),
  ]

  /// With the names of the columns, the key first.
  var values: [(String, Value)] {
    [
      ("id", .text(id)), ("title", .text(title)), ("notes", .text(notes)), ("list", .text(list)),
      ("owner", .text(owner)), ("place", .text(place)), ("priority", .integer(priority)),
      ("visits", .integer(visits)), ("created", .integer(created)), ("isCompleted", .integer(isCompleted)),
      ("estimate", .real(estimate)), ("rank", .real(rank)),
    ]
  }
}

/// The sides of each row, and the time of each: the server's edits are the newer.
private enum MergedSide: Int, CaseIterable {
  case ancestor, client, server

  var time: Int64 { 1_795_000_000_000_000_000 + Int64(rawValue) * 1_000_000_000 }
  func row(_ number: Int) -> MergedRow { MergedRow(number, client: self == .client, server: self == .server) }
}

/// As the desk has them.
private struct Untyped: MergedRows {
  private let conflicts: [ThreeWay<RecordVersion>]
  private let fields: [Field]

  init(_ count: Int) {
    let columns = MergedRow(0).values.map(\.0)
    fields = columns.map { Field($0, isPrimaryKey: $0 == "id") }
    // As a store has the versions of one table, so in the order of its columns: in C they lie like this as well.
    let names = FieldNames(columns)
    conflicts = (0..<count).map { number in
      func version(_ side: MergedSide) -> RecordVersion {
        .present(
          RecordVersion.Fields(
            names, side.row(number).values.map { FieldVersion($1, time: side.time) }))
      }
      return ThreeWay(ancestor: version(.ancestor), client: version(.client), server: version(.server))
    }
  }

  func merge() -> Int {
    var changed = 0
    // By their places: who takes them out one by one copies each twice.
    for place in conflicts.indices {
      let conflict = RecordConflict(
        id: "1:reminders", table: "reminders", primaryKey: "1", title: "", fields: fields,
        versions: conflicts[place])
      changed += conflict.fields.changed.count
    }
    return changed
  }
}

/// As an app has them.
private struct Typed: MergedRows {
  private let conflicts: [MergeConflict<MergedRow>]

  init(_ count: Int) {
    let columns = MergedRow.mergeFields.map(\.column)
    conflicts = (0..<count).map { number in
      func version(_ side: MergedSide) -> RowVersion<MergedRow> {
        let times = columns.map { ($0, side.time) }
        return RowVersion(row: side.row(number), columnTimes: Dictionary(uniqueKeysWithValues: times))
      }
      return MergeConflict(ancestor: version(.ancestor), client: version(.client), server: version(.server))
    }
  }

  /// Of what the drafts are nobody looks at more than a title: an app looks at none of it here.
  func merge() -> Int {
    var titles = 0
    for conflict in conflicts { titles += conflict.resolved().title.isEmpty ? 0 : 1 }
    return titles
  }

  func check(_ titles: Int) -> Int {
    titles == conflicts.count
      ? conflicts.reduce(0) { $0 + Set($1.resolved().changedColumns(since: .ancestor)).count } : 0
  }
}

/// As an app has them before it makes a conflict of them.
private struct AppRows: MergedRows {
  private let rows: [[MergedRow]]
  private let times: [[String: Int64]]

  init(_ count: Int) {
    rows = (0..<count).map { number in MergedSide.allCases.map { $0.row(number) } }
    let columns = MergedRow.mergeFields.map(\.column)
    times = MergedSide.allCases.map { side in
      Dictionary(uniqueKeysWithValues: columns.map { ($0, side.time) })
    }
  }

  func merge() -> Int {
    rows.reduce(0) { changed, sides in
      let versions = zip(sides, times).map { RowVersion(row: $0, columnTimes: $1) }
      let conflict = MergeConflict(ancestor: versions[0], client: versions[1], server: versions[2])
      return changed + conflict.resolved().changedColumns().count
    }
  }
}

/// As a program in C has them.
private final class PlainRows: MergedRows {
  private static let width = MergedRow(0).values.count
  private let count: Int
  private var texts: [UnsafeMutablePointer<CChar>] = []
  private var sides: [[merge_field]] = []
  private let merged: UnsafeMutablePointer<merge_field>

  init(_ count: Int) {
    self.count = count
    merged = .allocate(capacity: count * Self.width)
    merged.initialize(repeating: merge_field(), count: count * Self.width)
    sides = MergedSide.allCases.map { side in
      (0..<count).flatMap { number in side.row(number).values.map { field($0, $1, side.time) } }
    }
  }

  deinit {
    for text in texts { text.deallocate() }
    merged.deallocate()
  }

  func merge() -> Int {
    Int(merge_rows(sides[0], sides[1], sides[2], merged, Int64(count), Int64(Self.width)))
  }

  private func field(_ name: String, _ value: Value, _ time: Int64) -> merge_field {
    var field = merge_field()
    (field.name, field.time) = (UnsafePointer(kept(name)), time)
    switch value {
    case .integer(let integer): (field.kind, field.number) = (1, integer)
    case .real(let real): (field.kind, field.number) = (2, Int64(bitPattern: real.bitPattern))
    case .text(let text):
      (field.kind, field.text, field.length) = (3, UnsafePointer(kept(text)), Int64(text.utf8.count))
    case .null, .blob, .opaque: break
    }
    return field
  }

  private func kept(_ text: String) -> UnsafeMutablePointer<CChar> {
    let kept = UnsafeMutablePointer<CChar>.allocate(capacity: text.utf8.count + 1)
    for (place, byte) in text.utf8CString.enumerated() { kept[place] = byte }
    texts.append(kept)
    return kept
  }
}
