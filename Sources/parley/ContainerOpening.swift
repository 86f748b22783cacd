import CouchDBStores
import Foundation
import Merging
import SMSyncStores
import SQLiteFiles
import StoreInterface

/// Opening a container of SMSyncServer, and a copy of it that may be written.
enum ContainerOpening {
  static func open(_ request: StoreRequest, _ rules: MergeRules) throws -> SMSyncStore {
    guard request.metadatabase == nil else { throw CommandError.metadataOfDatastore(path: request.path) }
    guard request.authorities == nil else { throw CommandError.authoritiesOfFile(path: request.path) }
    let store = try SMSyncStore.open(
      path: request.path, access: request.access == .reading ? .reading : .writing, index: request.index,
      ancestors: request.ancestors, finishing: false,
      rules: rules)
    if request.route == .direct, !store.isCopy { throw CommandError.directIntoContainer(path: request.path) }
    if request.route == .outbox, store.isCopy { throw CommandError.outboxOfCopy(path: request.path) }
    return store
  }

  /// - Throws: ``CommandError/copyOfOther(path:)``, ``StoreError/notFound(path:)``
  static func checkIsContainer(_ request: StoreRequest) throws {
    if !ServerAddress.isMeant(by: request.path) { try request.checkIsThere() }
    guard !ServerAddress.isMeant(by: request.path), SMSyncStore.recognises(request.path) else {
      throw CommandError.copyOfOther(path: request.shownPath)
    }
  }

  /// What is copied, where it is not what was named: of a container that lies among other things nobody sees where it ends.
  static func whatIsTaken(_ request: StoreRequest) -> String? {
    guard let files = try? ContainerFiles(path: request.path) else { return nil }
    let taken = files.whole ?? files.database
    guard taken != FileStatus.real(request.path) else { return nil }
    return files.whole == nil
      ? "The store \(taken) is copied, with what lies in Temporary beside it."
      : "The container is \(taken), and all of it is copied."
  }

  /// Copies the container into `folder`, with what was decided about it.
  ///
  /// - Returns: how the copy is opened, what is told about it, in sentences, and what would be taken away with it.
  static func copy(
    _ request: StoreRequest, into folder: String
  ) throws -> (request: StoreRequest, told: [String], made: MadeInFolder?) {
    try checkIsContainer(request)
    var copied = request
    copied.path = folder
    let told = try naming(copied) { try copyWithDecisions(request, into: folder) }
    return (copied, sentences(told), told.made)
  }

  /// Fails where nothing could be copied into `folder` now, as ``copy(_:into:)`` would. Nothing is made there.
  static func checkCopy(_ request: StoreRequest, into folder: String) throws {
    var copied = request
    copied.path = folder
    try naming(copied) { try ContainerCopy.check(of: request.path, in: folder) }
  }

  /// With the command by which a copy is written that is there already: with all that is given beside it, as what was decided with that
  /// holds with it alone.
  private static func naming<Result>(_ copy: StoreRequest, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch StoreError.copyIsThere(let path) {
      throw CommandError.copyIsThere(path: path, store: copy.quoted)
    }
  }

  private static func sentences(_ told: ContainerCopy.Told) -> [String] {
    let leftOut = told.leftOut.joined(separator: ", ")
    return (leftOut.isEmpty ? [] : ["Left out of the copy: \(leftOut)."])
      + told.setAside.map { path in
        "A journal of an earlier copy or container lay at this place; nothing of it holds for this copy, so it is now \(path)."
      }
  }

  private static func copyWithDecisions(
    _ request: StoreRequest, into folder: String
  ) throws -> ContainerCopy.Told {
    try ContainerCopy.make(of: request.path, in: folder) { files in
      // With all that was given beside it, as what was decided with that holds with it alone.
      let (original, copy) = try (
        SMSyncStore.open(
          path: request.path, index: request.index, ancestors: request.ancestors, finishing: false),
        SMSyncStore.open(
          files, access: .writing, index: request.index, ancestors: request.ancestors, finishing: false
        )
      )
      try copy.takeDecisions(from: original)
    }
  }
}
