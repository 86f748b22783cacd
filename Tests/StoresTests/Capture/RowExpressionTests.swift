import GRDB
import Merging
import TerminalTestSupport
import Testing

@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// What the SQL of `parley capture` makes of a row is that row.
struct RowExpressionTests {
  private static let size = RowExpression(columns: ["size"], row: "seen").json

  private func captured(_ value: Value, in db: Database) throws -> [UInt8] {
    try db.firstRow("SELECT \(Self.size) FROM (SELECT ? AS \"size\") AS seen", [value]) { $0.bytes(0) } ?? []
  }

  /// SQLite 3.40 takes the 15 digits of the first for it, which are another number's, and prints 17 of the second that are.
  @Test func aRealIsKeptExactly() throws {
    var random = FixedRandom(state: 10)
    let any = (0..<5000).map { _ in Double(bitPattern: random.next()) }.filter(\.isFinite)
    let decimals = (0..<5000).map { _ in Double(random.next() % 1_000_000_000_000_000) / 1e10 }
    let usual = (0..<5000).map { _ in Double.random(in: -1_000_000...1_000_000, using: &random) }
    try DatabaseQueue().inDatabase { db in
      for real in [-79_289.77981068799, 1.6145563341431214e+280] + any + decimals + usual {
        let json = try captured(.real(real), in: db)
        #expect(try RowJSON.decode(json)?["size"] == .real(real), "\(String(decoding: json, as: UTF8.self))")
      }
    }
  }

  @Test(arguments: [
    (2.0, "2.0"), (-19.99, "-19.99"), (0.0001, "0.0001"), (1_767_225_600_000.0, "1767225600000.0"),
    (1e300, "1.0e+300"), (0.00001, "1.00000000000000008e-05"),
  ])
  func aRealOfFewDigitsIsShort(real: Double, text: String) throws {
    try DatabaseQueue().inDatabase { db in
      let json = try captured(.real(real), in: db)
      #expect(String(decoding: json, as: UTF8.self) == "{\"size\":\(text)}")
    }
  }
}
