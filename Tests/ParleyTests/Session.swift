import Foundation
import Merging
import SQLiteDataStores
import StoreInterface

@testable import parley

/// Swift Testing has an `ExitStatus` of its own.
typealias Status = parley.ExitStatus

/// The program, run inside the test with surroundings of the test's own.
@MainActor
struct Session {
  var store: WatchedStore
  var width: Int?
  var openError: StoreError?
  var environment: [String: String] = [:]
  /// Whether standard error is a terminal.
  var isWatched = false
  /// Called with the folder of a sample store.
  var onDemo: (String) -> Void = { _ in }

  init(_ conflicts: [RecordConflict] = [Samples.dentist, Samples.milk, Samples.invoice]) {
    store = WatchedStore(conflicts)
  }

  init(store: WatchedStore) { self.store = store }

  /// - Parameter arguments: as on a command line; words are parted by one space.
  func run(_ arguments: String) -> Run { run(arguments.split(separator: " ").map(String.init)) }

  func run(_ arguments: [String]) -> Run {
    let (output, errors) = (Captured(), Captured())
    let surroundings = Surroundings(
      output: LineWriter { output.bytes += $0 }, errors: LineWriter { errors.bytes += $0 },
      isWatched: isWatched, width: width,
      environment: environment, now: { Samples.time(20000) },
      open: { [store, openError] _ in
        if let openError { throw openError }
        return store
      },
      makeDemo: { [onDemo] _, folder, _ in
        onDemo(folder)
        return folder + "/demo.sqlite"
      })
    let status = Program.run(arguments, in: surroundings)
    return Run(status: status, output: output.text, errors: errors.text)
  }
}

struct Run: Equatable {
  var status: Status
  var output: String
  var errors: String

  var lines: [String] {
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// The lines as JSON objects.
  func objects() throws -> [[String: Any]] {
    try lines.map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return object as? [String: Any] ?? [:]
    }
  }
}

private final class Captured {
  var bytes: [UInt8] = []
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
