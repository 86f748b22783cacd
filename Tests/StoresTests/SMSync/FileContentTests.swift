import ExactJSON
import Merging
import Testing

@testable import SMSyncStores
@testable import Samples
@testable import StoreInterface

/// What is told of files that are no text, and of files that belong together.
@Suite("Content of files") struct FileContentTests {
  private func id(_ number: Int) -> String { ContainerDemoStore.uuid(number) }

  @Test func filesThatBelongTogetherSaySo() throws {
    let container = try TestContainer()
    let store = try container.open()
    let (image, note) = (try store.conflict(id(6)), try store.conflict(id(5)))
    #expect(
      image.details.notes.contains {
        $0.hasPrefix("It belongs to another file") && $0.hasSuffix("decide both alike.")
      })
    #expect(note.details.notes.contains { $0.hasPrefix("Another file belongs to it (ownedByNoteUUID)") })
    #expect(
      image.details.references["content"]?.values.sorted() == [
        "PNG picture, 64 × 48", "PNG picture, 96 × 48",
      ])
    #expect(note.details.references["content"] == nil, "a text is told by itself")
    #expect(image.alternative("client")?.words.hasPrefix("keep the client's file, as version ") == true)
    #expect(note.alternative("client")?.words.hasPrefix("keep the client's text, as version ") == true)
    #expect(image["belongsTo"]?.client?.value == .text(id(5)))
    #expect(image.details.references["belongsTo"] == [.text(id(5)): "trip.txt"])
    #expect(
      try store.family(of: id(6)) == [Relative(id: id(5), kind: .parent, of: id(6), field: "belongsTo")])
    #expect(try store.family(of: id(5)).map(\.id) == [id(6)])
    #expect(
      image["kind"].map { [$0.client?.value, $0.server?.value] } == [
        .text("PNG picture, 64 × 48"), .text("PNG picture, 96 × 48"),
      ])
  }

  /// Of one size, and drawn otherwise.
  @Test func twoPicturesThatAreAlikeInKindAndSizeAreToldApart() throws {
    let head = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0, count: 16)
    var file = SampleFile(id(1), "map.png", version: 2)
    (file.uploads, file.download) = ([.bytes(head + [1])], .file(2, head + [2]))
    let titles = try TestContainer([file]).open().conflict(id(1)).details.references["content"]?.values
      .sorted()
    #expect(titles?.count == 2 && Set(titles ?? []).count == 2, "\(titles ?? [])")
    #expect(titles?.allSatisfy { $0.hasPrefix("#") && $0.hasSuffix(" PNG picture, 0 × 0") } == true)
  }

  /// The frame comes after segments of any length, and counts only before the data.
  @Test(arguments: [
    ("FFD8 FFE00004AAAA FFC00011080030004003", "JPEG picture, 64 × 48"),
    ("FFD8 FFE00002 FFFFFFC2000B0801E00280", "JPEG picture, 640 × 480"),
    ("FFD8 FFC40004AAAA FFC10011080001000203", "JPEG picture, 2 × 1"),
    ("FFD8 FFC00011080030", "JPEG picture"), ("FFD8FF", "JPEG picture"),
    ("FFD8 FFE00001 FFC0", "JPEG picture"),
    ("FFD8 FFDA0002 FFC00011080030004003", "JPEG picture"), ("FFD8 FFE0FFFF AA", "JPEG picture"),
  ])
  func theSizeOfAJPEG(hexadecimal: String, kind: String) throws {
    let bytes = try #require(Hexadecimal.bytes(hexadecimal.replacing(" ", with: "")))
    #expect(FileContent.kind(.blob(Blob(bytes: bytes))) == kind)
  }
}
