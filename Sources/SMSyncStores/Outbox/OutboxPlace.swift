import ExactJSON
import Foundation
import Journals
import SQLiteFiles

/// Where the outbox of a container lies: beside its journal. Unless there is one where the journal could lie as well, as from a time
/// when this user might write there, or might not: of two outboxes somebody may send both. Then that one is read, and none written.
struct OutboxPlace: Sendable, Equatable {
  let path: String
  /// Why nothing is put into an outbox.
  let hindrance: String?

  init(
    of files: ContainerFiles, beside journal: String,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    let own = OutboxFile.path(beside: journal)
    let places = JournalPath.places(of: files.anchor, environment: environment).map(OutboxFile.path)
    let other = places.first { $0 != own && OutboxPlace.mayBeOurs($0, files) }
    path = FileStatus(path: own) == nil ? other ?? own : own
    let isBeside = other.map { folderAndName($0).folder == folderAndName(files.anchor).folder } == true
    hindrance = files.isCopy ? nil : other.map { OutboxPlace.words($0, isBeside: isBeside) }
  }

  private static func words(_ other: String, isBeside: Bool) -> String {
    let reason =
      isBeside ? "whose journal cannot be written or is another" : "from when none could be written here"
    let mending = isBeside ? "Make its journal and its folder writable, or move" : "Move"
    return """
      an outbox of it lies at \(other), \(reason), and of two outboxes somebody may send both. \
      \(mending) that outbox away once nobody is to send it
      """
  }

  /// Another container of the same stem has its own there, and tells its name in it.
  private static func mayBeOurs(_ path: String, _ files: ContainerFiles) -> Bool {
    guard FileStatus(path: path) != nil else { return false }
    let name = OutboxFile.container(path)
    return name == nil || name == files.name
  }
}

extension OutboxFile {
  /// Whose it is; nil if nobody can tell.
  fileprivate static func container(_ path: String) -> String? {
    guard let bytes = try? RegularFile(path).bytes(limit: sizeLimit) else { return nil }
    var reader = JSONReader(bytes, rules: AppMetaData.rules)
    return (try? reader.single())?["container"]?.text
  }
}
