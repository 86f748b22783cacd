import Testing

@testable import SQLiteFiles

/// A file of holes has any size, and a row any key.
@Suite struct SaturatedSumTests {
  @Test func whatIsBeyondTheGreatestNumberIsThatNumber() {
    #expect([1, 2, 3].saturatedSum == 6)
    #expect([Int.max, 1, 5].saturatedSum == Int.max && [1, Int.max].saturatedSum == Int.max)
    #expect([Int]().saturatedSum == 0)
  }
}
