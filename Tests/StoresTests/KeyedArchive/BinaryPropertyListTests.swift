import Testing

@testable import KeyedArchives

/// The container, byte by byte. Archives cannot reach all of it.
@Suite struct BinaryPropertyListTests {
  /// One object, an offset table of one byte and the trailer.
  private func list(_ object: [UInt8]) -> [UInt8] {
    Array("bplist00".utf8) + object + [8] + trailer(tableStart: 8 + object.count)
  }

  private func trailer(
    offsetSize: UInt8 = 1, referenceSize: UInt8 = 1, count: UInt64 = 1, top: UInt64 = 0, tableStart: Int
  ) -> [UInt8] {
    let numbers = [count, top, UInt64(bitPattern: Int64(tableStart))].flatMap { number in
      withUnsafeBytes(of: number.bigEndian, Array.init)
    }
    return [0, 0, 0, 0, 0, 0, offsetSize, referenceSize] + numbers
  }

  private func top<Part>(
    _ bytes: [UInt8], _ part: (BinaryPropertyList, BinaryPropertyList.Node) throws -> Part
  ) throws -> Part {
    try bytes.withUnsafeBytes { bytes in
      let list = try BinaryPropertyList(bytes)
      return try part(list, try list.node(list.top))
    }
  }

  private func problem(_ bytes: [UInt8]) -> ArchiveError.Problem? {
    do {
      _ = try top(bytes) { list, node in
        switch node {
        case .ascii(let extent): _ = try list.asciiText(extent)
        case .utf16(let extent): _ = try list.utf16Text(extent)
        case .array(let extent): _ = try (0..<extent.count).map { try list.element($0, of: extent) }
        default: break
        }
      }
      return nil
    } catch { return (error as? ArchiveError)?.problem }
  }

  @Test(
    arguments: [
      ([0x10, 0xFF], 255), ([0x11, 0xFF, 0xFF], 65535), ([0x12, 0xFF, 0xFF, 0xFF, 0xFF], 0xFFFF_FFFF),
      ([0x13] + Array(repeating: 0xFF, count: 8), -1), ([0x14] + Array(repeating: 0xFF, count: 16), -1),
      ([0x14] + Array(repeating: 0, count: 15) + [7], 7),
    ] as [([UInt8], Int64)])
  func onlyLongIntegersAreSigned(object: [UInt8], expected: Int64) throws {
    try top(list(object)) { _, node in
      guard case .integer(expected) = node else {
        Issue.record("\(node)")
        return
      }
    }
  }

  @Test func realNumbersHaveFourOrEightBytes() throws {
    for object in [[0x22, 0x3F, 0xC0, 0, 0], [0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0]] as [[UInt8]] {
      try top(list(object)) { _, node in
        guard case .real(1.5) = node else {
          Issue.record("\(node)")
          return
        }
      }
    }
  }

  @Test(
    arguments: [
      ([0x51], .pastTheEnd), ([0x5F], .pastTheEnd), ([0x5F, 0x10], .pastTheEnd),
      ([0x5F, 0x10, 200, 1], .pastTheEnd),
      ([0x5F, 0x13] + Array(repeating: 0xFF, count: 8), .pastTheEnd),
      ([0x5F, 0x14] + Array(repeating: 0, count: 16), .unknownMarker(0x14)),
      ([0x5F, 0x51, 1], .unknownMarker(0x51)),
      ([0x51, 0xE4], .invalidText(encoding: "ASCII")),
      ([0x61, 0xD8, 0x3D], .invalidText(encoding: "UTF-16")),
      ([0x61, 0xDC, 0x00], .invalidText(encoding: "UTF-16")), ([0x62, 0, 0x61, 0], .pastTheEnd),
      ([0x13, 0, 0], .pastTheEnd), ([0x15] + Array(repeating: 0, count: 32), .numberTooLarge),
      ([0x14, 1] + Array(repeating: 0, count: 15), .numberTooLarge), ([0x24], .numberTooLarge),
      ([0x23, 0], .pastTheEnd),
      ([0x88] + Array(repeating: 0, count: 9), .numberTooLarge), ([0x30], .unknownMarker(0x30)),
      ([0x0F], .unknownMarker(0x0F)), ([0x70], .unknownMarker(0x70)), ([0x90], .unknownMarker(0x90)),
      ([0xB0], .unknownMarker(0xB0)), ([0xE0], .unknownMarker(0xE0)), ([0xF0], .unknownMarker(0xF0)),
      ([0xA1, 9], .noSuchPropertyListObject(9)), ([0xA2, 0], .pastTheEnd), ([0xD1, 0], .pastTheEnd),
      ([0xAF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .pastTheEnd),
    ] as [([UInt8], ArchiveError.Problem)])
  func objectsThatLieAreRefused(object: [UInt8], expected: ArchiveError.Problem) {
    #expect(problem(list(object)) == expected)
  }

  @Test func trailersThatLieAreRefused() {
    let object: [UInt8] = Array("bplist00".utf8) + [0x51, 0x61, 8]
    let damaged = [
      trailer(offsetSize: 0, tableStart: 10), trailer(offsetSize: 9, tableStart: 10),
      trailer(referenceSize: 0, tableStart: 10), trailer(referenceSize: 9, tableStart: 10),
      trailer(count: 0, tableStart: 10), trailer(count: 2, tableStart: 10),
      trailer(count: .max, tableStart: 10),
      trailer(top: 1, tableStart: 10), trailer(tableStart: 0), trailer(tableStart: 8),
      trailer(tableStart: 11),
      trailer(tableStart: -1), trailer(offsetSize: 8, tableStart: 10),
    ]
    for trailer in damaged {
      guard case .trailer? = problem(object + trailer) else {
        Issue.record("\(trailer)")
        continue
      }
    }
    #expect(problem(object + trailer(tableStart: 10)) == nil, "so only the damage was refused")
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8])
  func offsetsAndReferencesHaveOneToEightBytes(size: Int) throws {
    let number = { (number: UInt8) in Array(repeating: 0, count: size - 1) + [number] }
    let objects: [UInt8] = Array("bplist00".utf8) + [0xA1] + number(1) + [0x51, 0x61]
    let offsets = number(8) + number(UInt8(9 + size))
    let bytes =
      objects + offsets
      + trailer(offsetSize: UInt8(size), referenceSize: UInt8(size), count: 2, tableStart: objects.count)
    let text = try top(bytes) { list, node in
      guard case .array(let extent) = node,
        case .ascii(let text) = try list.node(try list.element(0, of: extent))
      else { return "" }
      return try list.asciiText(text)
    }
    #expect(text == "a")
  }

  @Test(arguments: [0, 1, 8, 39, 40])
  func bytesThatAreTooFewAreRefused(count: Int) {
    #expect(problem(Array((Array("bplist00".utf8) + Array(repeating: 0, count: 40)).prefix(count))) != nil)
  }

  @Test(arguments: ["{ a = b; }", "bplist15", "hello", "{\"a\":1}", "<html>", "<?xml?><html/>"])
  func otherFormatsAreRefused(text: String) { #expect(refusal(Array(text.utf8)) != nil) }

  @Test func listsOfAllSizesAreWrittenAndRead() throws {
    for count in [0, 1, 14, 15, 16, 255, 256, 70_000] {
      let text = String(repeating: "é", count: count)
      let bytes = BinaryPropertyListWriter.bytes(of: .string(text))
      let read = try top(bytes) { list, node in
        switch node {
        case .ascii(let extent): try list.asciiText(extent)
        case .utf16(let extent): try list.utf16Text(extent)
        default: "?"
        }
      }
      #expect(read == text)
    }
  }
}
