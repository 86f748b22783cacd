import Merging
import SQLiteFiles
import StoreInterface

/// A folder with texts that a person still has of earlier versions, as from the trash of a cloud drive: the system itself keeps none.
///
///     FOLDER/5B35D24D-…-3      the file's version 3
///     FOLDER/5B35D24D-…        the file, whatever version that was
///     FOLDER/notes.txt         by the name that the file has there
struct AncestorTexts: Sendable, Equatable {
  let folder: String

  /// - Throws: ``StoreError/fileMissing(path:)``, ``StoreError/notAFile(path:kind:)``
  init(folder: String) throws {
    guard let status = FileStatus(path: folder) else { throw StoreError.fileMissing(path: folder) }
    guard status.isFolder else {
      throw StoreError.cannotRead(path: folder, detail: "a folder with the texts of ancestors belongs here")
    }
    self.folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
  }

  /// nil if there is none of this file.
  func bytes(of file: FileRows, version: Int64?) -> [UInt8]? {
    let names = [version.map { "\(file.uuid)-\($0)" }, file.uuid, file.name].compactMap(\.self)
    return names.lazy.compactMap { bytes($0) }.first
  }

  private func bytes(_ name: String) -> [UInt8]? {
    guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(0), !name.contains("/") else {
      return nil
    }
    let path = folder + "/" + name
    guard !FileStatus.isLink(path), FileStatus(path: path)?.isRegular == true else { return nil }
    return try? RegularFile(path).bytes(limit: ContainerFiles.sizeLimit)
  }
}
