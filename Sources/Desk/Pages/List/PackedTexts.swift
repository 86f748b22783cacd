import Merging
import StoreInterface

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
