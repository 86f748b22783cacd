import SQLiteFiles

/// Tells what a copy of a container that was ended has left from what a person has put in its place: it has the bytes of the
/// container's file, as far as it goes.
struct CopiedBytes {
  private let files: ContainerFiles

  init(of files: ContainerFiles) { self.files = files }

  /// The first of these in a folder that a copy has not left there like that, by their paths in it.
  func firstOther(of names: some Sequence<String>, in folder: String) -> String? {
    names.first { name in
      let place = folder + "/" + name
      return FileStatus(path: place)?.isRegular == true && !isLeft(name, place)
    }
  }

  private func isLeft(_ name: String, _ place: String) -> Bool {
    // What it says of the half is looked at where it is read.
    if name == CopyMark.name { return true }
    if name == CopyMark.name + DurableFile.suffix { return CopyMark.begins(place) }
    return isBeginning(place, of: source(of: name)) || name.hasSuffix("-shm") && isLogIndex(place)
  }

  /// Where a file of a copy comes from: a store alone is copied under the framework's name.
  private func source(of name: String) -> String {
    if let root = files.whole { return root + "/" + name }
    let store = "Documents/" + ContainerFiles.databaseName
    if name.hasPrefix(store) { return files.database + name.dropFirst(store.count) }
    return folderAndName(files.documents).folder + "/" + name
  }

  private func isBeginning(_ place: String, of source: String) -> Bool {
    if FileStatus(path: place)?.size == 0 { return true }
    if FileStatus.isLink(source) { return false }
    do {
      let (copy, original) = (try RegularFile(place), try RegularFile(source))
      var offset = 0
      while true {
        let block = try copy.bytes(at: offset, 1 << 20)
        guard try original.bytes(at: offset, block.count) == block else { return false }
        if block.isEmpty { return true }
        offset += block.count
      }
    } catch {
      return false
    }
  }

  /// SQLite makes a `-shm` beside a `-wal` that is looked into (sqlite.org/walformat.html, section 2): zeros at first, then the
  /// version of its form, in the machine's order.
  private func isLogIndex(_ place: String) -> Bool {
    guard let bytes = try? RegularFile(place).bytes(at: 0, 32 << 10) else { return false }
    return bytes.allSatisfy { $0 == 0 }
      || bytes.starts(with: withUnsafeBytes(of: UInt32(3_007_000), Array.init))
  }
}
