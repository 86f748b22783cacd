import Merging
import Telling

/// One revision tree as far as it was read.
enum TreeReading: Sendable, Equatable {
  case none
  case reading(String)
  case read(DrawnTree)
  case failed(String)

  /// The record it is about.
  var id: String? {
    switch self {
    case .none: nil
    case .reading(let id), .failed(let id): id
    case .read(let tree): tree.id
    }
  }
}

/// A revision tree, drawn: with the many leaves of one revision folded into a line, and with all of them.
package struct DrawnTree: Sendable, Equatable {
  package let id: String
  let picture: RevisionTreePicture
  let liveCount: Int
  let deletedCount: Int
  private let folded: [RevisionTreeLine]
  private let unfolded: [RevisionTreeLine]

  /// Takes its time with a large tree: done in the background.
  package init(id: String, _ picture: RevisionTreePicture) {
    self.id = id
    self.picture = picture
    let leaves = picture.branches.compactMap(\.revisions.last)
    liveCount = leaves.count { !$0.isDeleted }
    deletedCount = leaves.count - liveCount
    folded = picture.lines()
    unfolded = picture.lines(shown: .max)
  }

  /// Whether there are more leaves than are drawn one by one.
  var isFoldable: Bool { folded.count != unfolded.count }

  var leaves: Set<String> { Set(picture.branches.compactMap(\.revisions.last?.id)) }

  func lines(isUnfolded: Bool) -> [RevisionTreeLine] { isUnfolded ? unfolded : folded }

  /// Where a revision stands; nil if it is not there.
  func place(of id: String) -> (branch: Int, place: Int)? {
    for (branch, revisions) in picture.branches.map(\.revisions).enumerated() {
      if let place = revisions.lastIndex(where: { $0.id == id }) { return (branch, place) }
    }
    return nil
  }

  /// The line of a branch; nil if it is folded away.
  func line(of branch: Int, isUnfolded: Bool) -> Int? {
    lines(isUnfolded: isUnfolded).firstIndex { $0.branch == branch }
  }
}
