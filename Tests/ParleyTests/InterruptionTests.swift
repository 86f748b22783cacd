import Foundation
import StoreInterface
import Synchronization
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

  /// In a process of its own, which a signal may end.
  @Test("behind the last record that is read is one all the same: what comes next is not done")
  func behindTheLast() async {
    await #expect(processExitsWith: .success) {
      let interrupted = CommandError.interrupted(words: Interruption.unwritten)
      do {
        try Interruption.reading(Interruption.unwritten) {
          kill(getpid(), SIGTERM)
          while StoreCall.current.end(of: "") == nil { sched_yield() }
        }
      } catch let error as CommandError where error.words == interrupted.words {
        exit(0)
      }
      exit(1)
    }
  }

  @Test("is told over the line of how far it is, broken at words, and in one line to another program")
  func lines() {
    let words = "parley: " + Interruption.words
    let lines = Interruption.lines(of: words, width: 60).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first?.first == "\r" && lines.last == "")
    #expect(lines.allSatisfy { $0.drop { $0 == "\r" }.count <= 60 })
    let told = lines.joined(separator: " ").split { " \r".contains($0) }.joined(separator: " ")
    #expect(told == words)
    #expect(Interruption.lines(of: words, width: nil) == words + "\n")
  }

  /// Whoever only looks, or undoes without --yes, finishes nothing, and the log has nothing of it until then.
  @Test("is told with what finishes what was begun, in the words of the store that has it")
  func way() throws {
    let write = InterruptedWrite(act: .write, records: [])
    let told = try #require(InterruptedText.lines([write], store: "a.sqlite").last)
    let way = " finishes it or takes it back, record by record, and so does the next write, undo or mending"
    #expect(told.contains(way), "\(told)")
    for words in [
      Interruption.words, Interruption.unimported, Interruption.notTakenBack, Interruption.unfinished,
    ] {
      #expect(words.contains("r in the desk\(way) with --yes, or import."), "\(words)")
      #expect(words.hasSuffix("parley doctor PATH --all names each record.") && !words.contains("next start"))
    }
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
    // Of what was only tried nothing has to be said.
    await #expect(processExitsWith: .signal(SIGINT)) {
      Interruption.stopping(isHeld: false) { _ in }
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

  /// Of an import of thousands of records that takes a second, and nothing was to be seen of a Ctrl-C in it.
  @Test("while a command looks at what was interrupted before is told, and the command ends with 130")
  func looking() async throws {
    let result = try await #require(
      processExitsWith: .exitCode(ExitStatus.interrupted.rawValue), observing: [\.standardErrorContent]
    ) {
      let surroundings = Surroundings(
        output: LineWriter { _ in }, errors: Surroundings.live(redaction: .fixed).errors, redaction: .fixed,
        isWatched: false, width: nil, environment: [:], now: { 0 },
        open: { _ in
          let store = WatchedStore([], summary: ImportSummary())
          let write = InterruptedWrite(act: .import, records: [])
          store.leave(write) { InterruptionTests.interrupt() }
          _ = try store.interruptedWritesAtStart(pause: 0)
          return store
        }, makeDemo: { _, folder, _ in folder }, checkIsContainer: { _ in },
        checkCopy: { _, _ in }, copyContainer: { request, _ in (request, [], nil) })
      exit(Program.run(["import", "a.sqlite", "a.json"], in: surroundings).rawValue)
    }
    let told = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(told == "parley: \(Interruption.unchanged)\n", "\(told.debugDescription)")
  }

  /// Once, and until whoever works hears of it.
  private static func interrupt() {
    let deadline = ContinuousClock.now + .seconds(20)
    kill(getpid(), SIGINT)
    while .now < deadline, StoreCall.current.end(of: "store") == nil { sched_yield() }
  }

  @Test("of what is read, twice, leaves no line of how far it is on the terminal")
  func twice() async throws {
    let result = try await #require(
      processExitsWith: .signal(SIGINT), observing: [\.standardErrorContent]
    ) {
      let line = ProgressLine(Surroundings.live(redaction: .fixed).errors, isShown: true)
      try line.show("Reading")
      Interruption.heard { _ in InterruptionTests.end(by: SIGINT) }
    }
    let told = String(decoding: result.standardErrorContent, as: UTF8.self)
    let blanks = String(repeating: " ", count: "Reading^C^C".count)
    #expect(told.contains("\r\(blanks)\r"), "\(told.debugDescription)")
  }

  @Test("of an import is told in the words of the other commands, and beside what was finished before")
  func sameWords() {
    for (isLeft, words) in [(false, Interruption.unchanged), (true, Interruption.unchangedElse)] {
      let store = WatchedStore([], summary: ImportSummary())
      if isLeft { store.leave(InterruptedWrite(act: .import, records: [])) {} }
      let told = Mutex("")
      // As if it was stopped while files are read.
      let errors = LineWriter { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        told.withLock { $0 += text }
        if text.contains("reading") { throw StoreError.stopped(path: "a.sqlite") }
      }
      let surroundings = Surroundings(
        output: LineWriter { _ in }, errors: errors, redaction: .fixed, isWatched: true, width: nil,
        environment: [:], now: { 0 }, open: { _ in store }, makeDemo: { _, folder, _ in folder },
        checkIsContainer: { _ in }, checkCopy: { _, _ in },
        copyContainer: { request, _ in (request, [], nil) })
      #expect(Program.run(["import", "a.sqlite", "/"], in: surroundings) == .interrupted)
      let errorsTold = told.withLock(\.self)
      #expect(errorsTold.hasSuffix("parley: \(words)\n"), "\(errorsTold.debugDescription)")
    }
  }

  @Test("of an import tells of that, and not of a write")
  func ofAnImport() async throws {
    let result = try await #require(
      processExitsWith: .signal(SIGTERM), observing: [\.standardErrorContent]
    ) {
      // How far it is is told while files are read.
      let errors = LineWriter { _ in InterruptionTests.end(by: SIGTERM) }
      let surroundings = Surroundings(
        output: LineWriter { _ in }, errors: errors, redaction: .fixed, isWatched: true, width: nil,
        environment: [:], now: { 0 }, open: { _ in WatchedStore([], summary: ImportSummary()) },
        makeDemo: { _, folder, _ in folder },
        checkIsContainer: { _ in }, checkCopy: { _, _ in },
        copyContainer: { request, _ in (request, [], nil) })
      _ = Program.run(["import", "a.sqlite", "a.json"], in: surroundings)
    }
    let told = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(told.contains("parley: \(Interruption.unimported)\n"), "\(told.debugDescription)")
  }

  @Test("of an undo tells of that, and not of a write")
  func ofAnUndo() async throws {
    let result = try await #require(
      processExitsWith: .signal(SIGTERM), observing: [\.standardErrorContent]
    ) {
      let session = Session([Samples.milk])
      _ = session.run("resolve a.sqlite M2 --accept all")
      _ = session.run("write a.sqlite M2 --yes")
      session.store.whileUndoing { InterruptionTests.end(by: SIGTERM) }
      _ = session.run("undo a.sqlite --yes")
    }
    let told = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(told.contains("parley: Interrupted. An undo that was begun "), "\(told.debugDescription)")
  }

  @Test("at a question of --plain tells that what was decided is kept, and what goes on")
  func atAQuestion() async throws {
    let result = try await #require(
      processExitsWith: .signal(SIGINT), observing: [\.standardErrorContent]
    ) {
      var (session, isAnswered) = (Session([Samples.milk]), false)
      session.reader = LineReader {
        if isAnswered { InterruptionTests.end(by: SIGINT) }
        isAnswered = true
        return Array("c\n".utf8)
      }
      _ = session.run("a.sqlite --plain")
    }
    let told = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(told == "parley: \(Interruption.leftKept)\n", "\(told.debugDescription)")
  }

  @Test("while apply waits for decisions on standard input tells that nothing was decided")
  func whileDecisionsAreRead() async throws {
    let result = try await #require(
      processExitsWith: .signal(SIGINT), observing: [\.standardErrorContent]
    ) {
      var session = Session([Samples.milk])
      session.reader = LineReader {
        InterruptionTests.end(by: SIGINT)
        return []
      }
      _ = session.run("apply a.sqlite -")
    }
    let told = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(told == "parley: \(Interruption.untaken)\n", "\(told.debugDescription)")
  }

  /// What is told of the one would be false of the other: nothing was begun, and something is left.
  @Test("before a command tells of what it finishes first, or where there is none that nothing was changed")
  func beforeFinishing() async throws {
    let none = try await #require(
      processExitsWith: .signal(SIGINT), observing: [\.standardErrorContent]
    ) {
      InterruptionTests.endBeforeFinishing(WatchedStore([]))
    }
    let one = try await #require(
      processExitsWith: .signal(SIGINT), observing: [\.standardErrorContent]
    ) {
      let store = WatchedStore([])
      store.leave(InterruptedWrite(act: .write, records: []))
      InterruptionTests.endBeforeFinishing(store)
    }
    for (result, words) in [(none, Interruption.unchanged), (one, Interruption.unfinished)] {
      let told = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(told == "parley: \(words)\n", "\(told.debugDescription)")
    }
  }

  private static func endBeforeFinishing(_ store: WatchedStore) {
    store.beforeFinishing { InterruptionTests.end(by: SIGINT) }
    _ = Session(store: store).run("undo a.sqlite --yes")
  }

  /// The signal ends the process, soon.
  private static func end(by number: Int32) {
    let deadline = ContinuousClock.now + .seconds(20)
    while .now < deadline {
      kill(getpid(), number)
      sched_yield()
    }
  }

  @Sendable private static func pass(_ signal: Int32) {}
}
