import SQLiteFiles
import StoreInterface

/// A folder with texts that a person still has of earlier versions, as from the trash of a cloud drive: the system itself keeps none.
///
///     FOLDER/5B35D24D-…-3      the file's version 3
///     FOLDER/5B35D24D-…        the file, whatever version that was
///     FOLDER/notes.txt         by the name that the file has there
struct AncestorTexts: Sendable, Equatable {
  let folder: String
  /// What lay in it when it was named. Hidden files are a system's own.
  private let names: [String]

  /// - Throws: ``StoreError/fileMissing(path:)``, ``StoreError/cannotRead(path:detail:isForbidden:)``
  init(folder: String) throws {
    guard let status = FileStatus(path: folder) else { throw StoreError.fileMissing(path: folder) }
    guard status.isFolder else {
      throw StoreError.cannotRead(path: folder, detail: "a folder with the texts of ancestors belongs here")
    }
    self.folder = withoutSlash(folder)
    names = try FolderNames(folder).all.filter { !$0.hasPrefix(".") }
  }

  /// nil if there is none of this file.
  func bytes(of file: FileRows, version: Int64?) -> [UInt8]? {
    let names = [version.map { "\(file.uuid)-\($0)" }, file.uuid, file.name].compactMap(\.self)
    return names.firstAnswer { bytes($0) }
  }

  /// The versions of a file that lie there by their number, the first one first; not what cannot be read, and so is no text of one.
  func versions(of uuid: String) -> [Int64] {
    names.compactMap { name in
      guard let told = AncestorName(name), told.uuid == uuid, whyNotText(name) == nil else { return nil }
      return told.version
    }.sorted()
  }

  private func bytes(_ name: String) -> [UInt8]? {
    guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(0), !name.contains("/"),
      whyNotText(name) == nil
    else { return nil }
    return try? RegularFile(folder + "/" + name).bytes(limit: ContainerFiles.sizeLimit)
  }
}

/// `UUID-VERSION`
private struct AncestorName {
  let uuid: String
  let version: Int64

  init?(_ name: String) {
    guard let dash = name.lastIndex(of: "-"), let version = Int64(name[name.index(after: dash)...]),
      "\(version)" == name[name.index(after: dash)...]
    else { return nil }
    (uuid, self.version) = (String(name[..<dash]), version)
  }
}

/// What of a folder is no ancestor's text.
extension AncestorTexts {
  private enum Unusable: String, CaseIterable {
    case unnamed = "called like no file here: UUID-VERSION, UUID, or the file's name"
    case noFile = "no file, or a symbolic link, which is not followed"
    case tooLong = "longer than 64 MiB"
    case closed = "not to be read by this user"
  }

  /// A line for whoever named the folder; nil where all of it is of use.
  ///
  /// - Parameter files: what each file of the store is called.
  func passedOver(by files: [(uuid: String, name: String?)]) -> String? {
    let known = Set(files.flatMap { [$0.uuid, $0.name].compactMap(\.self) })
    let found = names.compactMap { whyNotUsed($0, known) }
    if found.isEmpty { return nil }
    let reasons = Unusable.allCases.compactMap { reason -> String? in
      let count = found.count { $0 == reason }
      return count == 0 ? nil : "\(count) \(count == 1 ? "is" : "are") \(reason.rawValue)"
    }
    let entries = names.count == 1 ? "1 entry" : "\(names.count) entries"
    return """
      Of \(entries) in the folder of ancestors \(folder) \(found.count) \(found.count == 1 ? "is" : "are") passed over: \
      \(reasons.joined(separator: "; ")).
      """
  }

  private func whyNotUsed(_ name: String, _ known: Set<String>) -> Unusable? {
    let isNamed = known.contains(name) || AncestorName(name).map { known.contains($0.uuid) } == true
    return isNamed ? whyNotText(name) : .unnamed
  }

  private func whyNotText(_ name: String) -> Unusable? {
    let path = folder + "/" + name
    guard !FileStatus.isLink(path), let status = FileStatus(path: path), status.isRegular else {
      return .noFile
    }
    if status.size > ContainerFiles.sizeLimit { return .tooLong }
    return FileStatus.isReadable(path) ? nil : .closed
  }
}
