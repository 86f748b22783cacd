import Foundation
import GRDB
import Testing

/// The pages of an SQLite file, for damaging them (https://www.sqlite.org/fileformat.html, section 1.6).
struct TreeOfPages {
  let path: String

  init(_ path: String) { self.path = path }

  /// Exchanges the first and the last row on the first leaf of a table or an index: their keys are then out of order.
  func disorder(_ name: String) throws {
    var bytes = Array(try Data(contentsOf: URL(filePath: path)))
    let size = number(bytes, at: 16)
    var page = try root(of: name) - 1
    while [2, 5].contains(bytes[page * size]) {
      let cell = page * size + number(bytes, at: page * size + 12)
      page = number(bytes, at: cell) << 16 + number(bytes, at: cell + 2) - 1
    }
    let (first, count) = (page * size + 8, number(bytes, at: page * size + 3))
    try #require(count > 1)
    let last = first + (count - 1) * 2
    for offset in 0..<2 { bytes.swapAt(first + offset, last + offset) }
    try Data(bytes).write(to: URL(filePath: path))
  }

  private func root(of name: String) throws -> Int {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.inDatabase {
      try #require(
        try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_master WHERE name = ?", arguments: [name]))
    }
  }

  private func number(_ bytes: [UInt8], at place: Int) -> Int {
    Int(bytes[place]) << 8 + Int(bytes[place + 1])
  }
}
