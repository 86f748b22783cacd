import Foundation
import StoreInterface

/// What a folder holds, by name, none left out: also what is called by no text.
package struct FolderNames {
  package private(set) var names: [String] = []
  /// Those that are not UTF-8, as they can be shown.
  package private(set) var odd: [String] = []

  package var all: [String] { names + odd }

  /// Those of a folder that is not there.
  package init() {}

  /// - Throws: ``StoreError/cannotRead(path:detail:isForbidden:)``
  package init(_ folder: String) throws(StoreError) {
    guard let entries = opendir(folder) else { throw FolderNames.unlisted(folder) }
    defer { closedir(entries) }
    errno = 0
    while let entry = readdir(entries) { add(FolderNames.name(of: entry)) }
    guard errno == 0 else { throw FolderNames.unlisted(folder) }
    names.sort()
    odd.sort()
  }

  private static func unlisted(_ folder: String) -> StoreError {
    .unreadBySystem(folder, "the folder cannot be listed, ")
  }

  private mutating func add(_ name: UnsafePointer<CChar>) {
    guard let text = String(validatingCString: name) else { return odd.append(String(cString: name)) }
    if text != "." && text != ".." { names.append(text) }
  }

  /// Where it lies: as a value it would have the length of the longest, and be read behind its end.
  private static func name(of entry: UnsafeMutablePointer<dirent>) -> UnsafePointer<CChar> {
    // `!` because a stored member of a C struct always has an offset.
    let offset = MemoryLayout<dirent>.offset(of: \.d_name)!
    return UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
  }
}
