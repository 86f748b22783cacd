import Merging
import StoreInterface
import Testing

/// Bytes are at hand only on the side whose row is here; of the others there is the hash.
@Suite struct BlobAtHandTests {
  private let here = Value.blob(Blob(bytes: [7, 7]))
  private let elsewhere = Value.blob(Blob(sha256: [9, 9]))

  @Test func aNewerBlobThatIsNotHereIsAPersonsToDecide() {
    let conflict = reminder(client: ["cover": here], server: ["cover": elsewhere])
    let suggestion = conflict["cover"]?.suggestion
    #expect(
      suggestion == Suggestion(elsewhere, source: .server, certainty: .yours, reason: .notAtHand(.server)))
    #expect(suggestion?.reason.description == "the server's bytes are not here")
    #expect(conflict.refusal(of: .take(.server), for: .field("cover")) == .notAtHand(.server))
    #expect(conflict.refusal(of: .take(.client), for: .field("cover")) == nil)
  }

  @Test func acceptingAllLeavesItOpen() {
    let conflict = reminder(client: ["title": .text("Oat milk")], server: ["cover": elsewhere])
    let resolution = conflict.accepting(.yours, in: Resolution())
    #expect(conflict.undecided(in: resolution) == [.field("cover")])
    #expect(conflict.draft(resolution) == nil)
  }

  @Test func aBlobOnlyTheServerChangedIsNotSureWithoutItsBytes() {
    let conflict = reminder(server: ["cover": elsewhere])
    #expect(conflict["cover"]?.change == .onlyServer)
    #expect(conflict["cover"]?.suggestion.certainty == .yours)
  }

  @Test func takingASideLeavesOpenWhatIsNotThere() {
    let conflict = reminder(
      client: ["cover": here], server: ["title": .text("Oat milk"), "cover": elsewhere])
    let resolution = conflict.taking(.server, in: Resolution())
    #expect(resolution.choices == [.field("title"): .take(.server)])
  }

  @Test func bytesOfAnEqualVersionAreUsed() throws {
    let bytes = Blob(bytes: [7, 7])
    let conflict = reminder(
      client: ["cover": .blob(bytes)], server: ["cover": .blob(Blob(sha256: bytes.sha256, count: 2))])
    #expect(conflict["cover"]?.change == .same)
    #expect(conflict.refusal(of: .take(.server), for: .field("cover")) == nil)
    let draft = try #require(conflict.draft(conflict.taking(.server, in: Resolution())))
    #expect(draft["cover"]?.bytes == [7, 7])
  }

  @Test func takingTheServersHashUsesTheAncestorsBytes() {
    let hash = Value.blob(Blob(sha256: Blob(bytes: [1, 2, 3]).sha256))
    let conflict = reminder(client: ["cover": here], server: ["cover": hash])
    #expect(conflict["cover"]?.change == .onlyClient)
    #expect(conflict["cover"]?.value(takenFrom: .server)?.bytes == [1, 2, 3])
    #expect(conflict.refusal(of: .take(.server), for: .field("cover")) == nil)
  }

  @Test func aSuggestedHashUsesTheBytesOfAnEqualVersion() {
    let hash = Value.blob(Blob(sha256: Blob(bytes: [7, 7]).sha256))
    let conflict = reminder(
      ancestor: nil, client: present(["cover": here]), server: present(["cover": hash]),
      rules: MergeRules(defaultRule: .server))
    #expect(
      conflict["cover"]?.suggestion == Suggestion(here, source: .both, certainty: .sure, reason: .agree))
    #expect(conflict["cover"]?.suggestion.value.bytes == [7, 7])
  }

  @Test func twoEqualSidesWithoutBytesAreToldAsTheServers() {
    let conflict = reminder(client: ["cover": elsewhere], server: ["cover": elsewhere])
    #expect(conflict["cover"]?.suggestion.reason == .notAtHand(.server))
    #expect(conflict["cover"]?.suggestion.certainty == .yours)
  }

  @Test func anUnchangedBlobNeedsNoBytes() throws {
    let unchanged = milk.merging(["cover": elsewhere]) { $1 }
    let conflict = reminder(
      ancestor: present(unchanged), client: present(unchanged), server: present(unchanged))
    #expect(conflict.subjects.isEmpty)
    #expect(try #require(conflict.draft(Resolution()))["cover"] == elsewhere)
  }
}

extension Value {
  fileprivate var bytes: [UInt8]? {
    if case .blob(let blob) = self { blob.bytes } else { nil }
  }
}
