import Testing

/// Which store it is, is known where it is opened, and nowhere above: what it can do is asked of its facts.
@Suite("Kinds of stores") struct StoreKindTests {
  @Test("Nothing in desk or commands casts a store, or asks whether it is of a type")
  func casts() throws {
    let sources = try ProjectFile.all("swift").filter {
      $0.path.hasPrefix("Sources/Desk/") || $0.path.hasPrefix("Sources/parley/")
    }
    #expect(sources.count > 50)
    let cast = /\b(as[?!]?|is) (any )?\w*Store\b/
    for source in sources {
      for (line, text) in source.lines.enumerated() {
        let code = text.prefix { $0 != "/" }
        #expect(!code.contains(cast), "\(source.path):\(line + 1)")
      }
    }
  }
}
