import Testing

@testable import KeyedArchives

/// What the writer makes of each value, and that reading gives it back.
@Suite struct ArchivedValueStoreTests {
  @Test(
    arguments: [
      (.string("Milk"), .encrypted), (.string("é"), .encrypted), (.string("e\u{301}"), .encrypted),
      (.integer(.min), .encrypted), (.real(.nan), .encrypted), (.data([]), .encrypted),
      (.date(secondsSince2001: -1.5), .encrypted), (.list([]), .encrypted),
      (.list([.string("a"), .string("b")]), .encrypted), (.list([.integer(-1), .integer(.max)]), .encrypted),
      (.list([.real(0.5)]), .encrypted), (.list([.date(secondsSince2001: 9)]), .encrypted),
      (.unsigned(.max), .plain), (.null, .plain), (.reference(recordName: "2"), .plain),
      (.location(latitude: 1, longitude: 2), .plain), (.asset(ArchivedAsset(size: 0)), .plain),
      (.list([.data([1])]), .plain), (.list([.bool(true)]), .plain),
      (.list([.string("a"), .integer(1)]), .plain),
      (.list([.list([.list([])]), .null, .real(1), .date(secondsSince2001: 1)]), .plain),
    ] as [(ArchivedValue, ArchivedValueStore)])
  func valuesComeBackFromTheStoreTheyBelongTo(value: ArchivedValue, store: ArchivedValueStore) throws {
    #expect(value.store == store)
    var record = ArchivedRecord(recordType: "reminders", recordName: "1", zoneName: "zone")
    record.values = ["field": value]
    #expect(try ArchivedRecord(decoding: record.encoded()) == record)
  }

  @Test func truthValuesComeBackAsIntegersAsFromAServer() throws {
    var record = ArchivedRecord(recordType: "reminders", recordName: "1", zoneName: "zone")
    record.values = ["yes": .bool(true), "no": .bool(false)]
    #expect(try ArchivedRecord(decoding: record.encoded()).values == ["yes": .integer(1), "no": .integer(0)])
  }

  @Test func aChangeOfTheNormalFormIsAChange() {
    #expect(ArchivedValue.string("é") != .string("e\u{301}"))
    #expect(ArchivedValue.reference(recordName: "é") != .reference(recordName: "e\u{301}"))
    #expect(ArchivedValue.real(0.0) != .real(-0.0))
    #expect(ArchivedValue.integer(1) != .real(1))
    #expect(ArchivedValue.integer(1) != .bool(true))
  }

  @Test(arguments: [
    ("/tmp/x", "file:///tmp/x"), ("/a b/ü%", "file:///a%20b/%C3%BC%25"),
    ("https://x.test/a%20b", "https://x.test/a%20b"),
  ])
  func filesAreNamedByURLInTheArchiveAndByPathOutside(path: String, url: String) {
    #expect(FileURL.url(path) == url)
    #expect(FileURL.path(url) == path)
  }

  @Test(arguments: [
    ("file:///a%2", "/a%2"), ("file:///a%+1", "/a%+1"), ("file:///%FF", "file:///%FF"), ("", ""),
  ])
  func damagedURLsStayAsTheyAre(url: String, path: String) { #expect(FileURL.path(url) == path) }
}
