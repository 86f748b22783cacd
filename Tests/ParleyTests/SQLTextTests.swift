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

  @Test("says that bytes are left out, and what prints them")
  func note() {
    let long = "SET a = x'\(String(repeating: "ab", count: 100))'"
    let filling = { (words: String) in words.replacing("PATH", with: "a.sqlite") }
    #expect(SQLText.paragraphs(["SET a = 1"], filling: filling) == ["SET a = 1"])
    let told = SQLText.paragraphs(["SET a = 1", long], filling: filling)
    #expect(told.count == 3 && told[0].contains("parley write a.sqlite --sql"), "\(told)")
    #expect(told[2].contains("100 bytes"))
  }
}
