import Merging
import Testing

/// Of each kind of field one: those that are read where they lie in the row, and those whose key path is asked.
private struct Mixed: Mergeable {
  enum State { case open, done }

  let id = 1
  var flag = false
  var text = ""
  var integer = 0
  var large: Int64 = 0
  var real = 0.0
  var small: Int8 = 0
  var note: String?
  var state = State.open
  var tags: Set<String> = []

  var primaryKey: Int { id }

  /// Another one of three.
  init(_ number: Int = 0) {
    flag = number == 1
    text = ["", "caf\u{E9}", "cafe\u{301}"][number]
    (integer, large, small) = (number, Int64(number), Int8(number))
    real = [0.0, -0.0, 1.5][number]
    note = [nil, "", "A longer text, which does not lie in the row"][number]
    state = number == 0 ? .open : .done
    tags = number == 0 ? [] : ["\(number)"]
  }

  static let mergeFields: [MergeField<Mixed>] = [
    .field("flag", \.flag), .field("text", \.text, .latest(tie: .server)),
    .field("integer", \.integer, .client), .field("large", \.large, .server), .field("real", \.real),
    .field("small", \.small, .client), .field("note", \.note, .server), .field("state", \.state),
    .field("tags", \.tags),
  ]

  /// What each field's own suggestion says.
  static func suggested(_ conflict: MergeConflict<Mixed>) -> Mixed {
    var row = conflict.versions.client.row
    row.flag = conflict.mergedValue(for: \.flag)
    row.text = conflict.mergedValue(for: \.text, policy: .latest(tie: .server))
    row.integer = conflict.mergedValue(for: \.integer, policy: .client)
    row.large = conflict.mergedValue(for: \.large, policy: .server)
    row.real = conflict.mergedValue(for: \.real)
    row.small = conflict.mergedValue(for: \.small, policy: .client)
    row.note = conflict.mergedValue(for: \.note, policy: .server)
    row.state = conflict.mergedValue(for: \.state)
    row.tags = conflict.mergedValue(for: \.tags)
    return row
  }

  /// With the bytes of its texts, and the sign of a zero.
  var exactly: [String] {
    let bytes: [[UInt8]] = [
      Array(text.utf8), note.map { Array($0.utf8) } ?? [0], tags.sorted().flatMap { Array($0.utf8) },
    ]
    return ["\(flag) \(integer) \(large) \(real.bitPattern) \(small) \(state)"] + bytes.map { "\($0)" }
  }
}

@Suite struct TypedDraftTests {
  private static let times: [Int64?] = [nil, 10, 20]

  /// All triples of rows, with and without an ancestor and times: the draft, which is made without suggestions, has what they say.
  @Test(arguments: [nil, 0, 1, 2]) func aDraftHasWhatEachFieldsSuggestionSays(ancestor: Int?) {
    for (client, server) in Self.pairs(3) {
      for (clientTime, serverTime) in Self.pairs(3) {
        let conflict = MergeConflict(
          ancestor: ancestor.map { Self.version($0, time: 5) },
          client: Self.version(client, time: Self.times[clientTime]),
          server: Self.version(server, time: Self.times[serverTime]))
        let draft = conflict.resolved().applied(to: Mixed())
        #expect(draft.exactly == Mixed.suggested(conflict).exactly)
      }
    }
  }

  private static func pairs(_ count: Int) -> [(Int, Int)] {
    (0..<count).flatMap { left in (0..<count).map { (left, $0) } }
  }

  private static func version(_ number: Int, time: Int64?) -> RowVersion<Mixed> {
    let times = time.map { time in Mixed.mergeFields.map { ($0.column, time) } } ?? []
    return RowVersion(row: Mixed(number), columnTimes: Dictionary(uniqueKeysWithValues: times))
  }
}
