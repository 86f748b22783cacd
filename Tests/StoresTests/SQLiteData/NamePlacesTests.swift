import SQLiteFiles
import Testing

@Suite struct NamePlacesTests {
  private func place(of name: String, in names: [String]) -> Int? {
    Array(name.utf8).withUnsafeBytes { NamePlaces(names)[$0] }
  }

  @Test func eachNameHasItsPlace() {
    let names = (0..<300).map { "column\($0)" }
    #expect(names.map { place(of: $0, in: names) } == names.indices.map { $0 })
    #expect(place(of: "column300", in: names) == nil)
    #expect(place(of: "", in: names) == nil)
    #expect(place(of: "a", in: []) == nil)
  }

  @Test func theSameTextInAnotherNormalFormIsFound() {
    #expect(place(of: "cafe\u{301}", in: ["x", "caf\u{e9}"]) == 1)
    #expect(place(of: "K", in: ["\u{212A}"]) == 0)
    #expect(place(of: "\u{212A}", in: ["K"]) == 0)
  }
}
