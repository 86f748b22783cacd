import Foundation
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
      #expect(throws: StoreError.locked(path: "s", holder: "another Parley")) {
        try lock.holding(for: "s") {}
      }
    }
    #expect(!lock.isHeld)
    try lock.holding(for: "s") {}
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
