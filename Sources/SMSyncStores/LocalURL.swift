import KeyedArchives

/// Where a pending or downloaded file lies: an archived SMRelativeLocalURL, which is an NSURL with two keys of its own.
///
/// ```
/// root: {NS.relative: "Temporary/a.dat", NS.base: nil, localBaseURLType: 0, relativePath: "Temporary/a.dat"}
/// ```
///
/// The type is 0 for Documents, 1 for the app's bundle, 2 for a URL of its own. No archive of a device was seen
/// (FORMAT.md, "Archived paths").
package enum LocalURL: Sendable, Equatable {
  /// Relative to Documents.
  case documents(String)
  case bundle(String)
  case absolute(String)

  /// - Throws: ``ArchiveError``
  package init(archive: [UInt8]) throws {
    self = try archive.withUnsafeBytes { bytes in
      var archive = try KeyedArchive(bytes)
      let root = try archive.object(try archive.entry("root", of: archive.top))
      let type = try archive.entry("localBaseURLType", of: root).map { try archive.integer($0) } ?? 2
      let own = try archive.entry("relativePath", of: root).flatMap { try archive.text($0) }
      let path = try own ?? archive.entry("NS.relative", of: root).flatMap { try archive.text($0) } ?? ""
      switch type {
      case 0: return .documents(path)
      case 1: return .bundle(path)
      default: return .absolute(path)
      }
    }
  }

  /// The archive of a path relative to Documents.
  package static func archive(documents path: String) -> [UInt8] {
    KeyedArchiveWriter.archive(
      root: .object(
        classes: ["SMCoreLib.SMRelativeLocalURL", "NSURL", "NSObject"],
        fields: [
          .init("NS.base", .null), .init("NS.relative", .text(path)),
          .init("localBaseURLType", .inline(.integer(0))), .init("relativePath", .text(path)),
        ]))
  }
}

extension ContainerFiles {
  /// The bytes of the file that an archived path names.
  ///
  /// - Throws: ``UnreadableFile``
  func bytes(archive: [UInt8]?) throws -> [UInt8] {
    guard let archive else { throw UnreadableFile("the store names no file for it") }
    let url: LocalURL
    do { url = try LocalURL(archive: archive) } catch {
      throw UnreadableFile("the archived path of its file cannot be read")
    }
    switch url {
    case .documents(let path): return try bytes(path)
    case .bundle: throw UnreadableFile("its file lies in the app's bundle, which is no part of the container")
    case .absolute: throw UnreadableFile("its path leads out of the container, and is not followed")
    }
  }
}
