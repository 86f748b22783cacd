import Merging
import StoreInterface
import Telling
import Testing

@testable import Desk

/// The bytes of an attachment, which are read when somebody asks for them.
struct AttachmentTests {
  private static func attachment(_ digest: String) -> Value {
    .opaque(kind: Value.attachmentKind, bytes: Array(#"{"digest":"\#(digest)"}"#.utf8))
  }

  private static let field = "_attachments/cover"

  private static let album = Bookshop.document(
    "album", title: "Album", ancestor: Bookshop.version([field: attachment("old")]),
    leaves: [
      Bookshop.leaf(Bookshop.id(2, 1), [:], of: [field: attachment("mine")]),
      Bookshop.leaf(Bookshop.id(2, 2), [:], of: [field: attachment("yours")]),
    ])

  private func desk(_ contents: [String: AttachmentContent]) -> TestDesk {
    var desk = Bookshop.desk([Self.album])
    desk.contents = Dictionary(uniqueKeysWithValues: contents.map { (Self.attachment($0), $1) })
    return desk.typing("<enter><enter>")
  }

  /// As bytes in a field are: nobody reads a digest of forty digits.
  @Test func anAttachmentIsToldByTypeAndSize() {
    func value(_ json: String) -> Value { .opaque(kind: Value.attachmentKind, bytes: Array(json.utf8)) }
    let known = #"{"content_type":"text/plain","digest":"sha1-b6c565f87a027cee","length":11}"#
    #expect(Privacy.open.line(value(known)) == "text/plain 11 B #b6c565f8")
    let packed = #"{"content_type":null,"digest":"sha1-b6c565f87a027cee","encoding":"gzip","length":11}"#
    #expect(Privacy.open.line(value(packed)) == "attachment 11 B #b6c565f8, gzip")
    #expect(Privacy.open.line(value(#"{"digest":"old"}"#)) == #"{"digest":"old"}"#)
  }

  /// What is read is what is copied, and not the cell that lies below it.
  @Test func thePageThatIsReadIsCopied() {
    var desk = TestDesk()
    desk.state.pages.append(.text(TextPage(title: "The bytes", paragraphs: ["00 01", "02"])))
    #expect(desk.typing("y").effects.suffix(1) == [.copy(.text("00 01\n\n02", of: "the text of this page"))])
  }

  @Test func enterOnTheWholeValueShowsThemOfEverySide() {
    let desk = desk(["mine": .bytes(Array("a cover\nof mine".utf8)), "yours": .bytes([0, 255, 65])])
    #expect(desk.screen.description.contains("Enter bytes"))
    let screen = desk.typing("<enter>").screen.description
    #expect(screen.contains("A Ancestor") && screen.contains("gone"))
    #expect(screen.contains("a cover") && screen.contains("of mine") && !screen.contains("↵"))
    #expect(screen.contains("000000  00 ff 41"))
    #expect(desk.typing("<enter><esc>").screen == desk.screen)
  }

  @Test func theyAreHiddenWithAllOtherValues() {
    let screen = desk(["mine": .bytes(Array("secret".utf8))]).typing("<enter>P").screen.description
    #expect(!screen.contains("secret"))
  }

  /// Their answer may come when somebody reads something else.
  @Test func anAnswerThatComesLateChangesNothing() {
    var desk = desk([:]).typing("<esc>")
    let before = desk.screen
    let question = AttachmentQuestion(id: "album", field: Self.field, values: [:])
    desk.take(.content(question, [.client: .bytes([65])]))
    #expect(desk.screen == before)
  }

  @Test func aValueThatIsWholeHasNoOtherBytes() {
    let desk = Bookshop.desk().typing("<enter><enter>")
    #expect(!desk.screen.description.contains("Enter bytes"))
    #expect(desk.typing("<enter>").screen.description.contains("This is the whole value."))
  }

  @Test func bytesAreTextWhereTheyAreSome() {
    #expect(BytesText.paragraph(Array("é\tü".utf8)) == "é\tü")
    #expect(BytesText.paragraph([195]).split(separator: " ") == ["000000", "c3", "."])
    let lines = BytesText.paragraph(Array(0..<18)).split(separator: "\n")
    #expect(lines[0] == "000000  00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f  ................")
    #expect(lines[1].split(separator: " ") == ["000010", "10", "11", ".."])
  }

  @Test func ofManyTheFirstAreShownAndTheRestIsCounted() {
    let long = Array(String(repeating: "é", count: BytesText.most).utf8)
    #expect(
      BytesText.paragraph([65] + long).hasSuffix("é\n… and \(long.count + 1 - BytesText.most) bytes more"))
  }
}
