import Testing

@testable import BenchmarkStores

@Suite struct MergeBenchmarkTests {
  @Test func allThreeMergeTheSame() {
    let result = MergeBenchmark.run(rows: 1000, rounds: 1)
    #expect(result.changed == [3000, 3000, 3000])
  }
}
