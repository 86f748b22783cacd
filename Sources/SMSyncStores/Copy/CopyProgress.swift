import Foundation
import SQLiteFiles
import StoreInterface

/// How many bytes of a container are copied: whoever waits is told, and can end it between two blocks.
final class CopyProgress {
  private let path: String
  private let all: Int
  private var done = 0

  init(_ files: ContainerFiles) {
    path = files.anchor
    let folder = files.whole ?? files.documents + "/Temporary"
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    let inside = names.map { folder + "/" + $0 }.filter { !FileStatus.isLink($0) }
    all = (files.whole == nil ? inside + [files.database] : inside).map(CopyProgress.size(of:)).saturatedSum
  }

  private static func size(of path: String) -> Int {
    guard let status = FileStatus(path: path), status.isRegular else { return 0 }
    return Int(status.size)
  }

  /// A file may have grown since it was looked at.
  ///
  /// - Throws: ``StoreError/stopped(path:)``, ``StoreError/noAnswer(path:)``
  func advance(_ count: Int) throws {
    done += count
    try StoreCall.begin(min(done, all), of: all, in: path)
  }
}
