import Foundation
import Testing

@testable import parley

/// A value is decided as it was typed, or not at all.
@Suite struct TypedBytesTests {
  private func check(_ bytes: [UInt8]) throws {
    let texts = [Array("parley".utf8), Array("resolve".utf8), bytes].map {
      strdup(String(decoding: $0, as: UTF8.self))
    }
    defer { for text in texts { free(text) } }
    var typed = (bytes + [0]).map { CChar(bitPattern: $0) }
    try typed.withUnsafeMutableBufferPointer { typed in
      try TypedBytes.check([texts[0], texts[1], typed.baseAddress])
    }
  }

  @Test(arguments: ["title=caf\u{E9}", "", "title=👩‍💻", "title=\u{FFFD}"]) func whatIsUTF8IsTaken(text: String)
    throws
  {
    try check(Array(text.utf8))
  }

  @Test(arguments: [[0xE9], [0xC3], [0x61, 0xFF, 0x62], [0xED, 0xA0, 0x80]] as [[UInt8]])
  func whatIsNotIsRefused(bytes: [UInt8]) {
    let error = #expect(throws: CommandError.self) { try check(Array("title=caf".utf8) + bytes) }
    #expect(error?.words.hasPrefix("Argument 2 is not UTF-8: title=caf") == true)
  }
}
