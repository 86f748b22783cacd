import Testing

@testable import SQLiteDataStores

struct ComingBackTests {
  /// Each would have to be there before the other.
  @Test func ofRecordsThatPointToEachOtherNoneComesBack() {
    let records = ComingBack()
    func comesBack(_ id: String) -> Bool {
      records.contains(id) {
        ["a": ["b"], "b": ["a"], "c": ["d"], "d": []][id, default: []].allSatisfy(comesBack)
      }
    }
    #expect(!comesBack("a") && !comesBack("b"))
    #expect(comesBack("c") && comesBack("d"))
  }

  /// As comments that answer each other, all of which were deleted.
  @Test func aLongChainIsLeftToTheWriteBeforeTheStackIsFull() {
    let records = ComingBack()
    var deepest = 0
    func comesBack(_ number: Int) -> Bool {
      records.contains("\(number)") {
        deepest = max(deepest, number)
        return records.isDeep || comesBack(number + 1)
      }
    }
    #expect(comesBack(0) && deepest == 100)
    #expect(comesBack(50) && deepest == 100, "what was looked at is known")
  }
}
