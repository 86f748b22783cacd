import BenchmarkStores
import Foundation

// Measures what is promised about speed; `Tests/benchmark` builds it and the program in release and runs it.
//
//   desk-benchmark FOLDER                      the stores are made in FOLDER if they are not there yet, and left there
//   desk-benchmark texts FOLDER                long values alone
//   desk-benchmark cloudant FOLDER DOCUMENTS   datastores, made in a new folder
//   desk-benchmark conflicts FOLDER RECORDS    a store of conflicts alone, made in a new folder, for commands over many
//
// Every figure is the best, or the spread, of several runs in one go, as the machine is never ours alone. It ends with 1
// if a promise is not kept.
@main
struct Benchmark {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let folder = arguments.first else {
      say(
        "usage: desk-benchmark FOLDER, desk-benchmark texts FOLDER, desk-benchmark cloudant FOLDER DOCUMENTS, desk-benchmark conflicts FOLDER RECORDS"
      )
      exit(2)
    }
    do {
      if arguments.count == 3, let count = arguments.last.flatMap({ Int($0) }) {
        try make(folder, in: arguments[2], count)
        exit(0)
      }
      var verdict = Verdict()
      if arguments.count == 2, let folder = arguments.last {
        try measureLongTexts(in: folder, &verdict)
      } else {
        try measureAll(in: folder, &verdict)
      }
      exit(verdict.isKept ? 0 : 1)
    } catch {
      say("\(error)".suffix(2000))
      exit(3)
    }
  }

  private static func make(_ kind: String, in folder: String, _ count: Int) throws {
    if kind == "cloudant" { return try measureCloudant(in: folder, documents: count) }
    say(try LargeStore.make(in: folder, records: count, conflicts: count))
  }

  private static func measureAll(in folder: String, _ verdict: inout Verdict) throws {
    let small = try BenchmarkStore(in: folder, records: 10_000, conflicts: 1_000)
    let large = try BenchmarkStore(in: folder, records: 1_000_000, conflicts: 100_000)
    try measureFirstPage(small, large, &verdict)
    measureArchives(&verdict)
    try measureDesk(small, large, &verdict)
    try measureLongTexts(in: folder, &verdict)
  }

  /// The two stores take turns, so that a busy moment of the machine meets both.
  private static func measureFirstPage(
    _ small: BenchmarkStore, _ large: BenchmarkStore, _ verdict: inout Verdict
  ) throws {
    var (few, many) = (Spread(), Spread())
    for _ in 0..<20 {
      few.add(Double(try LargeStore.timeToFirstPage(path: small.path, limit: 64).nanoseconds) / 1e6)
      many.add(Double(try LargeStore.timeToFirstPage(path: large.path, limit: 64).nanoseconds) / 1e6)
    }
    say("First page of the list, with opening the store, best of 20:")
    say("  \(small.words): \(few.best.text) ms")
    say("  \(large.words): \(many.best.text) ms")
    verdict.expect("  ratio", many.best / few.best, atMost: 1.5)
  }

  private static func measureArchives(_ verdict: inout Verdict) {
    var spread = Spread()
    var size = 0
    for _ in 0..<5 {
      let run = ArchiveBenchmark.run(count: 20_000)
      spread.add(Double(run.nanoseconds) / 1e3 / Double(max(1, run.blobs)))
      size = run.bytes
    }
    say("Reading an archived record of \(size) bytes, processor time, best of 5 times 20,000:")
    verdict.expect("  µs an archive", spread.best, atMost: 10)
  }

  private static func measureDesk(
    _ small: BenchmarkStore, _ large: BenchmarkStore, _ verdict: inout Verdict
  ) throws {
    var (few, many) = (Spread(), Spread())
    for _ in 0..<7 {
      few.add(try DeskRun(on: small).millisecondsToFirstRows)
      many.add(try DeskRun(on: large).millisecondsToFirstRows)
    }
    say("From the start of the process to the first rows on a terminal of 80x24, best of 7:")
    say("  \(small.words): \(few.best.text) ms")
    say("  \(large.words): \(many.best.text) ms")
    verdict.expect("  ratio", many.best / few.best, atMost: 1.5)
    for (columns, rows) in [(80, 24), (200, 50)] {
      try measureKeys(on: large, columns: columns, rows: rows, &verdict)
    }
  }

  /// The two desks take turns.
  private static func measureLongTexts(in folder: String, _ verdict: inout Verdict) throws {
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
    verdict.expect("  ratio", keys[1].median / keys[0].median, atMost: 1.5)
  }

  private static func measureKeys(
    on store: BenchmarkStore, columns: Int, rows: Int, _ verdict: inout Verdict
  ) throws {
    let desk = try DeskRun(on: store, columns: columns, rows: rows)
    let atStart = desk.megabytes
    let keys = try desk.millisecondsFromKeysToPaint(count: 200)
    let records = try desk.millisecondsToOpenRecords(count: 40)
    let isBusy = try desk.isReading()
    say(
      "\(columns)x\(rows), 200 keys while the store is read in the background\(isBusy ? "" : " (which ended before)"):"
    )
    say(
      "  key to paint: median \(keys.median.text) ms, 95th percentile \(keys.percentile(95).text) ms, worst \(keys.worst.text) ms"
    )
    // Two frames of a screen with 60 of them a second.
    verdict.expect("  95th percentile, ms", keys.percentile(95), atMost: 33)
    say("  key to an open record: median \(records.median.text) ms, worst \(records.worst.text) ms")
    let seconds = try desk.secondsUntilAllIsRead()
    say(
      "  all read \(seconds.text) s after the start; memory \(atStart) MB with the first rows, \(desk.megabytes) MB then"
    )
  }
}
