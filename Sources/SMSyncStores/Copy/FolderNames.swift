import Foundation

/// What a folder holds, by name, none left out: also what is called by no text.
struct FolderNames {
  private(set) var names: [String] = []
  /// Those that are not UTF-8, as they can be shown.
  private(set) var odd: [String] = []

  var all: [String] { names + odd }

  /// Those of a folder that is not there.
  init() {}

  /// nil if it cannot be listed.
  init?(_ folder: String) {
    guard let entries = opendir(folder) else { return nil }
    defer { closedir(entries) }
    errno = 0
    while let entry = readdir(entries) { add(FolderNames.name(of: entry)) }
    guard errno == 0 else { return nil }
    names.sort()
    odd.sort()
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
