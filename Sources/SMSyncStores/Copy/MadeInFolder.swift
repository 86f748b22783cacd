import Foundation
import SQLiteFiles

/// What was made of a copy, by names in its folder. That alone is ever taken away again: whatever else lies there by then is
/// somebody's own.
package struct MadeInFolder: Sendable, Equatable {
  /// By its whole path.
  let folder: String
  /// In the order in which they were made, that of a folder with a `/` at its end.
  var names: [String] = []
  /// The folder itself and those it lies in, as far as they were made, in their order.
  var around: [String] = []

  /// The last first: until its mark goes the place is taken. A folder in which somebody else has put something stays.
  func remove() {
    for name in names.reversed() { remove(name) }
    for folder in around.reversed() { rmdir(folder) }
  }

  private func remove(_ name: String) {
    guard let folder = openFolder(of: name) else { return }
    defer { close(folder) }
    let last = folderAndName(withoutSlash(name)).name
    if name.hasSuffix("/") {
      unlinkat(folder, last, Int32(AT_REMOVEDIR))
    } else {
      let beside = UnfinishedMark.companions(of: name)
      // Who has the store for itself, as a write has, leaves the journal where it lies.
      for file in [name] + beside + (beside.isEmpty ? [] : [name + "-journal"]) {
        unlinkat(folder, folderAndName(file).name, 0)
      }
    }
  }

  /// Over no symbolic link, also where somebody has put one in a folder's place since it was looked at: what lies behind it is theirs.
  private func openFolder(of name: String) -> Int32? {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    var inner = open(folder, flags)
    for part in name.split(separator: "/").dropLast() where inner >= 0 {
      let next = openat(inner, String(part), flags)
      close(inner)
      inner = next
    }
    return inner < 0 ? nil : inner
  }
}
