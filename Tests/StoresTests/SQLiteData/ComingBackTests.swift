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
}
