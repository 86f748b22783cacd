/// Places from 0 on, of which the first follows the last.
struct Round {
  let count: Int

  init(_ count: Int) { self.count = count }

  /// Where one comes to that is counted on past an end; there has to be a place.
  subscript(place: Int) -> Int {
    let rest = place % count
    return rest < 0 ? rest + count : rest
  }

  /// All of them, from one on.
  ///
  /// - Parameter step: 1, or -1 to go back.
  func places(from start: Int, by step: Int = 1) -> some RandomAccessCollection<Int> {
    (0..<count).lazy.map { self[start + step * $0] }
  }
}
