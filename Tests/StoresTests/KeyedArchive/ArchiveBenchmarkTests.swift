import Testing

@testable import BenchmarkStores

@Suite struct ArchiveBenchmarkTests {
  @Test func everyArchiveOfTheBenchmarkIsRead() {
    let result = ArchiveBenchmark.run(count: 10)
    #expect(result.blobs == 10)
    #expect(result.nanoseconds > 0)
    #expect((3500...5000).contains(result.bytes), "about 4 kB")
  }
}
