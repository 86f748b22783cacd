import Foundation
import SQLiteFiles
import Testing

@testable import Journals
@testable import StoreInterface

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The lock of those who write a store that has none of its own.
struct WriterLockTests {
  private let folder: TestFolder
  private var lock: WriterLock { WriterLock(beside: folder.path + "/j") }

  init() throws { folder = try TestFolder() }

  @Test func oneHoldsItAtATime() throws {
    try lock.holding(for: "s") {
      #expect(lock.isHeld)
      LockProbe.$patience.withValue(.zero) {
        #expect(throws: WriterLock.heldError("s")) { try lock.holding(for: "s") {} }
      }
    }
    #expect(!lock.isHeld)
    try lock.holding(for: "s") {}
  }

  /// It lets go as soon as somebody asks whether that is still waited for.
  @Test func whoHasItIsWaitedFor() throws {
    let other = open(folder.path + "/j.lock", O_RDWR | O_CREAT, 0o600)
    defer { close(other) }
    #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
    let call = StoreCall(isWanted: { flock(other, LOCK_UN) == 0 })
    let isHeld = try call.answered { try lock.holding(for: "s") { lock.isHeld } }
    #expect(isHeld)
  }

  @Test func whoIsStoppedWaitsNoLonger() throws {
    try lock.holding(for: "s") {
      _ = StoreCall(isWanted: { false }).answered {
        #expect(throws: StoreError.stopped(path: "s")) { try lock.holding(for: "s") {} }
      }
    }
  }

  /// No patience helps against that.
  @Test func whatIsNoFileIsToldAtOnce() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/j.lock", withIntermediateDirectories: false)
    let call = StoreCall(isWanted: {
      Issue.record("it is waited for")
      return true
    })
    _ = call.answered {
      #expect(throws: StoreError.journalForbidden(path: folder.path + "/j.lock", detail: "it is a folder")) {
        try lock.holding(for: "s") {}
      }
    }
  }

  #if os(Linux)
    /// Between its fork and its own beginning an editor, or whatever else is started, has all files open that we have.
    @Test func whatIsBeingStartedDoesNotHoldItOn() throws {
      var copy: Int32 = -1
      try lock.holding(for: "s") { copy = try Self.duplicate(of: folder.path + "/j.lock") }
      defer { close(copy) }
      #expect(copy >= 0 && !lock.isHeld)
    }

    private static func duplicate(of path: String) throws -> Int32 {
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      let found = open.first {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) == path
      }
      return found.flatMap { Int32($0) }.map { dup($0) } ?? -1
    }
  #endif
}

extension WriterLock {
  /// What a write of the store at `path` ends with while another Parley has the lock.
  static func heldError(_ path: String) -> StoreError {
    .readOnly(
      path: path, reason: "another Parley has it for writing; it can be written once that is done")
  }
}
