import BenchmarkStores
import Foundation
import TerminalTestSupport

// Measures what is promised about speed; `Tests/benchmark` builds it and the program in release and runs it.
//
//   desk-benchmark FOLDER                      the stores are made in FOLDER if they are not there yet, and left there
//   desk-benchmark PART FOLDER                 one part of it, as `order` names them
//   desk-benchmark cloudant FOLDER DOCUMENTS   datastores, made in a new folder
//   desk-benchmark conflicts FOLDER RECORDS    a store of conflicts alone, made in a new folder, for commands over many
//
// Every figure is the best, or the spread, of several runs in one go, as the machine is never ours alone. It ends with 1
// if a promise is not kept.
@main
struct Benchmark {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      if arguments.count == 3, let count = Int(arguments[2]) {
        try make(arguments[0], in: arguments[1], count)
        exit(0)
      }
      var table = GoalTable()
      switch (arguments.count, arguments.first.map { parts[$0] ?? nil }) {
      case (2, let part??): try part(arguments[1], &table)
      case (1, _): for part in order.compactMap({ parts[$0] }) { try part(arguments[0], &table) }
      default:
        say(
          "usage: desk-benchmark [\(order.joined(separator: "|"))] FOLDER, desk-benchmark cloudant|conflicts FOLDER COUNT"
        )
        exit(2)
      }
      table.tell()
      exit(table.isKept ? 0 : 1)
    } catch {
      say("\(error)".suffix(2000))
      exit(3)
    }
  }

  /// Merging last, as what a program takes when it is started is never less than what this one has in memory then.
  private static let order = [
    "archives", "reading", "classifying", "most", "many", "growth", "files", "server", "largest", "desk",
    "texts", "merging",
  ]
  private static let parts: [String: @Sendable (String, inout GoalTable) throws -> Void] = [
    "merging": measureMerging, "archives": measureArchives, "reading": measureReading,
    "classifying": measureClassifying, "most": measureMost,
    "many": ManyRecords.measure,
    "growth": Growth.measure, "files": Growth.measureFiles, "server": Growth.measureServer,
    "largest": LargestDocument.measure, "desk": measureDesk,
    "texts": measureLongTexts,
  ]

  private static func make(_ kind: String, in folder: String, _ count: Int) throws {
    if kind == "cloudant" { return try measureCloudant(in: folder, documents: count) }
    say(try LargeStore.make(in: folder, records: count, conflicts: count))
  }

  private static func small(_ folder: String) throws -> BenchmarkStore {
    try BenchmarkStore(in: folder, records: 10_000, conflicts: 1_000)
  }
  private static func large(_ folder: String) throws -> BenchmarkStore {
    try BenchmarkStore(in: folder, records: 1_000_000, conflicts: 100_000)
  }

  /// Of ten million those alone have archives that are in conflict: with all of them it would be 60 GB.
  private static func measureMost(in folder: String, _ table: inout GoalTable) throws {
    let most = try BenchmarkStore(
      in: folder, records: 10_000_000, conflicts: 1_000_000, uploaded: 1_000_000)
    try measureFirstPage(small(folder), most, &table)
  }

  private static func measureReading(in folder: String, _ table: inout GoalTable) throws {
    try measureFirstPage(small(folder), large(folder), &table)
    try measureDoctor(large(folder), &table)
  }

  /// The two stores take turns, so that a busy moment of the machine meets both.
  private static func measureFirstPage(
    _ small: BenchmarkStore, _ large: BenchmarkStore, _ table: inout GoalTable
  ) throws {
    var (few, many) = (Spread(), Spread())
    for _ in 0..<20 {
      few.add(Double(try LargeStore.timeToFirstPage(path: small.path, limit: 64).nanoseconds) / 1e6)
      many.add(Double(try LargeStore.timeToFirstPage(path: large.path, limit: 64).nanoseconds) / 1e6)
    }
    say("First page of the list, with opening the store, best of 20:")
    say("  \(small.words): \(few.best.text) ms")
    say("  \(large.words): \(many.best.text) ms")
    table.expect("first page, \(large.words) against \(small.words)", many.best / few.best, atMost: 1.2)
  }

  private static func measureArchives(in _: String, _ table: inout GoalTable) {
    var spread = Spread()
    var size = 0
    for _ in 0..<5 {
      let run = ArchiveBenchmark.run(count: 20_000)
      spread.add(Double(run.nanoseconds) / 1e3 / Double(max(1, run.blobs)))
      size = run.bytes
    }
    say("Reading an archived record, processor time, best of 5 times 20,000:")
    table.expect("one archive of \(size) bytes", spread.best, " µs", atMost: 6)
  }

  /// A million rows take up to 4 GB of memory, one way of having them after the other.
  private static func measureMerging(in _: String, _ table: inout GoalTable) {
    say("Merging a row of 12 fields, processor time, best of several rounds over all:")
    let (few, many) = (
      MergeBenchmark.run(rows: 1000, rounds: 200), MergeBenchmark.run(rows: 1_000_000, rounds: 9)
    )
    for (words, run) in [("a thousand", few), ("a million", many)] {
      let times = "C \(run.c.text), untyped \(run.untyped.text), typed \(run.typed.text) ns"
      say("  \(words): \(times); \((run.untyped / run.c).text) and \((run.typed / run.c).text) times C")
    }
    let app = MergeBenchmark.ofAnApp(rows: 1000, rounds: 200)
    say("  by an app, with its versions made and its columns asked for: \(app.text) ns")
    table.expect("merging 1000000 plain rows, untyped, against C", many.untyped / many.c, atMost: 1.3)
    table.expect("merging 1000000 plain rows, typed, against C", many.typed / many.c, atMost: 3)
  }

  private static func measureClassifying(in folder: String, _ table: inout GoalTable) throws {
    let plain = try BenchmarkStore(in: folder, records: 10_000, conflicts: 10_000)
    let captured = try BenchmarkStore(in: folder, records: 10_000, conflicts: 10_000, isCaptured: true)
    try measureClassifying(plain, "classifying", &table)
    try measureClassifying(captured, "classifying what was captured", &table)
  }

  private static func measureClassifying(
    _ store: BenchmarkStore, _ words: String, _ table: inout GoalTable
  ) throws {
    var (parley, raw) = (Spread(), Spread())
    for _ in 0..<5 {
      parley.add(Double(try LargeStore.timeToWalk(path: store.path).nanoseconds) / 1e6)
      raw.add(Double(try RawReads.conflicts(of: store.path).nanoseconds) / 1e6)
    }
    say(
      "Classifying \(store.words), processor time, best of 5: \(parley.best.text) ms; reading them \(raw.best.text) ms"
    )
    table.expect("\(words), against reading the same by SQL", parley.best / raw.best, atMost: 2.5)
  }

  private static func measureDoctor(_ store: BenchmarkStore, _ table: inout GoalTable) throws {
    guard let parley = BuiltProduct.path("parley") else { throw DeskRun.NotBuilt() }
    // In turns, as whoever comes first reads what is not in memory yet.
    var (doctor, raw) = (Spread(), Spread())
    for _ in 0..<2 {
      raw.add(Double(try RawReads.everything(of: store.path).nanoseconds) / 1e9)
      doctor.add(try MeasuredRun([parley, "doctor", store.path], environment: [:]).processorSeconds)
    }
    say(
      "doctor of \(store.words), best of 2: \(doctor.best.text) s; one scan of the same tables \(raw.best.text) s"
    )
    table.expect("doctor, against one scan of the same tables", doctor.best / raw.best, atMost: 3)
  }

  private static func measureDesk(in folder: String, _ table: inout GoalTable) throws {
    try measureStart(small(folder), large(folder), &table)
    let conflicts = try BenchmarkStore(in: folder, records: 10_000, conflicts: 10_000)
    for (columns, rows) in [(80, 24), (120, 40), (200, 50)] {
      try measureKeys(on: conflicts, columns, rows, &table)
    }
    try measureMany(on: large(folder), &table)
  }

  private static func measureStart(
    _ small: BenchmarkStore, _ large: BenchmarkStore, _ table: inout GoalTable
  ) throws {
    var (few, many, frame, probe) = (Spread(), Spread(), Spread(), Spread())
    for _ in 0..<15 {
      few.add(try DeskRun(on: small, columns: 120, rows: 40).millisecondsToFirstRows)
      let run = try DeskRun(on: large, columns: 120, rows: 40)
      frame.add(run.millisecondsToFirstFrame)
      many.add(run.millisecondsToFirstRows)
      probe.add(try DeskRun(probe: 120, 40).millisecondsToFirstFrame)
    }
    say("From the start of the process on a terminal of 120x40, median of 15:")
    say(
      "  the first frame: \(frame.median.text) ms; of a program that only draws one \(probe.median.text) ms")
    say("  the first rows: \(few.median.text) ms of \(small.words), \(many.median.text) ms of \(large.words)")
    say("  which is \((many.median / probe.median).text) times a frame of that program")
    table.expect(
      "first frame, against a program that only draws one", frame.median / probe.median, atMost: 1.5)
    table.expect("first rows, \(large.words)", many.median, " ms", atMost: 30)
    table.expect("first rows, \(large.words) against \(small.words)", many.best / few.best, atMost: 1.2)
  }

  /// Once all is read, so that what is sent is the key's.
  private static func measureKeys(
    on store: BenchmarkStore, _ columns: Int, _ rows: Int, _ table: inout GoalTable
  ) throws {
    let (desk, probe) = (
      try DeskRun(on: store, columns: columns, rows: rows), try DeskRun(probe: columns, rows)
    )
    _ = try desk.secondsUntilAllIsRead()
    var (moves, bytes, others) = (Spread(), Spread(), Spread())
    for number in 0..<100 {
      // Down a screen and up again.
      let move = desk.answer(to: number / 10 % 2 == 0 ? "j" : "k")
      moves.add(move.milliseconds)
      bytes.add(Double(move.bytes))
      others.add(probe.answer(to: "x").milliseconds)
    }
    let size = "\(columns)x\(rows)"
    say(
      "\(size), 100 moves of the cursor in a list of \(store.words): median \(moves.median.text) ms, a program that only draws \(others.median.text) ms"
    )
    table.expect("\(size): key to paint, median", moves.median, " ms", atMost: 2)
    table.expect("\(size): key to paint, 95th percentile", moves.percentile(95), " ms", atMost: 6)
    table.expect("\(size): bytes of a cursor move, median", bytes.median, atMost: 400)
  }

  private static func measureMany(on store: BenchmarkStore, _ table: inout GoalTable) throws {
    let desk = try DeskRun(on: store)
    let atStart = desk.megabytes
    let keys = try desk.millisecondsFromKeysToPaint(count: 200)
    // What the last of them said stands where the keys are named, until another one is pressed.
    _ = desk.answer(to: "j")
    let isBusy = try desk.isReading()
    let seconds = try desk.secondsUntilAllIsRead()
    say(
      "\(store.words), 80x24: all read \(seconds.text) s after the start\(isBusy ? "" : ", before the keys ended")"
    )
    table.expect("key to paint meanwhile, 95th percentile", keys.percentile(95), " ms", atMost: 33)
    table.expect("memory with the first rows", Double(atStart), " MB", atMost: 30)
    table.expect("memory with all read, \(store.words)", Double(desk.megabytes), " MB", atMost: 60)
    var filter = Spread()
    _ = desk.answer(to: "/")
    for key in ["0", "0", "0", "7", "1"] { filter.add(desk.answer(to: key).milliseconds) }
    table.expect("a key of the filter over \(store.words), worst of 5", filter.worst, " ms", atMost: 50)
  }

  /// The two desks take turns.
  private static func measureLongTexts(in folder: String, _ table: inout GoalTable) throws {
    let stores = try [10_000, 2_000_000].map { try BenchmarkStore(in: folder, bytes: $0) }
    let word = "two dogs"
    let desks = try stores.map { try DeskRun(on: $0, columns: 200, rows: 50) }
    for desk in desks { try desk.openValue(showing: word) }
    var keys = [Spread(), Spread()]
    for _ in 0..<10 {
      for (place, desk) in desks.enumerated() {
        keys[place].add(try desk.millisecondsFromKeysToPaint(count: 8, showing: word))
      }
    }
    say("Key to paint on the page of a whole value at 200x50, median of 80:")
    for (store, spread) in zip(stores, keys) { say("  \(store.words): \(spread.median.text) ms") }
    table.expect("a key on a text, 2 MB against 10 kB", keys[1].median / keys[0].median, atMost: 1.5)
  }
}
