import Testing

@testable import SQLiteFiles

/// A file of holes has any size, and a row any key.
@Suite struct SaturatedSumTests {
  @Test func whatIsBeyondTheGreatestNumberIsThatNumber() {
    #expect([1, 2, 3].saturatedSum == 6)
    #expect([Int.max, 1, 5].saturatedSum == .max && [1, .max].saturatedSum == .max)
    #expect([Int]().saturatedSum == 0)
  }
}
