import Foundation
import StoreInterface
import Testing

@testable import parley

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("An interruption")
struct InterruptionTests {
  /// In a process of its own, which a signal may end.
  @Test("is heard by the second and the third watch of a process as by the first")
  func again() async {
    await #expect(processExitsWith: .success) {
      for _ in 1...3 {
        let isHeard = Interruption.heard(of: [SIGUSR2], again: InterruptionTests.pass) { isWanted in
          // Whoever listens begins to a moment later.
          for _ in 0..<100_000 where isWanted() {
            kill(getpid(), SIGUSR2)
            sched_yield()
          }
          let isHeard = !isWanted()
          // What is still on its way would end the process.
          signal(SIGUSR2, SIG_IGN)
          return isHeard
        }
        if !isHeard { exit(1) }
      }
    }
  }

  @Test("is told over the line of how far it is, broken at words, and in one line to another program")
  func lines() {
    let words = "parley: " + Interruption.words
    let lines = Interruption.lines(of: words, width: 60).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first?.first == "\r" && lines.first?.count == 60 && lines.last == "")
    #expect(lines.allSatisfy { $0.drop { $0 == "\r" }.count <= 60 })
    let told = lines.joined(separator: " ").split { " \r".contains($0) }.joined(separator: " ")
    #expect(told == words)
    #expect(Interruption.lines(of: words, width: nil) == words + "\n")
  }

  @Test("of what is done in steps ends the process by the signal, once it was told what becomes of it")
  func told() async {
    await #expect(processExitsWith: .signal(SIGINT)) {
      Interruption.told("Interrupted.") {
        kill(getpid(), SIGINT)
        let deadline = ContinuousClock.now + .seconds(20)
        while .now < deadline { sched_yield() }
      }
    }
  }

  /// Otherwise the signal would end the process.
  @Test("behind a change waits for what is still to be said, and ends the process after that")
  func behind() async {
    await #expect(processExitsWith: .exitCode(7)) {
      Interruption.stopping { _ in }
      Interruption.told(isHeld: true) {}
      kill(getpid(), SIGINT)
      exit(7)
    }
    await #expect(processExitsWith: .signal(SIGINT)) {
      Interruption.stopping { _ in }
      Interruption.release()
      kill(getpid(), SIGINT)
      exit(7)
    }
  }

  @Test("of what is only read ends that, and not the process")
  func reading() async {
    await #expect(processExitsWith: .success) {
      do {
        try Interruption.reading(Interruption.unwritten) {
          kill(getpid(), SIGINT)
          while true {
            try StoreCall.current.check("store")
            sched_yield()
          }
        }
      } catch CommandError.interrupted(let words) {
        exit(words == Interruption.unwritten ? 0 : 1)
      }
      exit(1)
    }
  }

  @Sendable private static func pass(_ signal: Int32) {}
}
