import Merging
import StoreInterface

/// What a row has of its own beside its texts.
struct SummaryRow: Sendable, Equatable {
  let texts: PackedTexts
  let lastEditTime: PackedTime
  let receivedAt: PackedTime
  let waitingSince: PackedTime
  let why: Repeated<ConflictSummary.Why>.Index
  let facts: Repeated<SummaryFacts>.Index

  init(
    _ summary: ConflictSummary, texts: PackedTexts, why: Repeated<ConflictSummary.Why>.Index,
    facts: Repeated<SummaryFacts>.Index
  ) {
    (self.texts, self.why, self.facts) = (texts, why, facts)
    lastEditTime = PackedTime(summary.lastEditTime)
    receivedAt = PackedTime(summary.receivedAt)
    waitingSince = PackedTime(summary.waitingSince)
  }
}

/// What many rows have alike: in which table they are, and how it stands with them.
struct SummaryFacts: Sendable, Equatable {
  let table: RepeatedWords.Index
  let device: RepeatedWords.Index
  let notWritable: RepeatedWords.Index
  let refusedField: RepeatedWords.Index
  /// None where nothing was refused.
  let refusedReason: RepeatedWords.Index
  private let sure: Int32
  private let byPolicy: Int32
  private let byClock: Int32
  private let yours: Int32
  let undecided: Int32
  let leafCount: Int32
  let outdated: Int32
  let kind: ConflictKind
  let certainty: Certainty
  let lastEdit: Side?
  let givenUp: PackedSides
  let isByPolicy: Bool
  let isMoved: Bool
  let readWith: ConflictSummary.ReadWith

  init(_ summary: ConflictSummary, _ words: inout RepeatedWords) {
    (kind, certainty) = (summary.kind, summary.certainty)
    table = words.index(of: summary.table)
    device = words.index(of: summary.lastEditDevice)
    notWritable = words.index(of: summary.notWritable)
    refusedField = words.index(of: summary.refusal?.field)
    refusedReason = words.index(of: summary.refusal?.reason)
    (sure, byPolicy) = (Int32(clamping: summary.counts.sure), Int32(clamping: summary.counts.byPolicy))
    (byClock, yours) = (Int32(clamping: summary.counts.byClock), Int32(clamping: summary.counts.yours))
    undecided = Int32(clamping: summary.undecided)
    (leafCount, outdated) = (Int32(clamping: summary.leafCount), Int32(clamping: summary.outdated))
    (lastEdit, givenUp) = (summary.lastEdit, PackedSides(summary.givenUp))
    (isByPolicy, isMoved, readWith) = (summary.isByPolicy, summary.isMoved, summary.readWith)
  }

  var counts: ConflictSummary.Counts {
    var counts = ConflictSummary.Counts(sure: Int(sure), byClock: Int(byClock), yours: Int(yours))
    counts.byPolicy = Int(byPolicy)
    return counts
  }
}

/// Where the texts of a row stand in the bytes of its block: its name, its key where the name does not begin with it, its title, and
/// what it is found by, with a 0 behind it.
struct PackedTexts: Sendable, Equatable {
  private let start: UInt32
  private let endOfID: UInt32
  private let startOfKey: UInt32
  private let endOfKey: UInt32
  private let endOfTitle: UInt32
  private let endOfSearch: UInt32

  /// Puts them behind what is there.
  init(_ summary: ConflictSummary, _ bytes: inout [UInt8]) {
    let key = summary.primaryKey.utf8
    let isKeyInID = summary.id.utf8.starts(with: key)
    start = UInt32(bytes.count)
    endOfID = Self.put(summary.id, &bytes)
    startOfKey = isKeyInID ? start : endOfID
    endOfKey = isKeyInID ? start + UInt32(key.count) : Self.put(summary.primaryKey, &bytes)
    endOfTitle = Self.put(summary.title, &bytes)
    endOfSearch = Self.put(summary.searchText, &bytes)
    bytes.append(0)
  }

  private static func put(_ text: String, _ bytes: inout [UInt8]) -> UInt32 {
    bytes += text.utf8
    return UInt32(bytes.count)
  }

  var id: Range<Int> { Int(start)..<Int(endOfID) }
  var primaryKey: Range<Int> { Int(startOfKey)..<Int(endOfKey) }
  var title: Range<Int> { Int(max(endOfID, endOfKey))..<Int(endOfTitle) }
  var search: Range<Int> { Int(endOfTitle)..<Int(endOfSearch) }
}

/// Nanoseconds since 1970, or that they are not known.
struct PackedTime: Sendable, Equatable {
  private let nanoseconds: Int64

  init(_ time: Int64?) { nanoseconds = time ?? .min }

  var known: Int64? { nanoseconds == .min ? nil : nanoseconds }
}

struct PackedSides: OptionSet, Sendable {
  let rawValue: UInt8

  private static let all: [(side: Side, bit: PackedSides)] = Side.allCases.enumerated().map { place, side in
    (side, PackedSides(rawValue: 1 << UInt8(place)))
  }

  init(rawValue: UInt8) { self.rawValue = rawValue }
  init(_ sides: Set<Side>) { self = PackedSides(Self.all.filter { sides.contains($0.side) }.map(\.bit)) }

  var sides: Set<Side> { isEmpty ? [] : Set(Self.all.filter { contains($0.bit) }.map(\.side)) }
}

/// Words that many rows have, such as the name of their table: each is kept once.
struct RepeatedWords: Sendable, Equatable {
  typealias Index = UInt32

  /// The first stands for none.
  private var words: [String?] = [nil]
  private var indexes: [String: Index] = [:]

  subscript(index: Index) -> String? { words[Int(index)] }

  mutating func index(of word: String?) -> Index {
    guard let word else { return 0 }
    if let index = indexes[word] { return index }
    indexes[word] = Index(words.count)
    words.append(word)
    return Index(words.count - 1)
  }
}

/// What rows near each other often have alike: it is kept once.
struct Repeated<Element: Sendable & Equatable>: Sendable, Equatable {
  typealias Index = UInt32

  private var elements: [Element] = []

  subscript(index: Index) -> Element { elements[Int(index)] }

  /// - Parameter nearest: how many of the last are looked at for the same. Where all differ, as with times of their own, it would be looked
  ///   for in vain with every row.
  mutating func index(of new: Element, among nearest: Int = 8) -> Index {
    if let known = elements.suffix(nearest).lastIndex(of: new) { return Index(known) }
    elements.append(new)
    return Index(elements.count - 1)
  }

  /// Takes no more room than it needs.
  mutating func trim() { elements = elements.withUnsafeBufferPointer { Array($0) } }
}

/// Where a row with a name is, in four bytes for each: an open table of places, and no second copy of the names.
struct PlaceTable: Sendable, Equatable {
  private static let empty: UInt32 = .max

  /// A power of two of them, at most three quarters taken.
  private var slots = [UInt32](repeating: empty, count: 64)
  private var count = 0

  /// - Parameter name: the name of the row at a place.
  func find(_ id: String, _ name: (Int) -> String) -> Int? {
    let place = slots[slot(of: id, name)]
    return place == Self.empty ? nil : Int(place)
  }

  mutating func add(_ place: Int, _ name: (Int) -> String) {
    count += 1
    if count * 4 > slots.count * 3 { grow(name) }
    slots[slot(of: name(place), name)] = UInt32(place)
  }

  /// The one that has it, or the empty one where it belongs.
  private func slot(of id: String, _ name: (Int) -> String) -> Int {
    var slot = id.hashValue & (slots.count - 1)
    while slots[slot] != Self.empty, !name(Int(slots[slot])).hasSameBytes(as: id) {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private mutating func grow(_ name: (Int) -> String) {
    let places = slots.filter { $0 != Self.empty }
    slots = [UInt32](repeating: Self.empty, count: slots.count * 2)
    for place in places { slots[slot(of: name(Int(place)), name)] = place }
  }
}
