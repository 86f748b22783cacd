import Foundation
import Merging
import Testing

@testable import SMSyncStores
@testable import SQLiteFiles
@testable import Samples
@testable import StoreInterface

/// Two that make a copy at one place: one has it, whole, and the other leaves nothing and takes nothing of it.
@Suite("A place that two copies want") struct NewFolderTests {
  private let container: TestContainer

  init() throws { container = try TestContainer() }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
  }

  /// Both have looked before either has made anything.
  @Test(arguments: [false, true]) func whoComesLaterTakesNothingOfTheFirst(isThere: Bool) throws {
    let place = container.folder.path("deep/copy")
    if isThere { try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true) }
    let two = try (1...2).map { _ in try NewFolder(place, of: ContainerFiles(path: container.path)) }
    try two[0].claim()
    try two[0].makeFolder("Documents")
    try two[0].makeFile("Documents/a") { close($0) }
    let whole = try names(place)
    let error = #expect(throws: StoreError.self) { try two[1].claim() }
    #expect("\(error.debugDescription)".contains("somebody else makes something there"))
    two[1].remove()
    #expect(try names(place) == whole && whole.count == 3)
    two[0].remove()
    #expect(FileManager.default.fileExists(atPath: place) == isThere)
  }

  /// A folder around it that the other has made stays, as the other is in it.
  @Test func whoFailsLeavesTheOthersPlace() throws {
    let two = try ["x/a", "x/b"].map {
      try NewFolder(container.folder.path($0), of: ContainerFiles(path: container.path))
    }
    for one in two { try one.claim() }
    two[0].remove()
    #expect(try names(container.folder.path("x")) == ["b", "b/" + CopyMark.name])
    two[1].remove()
  }

  @Test func whatSomebodyElsePutThereStays() throws {
    let place = container.folder.path("copy")
    let folder = try NewFolder(place, of: ContainerFiles(path: container.path))
    try folder.claim()
    try folder.makeFolder("Documents")
    for name in ["/theirs", "/Documents/theirs"] { try Data().write(to: URL(filePath: place + name)) }
    folder.remove()
    #expect(try names(place) == ["Documents", "Documents/theirs", "theirs"])
  }

  @Test func whatSomebodyElsePutIntoAnUnwrittenCopyStays() throws {
    let made = try ContainerCopy.make(of: container.path, in: container.copy).made
    try Data().write(to: URL(filePath: container.copy + "/theirs"))
    #expect(try ContainerCopy.removeUnwritten(made))
    #expect(try names(container.copy) == ["theirs"])
  }

  /// Its journal lies in one of them.
  @Test(arguments: [[], ["theirs"]]) func ofAnUnwrittenCopyTheFoldersAroundItGoToo(theirs: [String]) throws {
    let around = container.folder.path("around")
    let made = try ContainerCopy.make(of: container.path, in: around + "/deep/copy").made
    for name in theirs { try Data().write(to: URL(filePath: around + "/" + name)) }
    #expect(try ContainerCopy.removeUnwritten(made))
    #expect(FileManager.default.fileExists(atPath: around) == !theirs.isEmpty)
    if !theirs.isEmpty { #expect(try names(around) == theirs) }
  }

  /// Killed: nobody took away what was made, and nobody holds its mark any more.
  private func makeHalf(_ place: String) throws {
    let folder = try NewFolder(place, of: ContainerFiles(path: container.path))
    try folder.claim()
    try folder.makeFolder("AppData")
    try folder.makeFolder("AppData/Documents")
    try folder.makeFile("AppData/Documents/" + ContainerFiles.databaseName) { file in
      defer { close(file) }
      let bytes = [UInt8]("SQLite format 3".utf8)
      #expect(pwrite(file, bytes, bytes.count, 0) == bytes.count)
    }
  }

  @Test func halfOfACopyIsNamedAsThatAndReplaced() throws {
    try makeHalf(container.copy)
    #expect(SMSyncStore.recognises(container.copy))
    for part in ["", "/AppData", "/AppData/Documents", "/AppData/Documents/" + ContainerFiles.databaseName] {
      let error = #expect(throws: StoreError.self) { try SMSyncStore.open(path: container.copy + part) }
      #expect("\(error.debugDescription)".contains("it is half of a copy"), "\(part)")
    }
    try ContainerCopy.make(of: container.path, in: container.copy)
    #expect(try container.openCopy().isCopy)
    #expect(try !text(of: container.copy).contains("Half of"))
    #expect(throws: StoreError.self) { try ContainerCopy.make(of: container.path, in: container.copy) }
  }

  private func text(of folder: String) throws -> String {
    try String(contentsOfFile: folder + "/" + CopyMark.name, encoding: .utf8)
  }

  /// While somebody makes it, it is half as well, and taken.
  @Test func halfOfACopyThatIsJustMadeIsNotReplaced() throws {
    let folder = try NewFolder(container.copy, of: ContainerFiles(path: container.path))
    try folder.claim()
    try folder.makeFolder("AppData")
    let error = #expect(throws: StoreError.self) {
      try ContainerCopy.make(of: container.path, in: container.copy)
    }
    #expect("\(error.debugDescription)".contains("somebody else makes something there"))
    #expect(try names(container.copy) == ["AppData", CopyMark.name])
    folder.remove()
  }

  /// What is nobody's half of this copy stays: a person's own file, or a half that was made elsewhere.
  @Test func nothingElseIsReplaced() throws {
    try makeHalf(container.copy)
    let own = container.copy + "/mine.txt"
    try Data("mine".utf8).write(to: URL(filePath: own))
    #expect(throws: StoreError.self) { try ContainerCopy.make(of: container.path, in: container.copy) }
    #expect(FileManager.default.contents(atPath: own) == Data("mine".utf8))
    try FileManager.default.removeItem(atPath: own)
    // Deep among what Parley has made, too, and under the name of what the container has there.
    for name in ["AppData/Documents/mine.txt", "AppData/Documents/Temporary/SMSyncServer.000001.dat"] {
      let own = container.copy + "/" + name
      try FileManager.default.createDirectory(
        atPath: folderAndName(own).folder, withIntermediateDirectories: true)
      try Data("mine".utf8).write(to: URL(filePath: own))
      let before = try names(container.copy)
      let error = #expect(throws: StoreError.self) {
        try ContainerCopy.make(of: container.path, in: container.copy)
      }
      #expect("\(error.debugDescription)".contains("is nothing that Parley has made"))
      #expect(try names(container.copy) == before)
      try FileManager.default.removeItem(atPath: own)
    }
    try FileManager.default.removeItem(atPath: container.copy + "/AppData/Documents/Temporary")
    let moved = container.folder.path("moved")
    #expect(rename(container.copy, moved) == 0)
    let before = try names(moved)
    #expect(throws: StoreError.self) { try ContainerCopy.make(of: container.path, in: moved) }
    #expect(try names(moved) == before)
    #expect(throws: StoreError.self) { try SMSyncStore.open(path: moved) }
  }

  @Test func whatIsNoFileIsLeftOutAndTold() throws {
    let documents = container.documents
    try FileManager.default.createSymbolicLink(
      atPath: documents + "/link", withDestinationPath: "/etc/hosts")
    #expect(mkfifo(documents + "/Temporary/pipe", 0o600) == 0)
    let leftOut = try ContainerCopy.make(of: container.path, in: container.copy).leftOut
    #expect(
      Set(leftOut) == [
        "AppData/Documents/Temporary/pipe (a pipe)", "AppData/Documents/link (a symbolic link)",
      ])
    #expect(try !names(container.copy).contains { $0.hasSuffix("link") || $0.hasSuffix("pipe") })
  }

  /// Only the store's own -shm and the mark of the container's top stay behind without a word.
  @Test func whatIsCalledAsPartsOfACopyAreIsCopied() throws {
    let folder = "AppData/Documents/"
    let copied = ["notes-shm", "x-shm/inner", CopyMark.name].map { folder + $0 }
    let own = folder + ContainerFiles.databaseName + "-shm"
    try FileManager.default.createDirectory(
      atPath: container.path + "/" + folder + "x-shm", withIntermediateDirectories: true)
    for name in copied + [own, CopyMark.name] {
      try Data("mine".utf8).write(to: URL(filePath: container.path + "/" + name))
    }
    let odd = Array((container.documents + "/").utf8CString.dropLast()) + [0x61, CChar(bitPattern: 0xFF), 0]
    close(open(odd, O_CREAT | O_WRONLY, 0o600))
    let leftOut = try ContainerCopy.make(of: container.path, in: container.copy).leftOut
    #expect(
      Set(leftOut) == [
        "\(CopyMark.name) (the copy's own mark lies there)", folder + "a\u{FFFD} (its name is not UTF-8)",
      ])
    #expect(try Set(copied).isSubset(of: names(container.copy)))
    #expect(try !names(container.copy).contains(own))
  }

  /// Killed with names that no line holds as they are.
  @Test func whateverItsFilesAreCalledHalfOfACopyIsReplaced() throws {
    try Data("odd".utf8).write(to: URL(filePath: container.documents + "/50%\nof it"))
    do {
      let folder = try NewFolder(container.copy, of: ContainerFiles(path: container.path))
      try folder.claim()
      try folder.makeFolder("AppData")
      try folder.makeFile("AppData/50%\nof it") { close($0) }
    }
    try ContainerCopy.make(of: container.path, in: container.copy)
    #expect(try names(container.copy).contains("AppData/Documents/50%\nof it"))
    #expect(try !names(container.copy).contains("AppData/50%\nof it"))
  }

  /// A full disk, or whatever else ends it last: its journal would be that of the next copy.
  @Test func ofACopyThatFailsNoJournalIsLeft() throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: container.folder.path).sorted()
    let full = StoreError.writeFailed(path: container.copy, detail: "No space left on device")
    #expect(throws: full) {
      try ContainerCopy.make(of: container.path, in: container.copy) { files in
        let copy = try SMSyncStore.open(files, access: .writing)
        let conflict = try copy.conflict(ContainerDemoStore.uuid(2))
        let resolution = Resolution(choices: [.record: .take(.server)])
        try copy.log.append(conflict.decisions(about: [.record], in: resolution, at: 1))
        #expect(FileStatus(path: copy.log.path) != nil)
        throw full
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: container.folder.path).sorted() == before)
  }

  /// How far it is is told, up to all of it; whoever does not want it any more has nothing of it.
  @Test func isToldAndStoppedBetweenTwoBlocks() throws {
    nonisolated(unsafe) var told: [StoreCall.Progress] = []
    try StoreCall(hear: { told.append($0) }).answered {
      _ = try ContainerCopy.make(of: container.path, in: container.folder.path("whole"))
    }
    let all = try #require(told.first).all
    #expect(told.map(\.done) == told.map(\.done).sorted() && told.allSatisfy { $0.all == all })
    #expect(told.last?.done == all && all > 100_000)
    nonisolated(unsafe) var steps = 0
    let call = StoreCall(isWanted: { steps < 9 }, hear: { _ in steps += 1 })
    #expect(throws: StoreError.stopped(path: container.path)) {
      try call.answered { _ = try ContainerCopy.make(of: container.path, in: container.copy) }
    }
    #expect(steps == 9 && !FileManager.default.fileExists(atPath: container.copy))
  }

  /// While its decisions are taken over, when all of its bytes are there.
  @Test func isStoppedAsLongAsItIsNotWhole() throws {
    nonisolated(unsafe) var isWanted = true
    let call = StoreCall(isWanted: { isWanted }, hear: { _ in })
    #expect(throws: StoreError.stopped(path: container.path)) {
      try call.answered {
        _ = try ContainerCopy.make(of: container.path, in: container.copy) { _ in isWanted = false }
      }
    }
    #expect(!FileManager.default.fileExists(atPath: container.copy))
  }

  /// The one that came second, while the first was not done.
  @Test func aCopyIsWholeAlsoIfAnotherTriedMeanwhile() throws {
    try ContainerCopy.make(of: container.path, in: container.copy) { _ in
      let before = try names(container.copy)
      #expect(throws: StoreError.self) { try ContainerCopy.make(of: container.path, in: container.copy) }
      #expect(try names(container.copy) == before)
    }
    #expect(try container.openCopy().isCopy)
  }
}
