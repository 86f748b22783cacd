import BenchmarkStores
import Foundation
import Synchronization
import Testing

@testable import SQLiteFiles
@testable import StoreInterface
@testable import parley

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What is told of work on many records while it goes on, and what becomes of it when a person stops it.
@Suite("Long work on a terminal")
struct ProgressTests {
  private static let documents = KilledWriteTests.documents

  /// The lines that were written one over the other.
  private func shown(_ arguments: String...) -> [String] { shown(arguments) }

  private func shown(_ arguments: [String]) -> [String] {
    let run = Live.run(arguments, isWatched: true)
    #expect(run.errors.hasSuffix("\r") || run.errors.isEmpty, "nothing of them stays")
    // Each is written twice, so that the cursor stands behind it.
    return run.errors.split(separator: "\r").map { $0.trimmingCharacters(in: .whitespaces) }.unique.filter {
      !$0.isEmpty
    }
  }

  @Test("resolve, list, write, undo and doctor tell how far they are, and take that away again")
  func told() throws {
    try withTemporaryFolder { folder in
      let path = try CloudantBenchmark.make(in: folder, documents: Self.documents, every: 1)
      #expect(shown("resolve", path, "--accept", "all") == ["Deciding: 200 records"])
      for format in [[], ["--json"], ["--find", "zebra"]] {
        #expect(shown(["list", path] + format) == ["Listing: 200 records"])
      }
      for mending in [[], ["--mend"]] {
        let lines = shown(["doctor", path] + mending)
        let words = "Looking for what is stuck: \(Self.documents) records, "
        #expect(lines.last?.hasPrefix(words) == true, "\(lines)")
      }
      for command in ["show", "log", "resolve --export", "resolve --forget --dry-run"] {
        let words = command.split(separator: " ").map(String.init)
        let unit = command == "log" ? "of at most \(Self.documents) entries" : "records"
        let lines = shown([words[0], path] + words.dropFirst())
        #expect(lines.count == 1 && lines[0].hasSuffix(": 200 \(unit)"), "\(command): \(lines)")
      }
      let decisions = folder + "/decisions"
      try Live.run("resolve", path, "--export").output.write(
        toFile: decisions, atomically: true, encoding: .utf8)
      #expect(shown("apply", path, decisions) == ["Taking: 300 of at most 300 decisions"])
      #expect(shown("write", path, "--dry-run").contains("Checking: 150 of 300. Ctrl-C stops."))
      let writing = shown("write", path, "--yes")
      #expect(writing.first == "Reading what is decided: 200 records")
      #expect(writing.contains("Writing: 150 of 300. Ctrl-C stops."))
      let checking = shown("undo", path, "--dry-run")
      for act in ["Checking", "Reading"] {
        #expect(checking.contains("\(act) what comes back: 150 of 300. Ctrl-C stops."), "\(checking)")
      }
      #expect(checking.last == "Telling: 200 of at most 300 records", "\(checking)")
      let undoing = shown("undo", path, "--yes")
      #expect(undoing.contains("Taking back: 150 of 300. Ctrl-C stops."))
      #expect(undoing.last == "Reading what stays decided: 200 records")
    }
  }

  @Test("doctor tells how far it has looked for findings that are named", arguments: ["", " --mend --yes"])
  func lookedForNamed(mending: String) {
    let finding = Finding(
      id: "never-uploaded:1:reminders", table: "reminders", record: "1", title: "Milk",
      what: "never uploaded", evidence: "it is", cause: "why", remedy: "upload it",
      canBeMended: "it is uploaded")
    var session = Session(store: WatchedStore([], findings: [finding]))
    session.isWatched = true
    let run = session.run("doctor a.sqlite \(finding.id)\(mending)")
    #expect(run.errors.contains("Looking for what was named: 1 record"), "\(run)")
    #expect(run.output.contains(finding.id), "\(run)")
  }

  @Test("doctor tells how far it is also as it looks once more, behind what it has finished first")
  func lookedForAgain() {
    let finding = Finding(
      id: "never-uploaded:1:reminders", table: "reminders", record: "1", title: "Milk",
      what: "never uploaded", evidence: "it is", cause: "why", remedy: "upload it",
      canBeMended: "it is uploaded")
    var session = Session(store: WatchedStore([], findings: [finding]))
    session.store.leave(
      InterruptedWrite(act: .write, records: [.init(id: "2:reminders", title: "Bread", state: .half)]))
    session.isWatched = true
    let run = session.run("doctor a.sqlite --mend --yes")
    let looks = run.errors.components(separatedBy: "An interrupted write is finished: ")
    let words = "Looking for what is stuck: 1 record, 1 found"
    #expect(looks.count == 2 && looks.allSatisfy { $0.contains(words) }, "\(run)")
    #expect(run.output.contains("mended: \(finding.id)"), "\(run)")
  }

  @Test("steps that no hundredth ends at are told, each once")
  func largeSteps() throws {
    let told = try shown { surroundings, _ in
      try surroundings.changing("Writing") {
        for done in [0, 1000, 1000, 2000, 5000] { try StoreCall.begin(done, of: 5500, in: "store") }
      }
    }
    #expect(told == [0, 1000, 2000, 5000].map { "Writing: \($0) of 5500. Ctrl-C stops." })
  }

  @Test("a terminal that is made narrower breaks no line that comes then")
  func narrower() throws {
    nonisolated(unsafe) var (columns, shown) = (80, "")
    let line = ProgressLine(
      LineWriter(width: columns) { shown += String(decoding: $0, as: UTF8.self) }, isShown: true)
    try line.show("Writing: 1 of 100. Ctrl-C stops.")
    columns = 20
    try line.show("Writing: 2 of 100. Ctrl-C stops.")
    #expect(shown.contains("Writing: 1 of 100. Ctrl-C stops.") && !shown.contains("2 of 100. Ctrl-C stops."))
    let last = shown.split(separator: "\r").suffix(2)
    #expect(last.allSatisfy { $0.count < 20 }, "\(last)")
  }

  /// What a watching person sees of a server that says nothing for 12 s, and then for one more.
  private func shown(while work: (Surroundings, () -> Void) throws -> Void) rethrows -> [String] {
    let errors = Mutex("")
    let surroundings = Self.watched { bytes in
      errors.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
    }
    try work(surroundings) {
      let waiter = StoreCall.Waiter()
      waiter.waits(.seconds(12), of: 60)
      waiter.waits(.seconds(13), of: 60)
      waiter.isAnswered()
    }
    return errors.withLock(\.self).split(separator: "\r")
      .map { $0.trimmingCharacters(in: .whitespaces) }.unique.filter { !$0.isEmpty }
  }

  private static func watched(_ tell: @escaping ([UInt8]) -> Void) -> Surroundings {
    Surroundings(
      output: LineWriter { _ in }, errors: LineWriter(sink: tell), redaction: .fixed, isWatched: true,
      width: nil, environment: [:], now: { 0 }, open: { _ in WatchedStore([]) },
      makeDemo: { _, folder, _ in folder }, checkIsContainer: { _ in }, checkCopy: { _, _ in },
      copyContainer: { request, _ in (request, [], nil) })
  }

  /// In a process of its own, which a signal may end. Nobody asks meanwhile whether it is still wanted, as while a server is silent.
  @Test("the first Ctrl-C is acknowledged at once, and stays so while a server is waited for")
  func acknowledged() async {
    await #expect(processExitsWith: .success) {
      let shown = Mutex("")
      let isSaid = DispatchSemaphore(value: 0)
      let words = "Stopping. What is begun is finished, or taken back."
      let surroundings = ProgressTests.watched { bytes in
        let told = shown.withLock { text in
          text += String(decoding: bytes, as: UTF8.self)
          return text
        }
        if told.contains(words) { isSaid.signal() }
      }
      try surroundings.changing("Writing") {
        kill(getpid(), SIGINT)
        if isSaid.wait(timeout: .now() + 20) == .timedOut { exit(1) }
        StoreCall.Waiter().waits(.seconds(12), of: 60)
        let waits = "Stopping: waiting for the server for 12 s, of 60. Once more leaves at once."
        if !shown.withLock({ $0.contains(waits) && !$0.contains("Ctrl-C stops") }) { exit(2) }
      }
    }
  }

  @Test("what a terminal would break into two lines is cut, as nothing writes over the first of them")
  func narrow() throws {
    let shown = Mutex("")
    let errors = LineWriter(width: 40) { bytes in
      shown.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
    }
    let line = ProgressLine(errors, isShown: true)
    try line.show("Reading what is decided: 9800 of at most 10000 records")
    try line.show("Writing: 100 of 10000. Ctrl-C stops.")
    try line.end()
    let lines = shown.withLock(\.self).split(separator: "\r")
    #expect(lines.count == 5 && lines.allSatisfy { $0.count <= 39 }, "\(lines)")
    #expect([lines[0], lines[2], lines[4]].allSatisfy { $0.count == 33 }, "the rest is cleared: \(lines)")
    #expect(lines[0].hasPrefix("9800 of at most 10000 records") && lines[2].hasPrefix("100 of 10000. Ctrl-C"))
    try line.show("Looking for what is stuck: 9800 records, 0 found")
    #expect(shown.withLock(\.self).contains("\r9800 records"), "what moves is seen first")
  }

  /// What stands in a line of a terminal: what comes is written over it.
  private static func left(of bytes: String) -> String {
    var (cells, column) = ([Character](), 0)
    for character in bytes {
      if character == "\r" {
        column = 0
      } else {
        if column == cells.count { cells.append(character) } else { cells[column] = character }
        column += 1
      }
    }
    return String(cells).trimmingCharacters(in: .whitespaces)
  }

  @Test("nothing is left of what a terminal shows of Ctrl-C", arguments: ["^C", "^C^C"])
  func echo(shows: String) throws {
    let shown = Mutex("")
    let errors = LineWriter { bytes in shown.withLock { $0 += String(decoding: bytes, as: UTF8.self) } }
    let line = ProgressLine(errors, isShown: true)
    for text in ["Listing: 3200 of at most 10000 records", "Stopping."] {
      try line.show(text)
      shown.withLock { $0 += shows }
    }
    try line.end()
    #expect(Self.left(of: shown.withLock(\.self)).isEmpty, "\(shown.withLock(\.self))")
  }

  /// Asked again and again whether it is wanted still; the answer is no from a certain question on.
  private func run(_ arguments: [String], wantedFor questions: Int) -> Run {
    let asked = Mutex(0)
    let call = StoreCall(isWanted: {
      asked.withLock {
        $0 += 1
        return $0 <= questions
      }
    })
    return call.answered { Live.run(arguments, isWatched: true) }
  }

  @Test("an import that is stopped, wherever, has taken nothing, and the next one takes all")
  func stoppedImport() throws {
    try withTemporaryFolder { folder in
      let path = try LargeStore.make(in: folder + "/here", records: 1, conflicts: 0)
      let other = try LargeStore.make(in: folder + "/other", records: 30, conflicts: 0)
      var (questions, stopped) = (0, 0)
      while true {
        let run = run(["import", path, other], wantedFor: questions)
        if run.status == .nothingLeft { break }
        #expect(run.status == .interrupted, "\(run)")
        #expect(run.errors.hasSuffix("parley: \(Interruption.unchanged)\n"), "\(run)")
        #expect(try Live.run("list", path, "--json").objects().isEmpty)
        #expect(!Live.run("doctor", path, "--json").output.contains("interrupted:"))
        (questions, stopped) = (questions + 1, stopped + 1)
      }
      #expect(stopped > 30, "each record is a question: \(stopped)")
      #expect(try Live.run("list", path, "--json").objects().count == 29)
    }
  }

  @Test("an undo of several records that is stopped, wherever, tells those that it took back")
  func stoppedUndo() throws {
    try withTemporaryFolder { folder in
      var (questions, statuses) = (0, Set<parley.ExitStatus>())
      while !statuses.contains(.nothingLeft) {
        let path = try LargeStore.make(in: "\(folder)/\(questions)", records: 3, conflicts: 3)
        let ids = try Live.run("list", path, "--json").objects().compactMap { $0["id"] as? String }
        _ = Live.run("resolve", path, "--accept", "all")
        // Those of one write would come back together.
        for id in ids { _ = Live.run("write", path, id, "--yes") }
        let run = run(["undo", path] + ids + ["--yes"], wantedFor: questions)
        let back = try Live.run("list", path, "--json").objects().count
        #expect(run.lines.count { $0.hasPrefix("undone: ") } == back, "\(run)")
        #expect(run.status == (back == 3 ? .nothingLeft : back == 0 ? .interrupted : .unfinished), "\(run)")
        statuses.insert(run.status)
        questions += 1
      }
      #expect(statuses == [.interrupted, .unfinished, .nothingLeft])
    }
  }

  @Test("a list says on one terminal how far it is and leaves its lines as they are")
  func listOnOneTerminal() throws {
    try withTemporaryFolder { folder in
      let path = try CloudantBenchmark.make(in: folder, documents: Self.documents, every: 1)
      let shown = Mutex("")
      let terminal = {
        LineWriter { bytes in shown.withLock { $0 += String(decoding: bytes, as: UTF8.self) } }
      }
      _ = Program.run(
        ["list", path, "--json"],
        in: .live(output: terminal(), errors: terminal(), isWatched: true, redaction: .fixed))
      let text = shown.withLock(\.self)
      #expect(text.contains("Listing: 200 records"))
      // What is left of each line once the terminal has written over it.
      let left = text.split(separator: "\n").map { $0.split(separator: "\r").last.map(String.init) }
      #expect(
        left.compactMap(\.self).filter { !$0.allSatisfy(\.isWhitespace) }
          == Live.run("list", path, "--json").lines)
    }
  }

  @Test("a list that is stopped says that it changed nothing, and leaves no line of how far it was")
  func stoppedList() throws {
    try withTemporaryFolder { folder in
      let path = try CloudantBenchmark.make(in: folder, documents: Self.documents, every: 1)
      let run = run(["list", path, "--json"], wantedFor: 3)
      #expect(run.status == .interrupted && run.lines.count < Self.documents, "\(run.status)")
      #expect(
        run.errors.split(separator: "\r").last == "parley: Interrupted: nothing was changed.\n",
        "\(run.errors)")
    }
  }

  @Test("a doctor that is stopped says that it changed nothing, and leaves no line of how far it was")
  func stoppedDoctor() throws {
    try withTemporaryFolder { folder in
      let path = try LargeStore.make(in: folder, records: 3, conflicts: 1)
      let run = run(["doctor", path], wantedFor: 1)
      #expect(run.status == .interrupted)
      #expect(
        run.errors.hasSuffix("\rparley: Interrupted: nothing was changed.\n") || !run.errors.contains("\r"))
      #expect(run.errors.contains("Interrupted: nothing was changed."), "\(run)")
    }
  }

  /// In a process of its own, as no line is shown any more behind it.
  @Test("what is being drawn when the end is told comes before it, and nothing behind it")
  func takenAway() async {
    await #expect(processExitsWith: .success) {
      let shown = Mutex("")
      let line = ProgressLine(
        LineWriter { bytes in
          shown.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
        }, isShown: true)
      try line.show("Writing: 1 of 2")
      let before = shown.withLock(\.self)
      ProgressLine.takeAway()
      try line.show("Writing: 2 of 2")
      if before.isEmpty || shown.withLock(\.self) != before { exit(1) }
    }
  }

  @Test("a server that says nothing is told by the second, and no longer once it answers")
  func silent() throws {
    let writing = try shown { surroundings, wait in try surroundings.changing("Writing", during: wait) }
    #expect(writing == [12, 13].map { "Writing: waiting for the server for \($0) s, of 60. Ctrl-C stops." })
  }

  @Test("any command tells it, also while it listens to Ctrl-C")
  func silentCommand() throws {
    let told = [12, 13].map { "Waiting for the server for \($0) s, of 60. Ctrl-C stops." }
    #expect(try shown { surroundings, wait in try surroundings.tellingWaits(during: wait) } == told)
    let reading = try shown { surroundings, wait in
      try surroundings.tellingWaits { try Interruption.reading(nil, during: wait) }
    }
    #expect(reading == told)
  }

  @Test("nothing of it goes into a file, nor is it told of a few")
  func untold() throws {
    try withTemporaryFolder { folder in
      let path = try KilledWriteTests.decided.copy(to: folder)
      #expect(Live.run("write", path, "--yes").errors.isEmpty)
    }
    try withTemporaryFolder { folder in
      let path = try CloudantBenchmark.make(in: folder, documents: 20, every: 1)
      #expect(shown("resolve", path, "--accept", "all").isEmpty)
      #expect(shown("write", path, "--yes").isEmpty)
    }
  }

  /// The log of a store whose write was stopped, at the first moment from which it had to be rolled back.
  private func logOfAStoppedWrite(in folder: String) throws -> (path: String, json: Run) {
    let path = try LargeStore.make(in: folder, records: 300, conflicts: 300)
    Live.run("resolve", path, "--accept", "all")
    var questions = 500
    while true {
      let status = run(["write", path, "--yes"], wantedFor: questions).status
      let json = Live.run("log", path, "--json", "--kind", "interrupted")
      if !json.lines.isEmpty { return (path, json) }
      try #require(status == .interrupted, "it was never in the middle")
      questions += 20
    }
  }

  @Test("of a write that was stopped the log counts in one line the records of which nothing was written")
  func logOfStopped() throws {
    try withTemporaryFolder { folder in
      let (path, json) = try logOfAStoppedWrite(in: folder)
      let entries = try json.objects()
      let count = entries.count
      #expect(count > 20 && Set(entries.compactMap { $0["record"] as? String }).count == count)
      let log = Live.run("log", path).lines.filter { !$0.contains("  decision") }
      let words = "interrupted write, rolled back: nothing was written (--json names each)"
      #expect(log.count == 1 && log[0].contains("  \(count) records ") && log[0].hasSuffix(words), "\(log)")
      // The reason is Parley's own word, and quotes nobody.
      let redacted = Live.run("log", path, "--redact").lines.filter { !$0.contains("  decision") }
      #expect(redacted.count == 1 && redacted[0].hasSuffix(words), "\(redacted)")
      // What is behind them is told all the same: the limit is of lines.
      let some = Live.run("log", path, "--limit", "2").lines
      let more = "nothing was written (--json --limit \(count) names each)"
      #expect(
        some.count == 2 && some[0].contains("  \(count) records ") && some[0].hasSuffix(more), "\(some)")
      #expect(some[1].contains("  decision"))
      let ended = Live.run("log", path, "--kind", "interrupted", "--limit", "1").lines
      #expect(ended.count == 1 && ended[0].hasSuffix(more), "\(ended)")
      #expect(Live.run("log", path, "--limit", "\(count)", "--json").lines.count == count)
      let names = entries.prefix(10).compactMap { $0["record"] as? String }
      let named = Live.run(["log", path] + names + ["--kind", "interrupted"]).lines
      #expect(
        names.allSatisfy { name in named.contains { $0.contains(name) } }, "who names them is told each")
    }
  }

  /// On a busy machine the write may have come to its end before anybody looks.
  @Test("a write that Ctrl-C stops tells what is written, and leaves nothing to be finished")
  func stopped() throws {
    for _ in 0..<20 {
      var wasInTime = false
      try withTemporaryFolder { wasInTime = try stopWrite(in: $0) }
      if wasInTime { return }
    }
    Issue.record("no write was stopped")
  }

  private func stopWrite(in folder: String) throws -> Bool {
    let path = try KilledWriteTests.decided.copy(to: folder)
    let size = try #require(FileStatus(path: path)).size
    let process = try Binary.start(["write", path, "--yes"], environment: [], printingTo: folder)
    var status: Int32 = 0
    while waitpid(process, &status, WNOHANG) == 0 {
      if let now = FileStatus(path: path)?.size, now > size {
        _ = kill(process, SIGINT)
        status = Binary.wait(for: process)
        break
      }
      sched_yield()
    }
    if status == 0 { return false }
    #expect(status == Status.unfinished.rawValue)
    let open = try Live.run("list", path, "--json").objects().count
    let lines = try String(contentsOfFile: folder + "/output", encoding: .utf8).split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("written: ") } == Self.documents - open)
    #expect(open < 2 || lines.contains { $0.hasPrefix("\(open) were not reached: ") })
    #expect(lines.contains("\(Self.documents - open) of \(Self.documents) written."))
    #expect(!Live.run("doctor", path, "--json").output.contains("interrupted:"))
    return true
  }

  /// On a busy machine it may have come to its end before anybody looks.
  @Test("Ctrl-C in resolve says that what was decided is kept, and the same command goes on")
  func interruptedResolve() throws {
    for _ in 0..<20 {
      var wasInTime = false
      try withTemporaryFolder { wasInTime = try interruptResolve(in: $0) }
      if wasInTime { return }
    }
    Issue.record("none was interrupted")
  }

  private func interruptResolve(in folder: String) throws -> Bool {
    let path = try CloudantBenchmark.make(in: folder, documents: Self.documents, every: 1)
    let command = ["resolve", path, "--accept", "all"]
    let process = try Binary.start(command, environment: [], printingTo: folder)
    var status: Int32 = 0
    while waitpid(process, &status, WNOHANG) == 0 {
      if let told = FileStatus(path: folder + "/output")?.size, told > 0 {
        _ = kill(process, SIGINT)
        status = Binary.wait(for: process)
        break
      }
      sched_yield()
    }
    if status != 128 + SIGINT { return false }
    let errors = try String(contentsOfFile: folder + "/errors", encoding: .utf8)
    #expect(errors == "parley: \(Interruption.kept)\n")
    #expect(Live.run(command).status == .nothingLeft)
    return true
  }
}
