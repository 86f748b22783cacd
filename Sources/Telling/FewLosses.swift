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
  /// Of whom nothing is told, behind that: ", also of leaf 7"; empty where there is nobody.
  package let others: String

  /// - Parameter owners: whose each edit is.
  package init(of owners: [Owner], most: Int = 5) {
    places = Self.turns(of: owners, most).prefix(most).sorted()
    more = owners.count - places.count
    let told = Set(places.map { owners[$0] })
    let untold = owners.unique.filter { !told.contains($0) }.compactMap(\.leaf)
    others = Leaf.words(of: untold).map { ", also of \($0)" } ?? ""
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
