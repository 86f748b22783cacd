import Foundation
import Testing

/// Tests that wait for a terminal or another process hold a thread meanwhile, and Swift runs all tests on as many threads as there are
/// cores: while two of them waited, both cores were idle. These have threads of their own, and so has what lies between two
/// tests of a suite: on the others' threads each of them would stand in the line of all tests, and a suite of which one
/// waits for the next would come to its second when all the others are through.
struct OwnThread: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(OwnThreads.shared) { try await function() }
  }
}

extension SuiteTrait where Self == OwnThread {
  static var onItsOwnThread: OwnThread { OwnThread() }
}

/// A few at a time: each of them starts a program or two.
private final class OwnThreads: TaskExecutor {
  static let shared = OwnThreads()

  private let queue: OperationQueue = {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 4
    return queue
  }()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
