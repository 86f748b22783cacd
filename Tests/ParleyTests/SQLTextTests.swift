import Testing

@testable import parley

@Suite("SQL on the screen")
struct SQLTextTests {
  @Test(
    "cuts long blobs, and nothing else",
    arguments: [
      ("UPDATE t SET a = x'00ff' WHERE id = 'x'", "UPDATE t SET a = x'00ff' WHERE id = 'x'"),
      (
        "SET a = x'\(String(repeating: "ab", count: 100))', b = 1",
        "SET a = x'\(String(repeating: "ab", count: 16))…' /* 100 bytes */, b = 1"
      ),
      (
        "SET a = 'max''\(String(repeating: "s", count: 99))'",
        "SET a = 'max''\(String(repeating: "s", count: 99))'"
      ),
      ("SET a = 'no end", "SET a = 'no end"), ("'", "'"), ("", ""),
    ])
  func shortened(sql: String, shown: String) {
    #expect(SQLText.shortened(sql) == shown)
  }
}
