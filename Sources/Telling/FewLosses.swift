import Merging
import StoreInterface

/// Which of many edits that are given up are told where there is room for a few of them: the first of each who loses something, then the
/// second of each, and so on.
package struct FewLosses {
  /// Whose an edit is.
  package struct Owner: Hashable {
    fileprivate let side: Side?
    fileprivate let leaf: Int?
    fileprivate let party: String?
  }

  /// Where those stand that are told, in their order.
  package let places: [Int]
  /// How many are not told.
  package let more: Int
  /// How many of those were kept.
  private let listed: Int
  /// Of whom nothing is told, behind that: ", also of leaf 7"; empty where there is nobody.
  package let others: String

  /// - Parameters:
  ///   - owners: whose each edit is.
  ///   - counts: how many more of one owner there are each, of which nothing else is known.
  package init(of owners: [Owner], counted counts: [Int] = [], most: Int = 5) {
    places = Self.turns(of: owners, most).prefix(most).sorted()
    listed = owners.count - places.count
    more = listed + counts.reduce(0, +)
    let told = Set(places.map { owners[$0] })
    let untold = owners.unique.filter { !told.contains($0) }.compactMap(\.leaf)
    others = Leaf.words(of: untold).map { ", also of \($0)" } ?? ""
  }

  /// "; D lists all", "; D lists 95 of them"; empty where it has none of those that are not told.
  ///
  /// - Parameter place: "D lists"
  package func listed(by place: String, after sign: String) -> String {
    listed == 0 ? "" : "\(sign)\(place) \(listed == more ? "all" : "\(listed) of them")"
  }

  /// The places of so many of each, as they take turns.
  private static func turns(of owners: [Owner], _ most: Int) -> [Int] {
    var counts: [Owner: Int] = [:]
    let rounds = owners.map { owner in
      counts[owner, default: 0] += 1
      return counts[owner] ?? 0
    }
    return rounds.indices.filter { rounds[$0] <= most }.sorted { (rounds[$0], $0) < (rounds[$1], $1) }
  }
}

extension GivenUp {
  /// Whose it is.
  package var owner: FewLosses.Owner { FewLosses.Owner(side: side, leaf: leaf, party: party) }
}

extension LostEdit {
  /// Whose it is.
  package var owner: FewLosses.Owner { FewLosses.Owner(side: side, leaf: leaf, party: nil) }
}
