import Testing

@testable import Desk

@Suite struct RoundTests {
  @Test func theFirstFollowsTheLast() {
    #expect((-4...4).map { Round(3)[$0] } == [2, 0, 1, 2, 0, 1, 2, 0, 1])
    #expect(Array(Round(3).places(from: 1)) == [1, 2, 0])
    #expect(Array(Round(3).places(from: 0, by: -1)) == [0, 2, 1])
    #expect(Round(0).places(from: 5).isEmpty)
  }
}
