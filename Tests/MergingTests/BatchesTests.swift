import StoreInterface
import Testing

@Suite struct BatchesTests {
  @Test(
    arguments: [
      (0, []), (1, [[0]]), (3, [[0, 1, 2]]), (4, [[0, 1, 2], [3]]), (6, [[0, 1, 2], [3, 4, 5]]),
    ] as [(Int, [[Int]])])
  func theLastBatchHasWhatIsLeft(count: Int, batches: [[Int]]) {
    #expect(Array(Array(0..<count).inBatches(of: 3)) == batches)
  }

  @Test func aSliceIsTakenFromItsOwnBeginning() {
    #expect(Array(Array(0..<6)[2..<5].inBatches(of: 2)) == [[2, 3], [4]])
  }

  @Test func aBatchIsMadeWhenItsTurnComes() {
    var made = 0
    let numbers = (0..<10).lazy.map { number in
      made += 1
      return number
    }
    let isFound = numbers.inBatches(of: 4).contains { $0 == [0, 1, 2, 3] }
    #expect(isFound && made == 4)
  }
}
