import Foundation
import SQLiteFiles

/// A folder, with those that it lies in. By the system's own calls: behind one of Foundation `errno` may be of anything that did.
enum MissingFolders {
  /// One that is there already stays as it is.
  ///
  /// - Throws: ``CommandError/cannotMakeFolder(path:detail:)``
  static func make(_ path: String) throws {
    let code = madeWithThoseAbove(path)
    if code != 0 { throw CommandError.cannotMakeFolder(path: path, detail: systemError(code)) }
  }

  private static func madeWithThoseAbove(_ path: String) -> Int32 {
    let (code, above) = (made(path), folderAndName(path).folder)
    guard code == ENOENT, above != path else { return code }
    let codeOfAbove = madeWithThoseAbove(above)
    return codeOfAbove == 0 ? made(path) : codeOfAbove
  }

  /// 0 where it is there now, else what the system said.
  private static func made(_ path: String) -> Int32 {
    if mkdir(path, 0o777) == 0 { return 0 }
    let code = errno
    return FileStatus(path: path)?.isFolder == true ? 0 : code
  }
}
