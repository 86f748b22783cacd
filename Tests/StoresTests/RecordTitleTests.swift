import Merging
import StoreInterface
import Testing

/// What a record is called, is something that can be seen.
@Suite struct RecordTitleTests {
  private static func version(_ fields: [String: String]) -> RecordVersion {
    .present(fields.mapValues { FieldVersion(.text($0), time: nil) })
  }

  @Test(
    arguments: [
      (["title": "Milk"], "Milk"), (["title": " Milk"], " Milk"), (["title": " ", "name": "Bread"], "Bread"),
      (["title": " "], nil), (["title": "\u{A0}\n"], nil), (["title": ""], nil),
    ] as [([String: String], String?)])
  func blanksAloneAreNone(fields: [String: String], title: String?) {
    let version = Self.version(fields)
    let versions = ThreeWay(ancestor: nil, client: version, server: version)
    #expect(RecordTitle.title(of: versions) == title)
    #expect(RecordTitle.first(of: RecordTitle.usual) { [fields[$0].map(Value.text)] } == title)
  }

  /// A document may be called by blanks alone: 'written:      ' named nothing.
  @Test func anIdOfBlanksIsSeen() {
    for (id, title) in [("a b", "a b"), (" ", "\" \""), ("\t  ", "\"\t  \""), (" x", " x")] {
      #expect(RecordTitle.title(ofID: id) == title)
    }
  }

  @Test func anotherVersionsTitleIsTakenFirst() {
    let versions = ThreeWay(
      ancestor: Self.version([:]), client: Self.version(["title": " "]),
      server: Self.version(["title": "Milk"]))
    #expect(RecordTitle.title(of: versions) == "Milk")
  }
}
