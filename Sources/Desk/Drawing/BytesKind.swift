/// What bytes are, told by how they begin.
///
/// The formats are those of their makers: PNG (ISO 15948, 5.2 and 11.2.1), GIF89a (17, 18), JPEG (ITU T.81, B.2.2), BMP's
/// information header, WebP (RFC 9649, 2.5 to 2.7) and the brands of ISO base media files (ISO 14496-12, 4.3).
struct BytesKind: Equatable {
  var name: String
  /// In pixels; nil for what is no picture, or does not say.
  var size: (width: Int, height: Int)?

  /// "PNG image, 640x480".
  var words: String { name + (size.map { ", \($0.width)x\($0.height)" } ?? "") }

  /// nil for what is not known.
  init?(_ bytes: [UInt8]) {
    let header = Header(bytes: bytes)
    guard let kind = Self.pictures(header) ?? Self.files(header) else { return nil }
    self = kind
  }

  private init(_ name: String, _ size: (Int, Int)? = nil) {
    (self.name, self.size) = (name, size.map { (width: $0.0, height: $0.1) })
  }

  static func == (left: BytesKind, right: BytesKind) -> Bool { left.words == right.words }

  private static func pictures(_ header: Header) -> BytesKind? {
    if header.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      let size = header.has("IHDR", at: 12) ? header.pair(16, 20, count: 4, isBigEndian: true) : nil
      return BytesKind("PNG image", size)
    }
    if header.has("GIF87a") || header.has("GIF89a") {
      return BytesKind("GIF image", header.pair(6, 8, count: 2))
    }
    if header.has([0xFF, 0xD8, 0xFF]) { return BytesKind("JPEG image", header.sizeOfJPEG) }
    if header.has("BM"), header.number(14, count: 4) == 40 {
      return BytesKind("BMP image", header.pair(18, 22, count: 4))
    }
    if header.has("RIFF"), header.has("WEBP", at: 8) { return BytesKind("WebP image", header.sizeOfWebP) }
    guard header.has("ftyp", at: 4) else { return nil }
    if header.has("avif", at: 8) { return BytesKind("AVIF image") }
    let isHEIC = ["heic", "heix", "mif1"].contains { header.has($0, at: 8) }
    return BytesKind(isHEIC ? "HEIC image" : "MPEG-4 film or sound")
  }

  private static func files(_ header: Header) -> BytesKind? {
    let beginnings = [
      ("%PDF-", "PDF document"), ("PK\u{3}\u{4}", "ZIP archive"), ("bplist00", "binary property list"),
      ("SQLite format 3\0", "SQLite database"),
    ]
    if let known = beginnings.first(where: { header.has($0.0) }) { return BytesKind(known.1) }
    return header.has([0x1F, 0x8B]) ? BytesKind("gzip archive") : nil
  }
}

/// Reads numbers, and nothing that is not there.
private struct Header {
  let bytes: [UInt8]

  func has(_ beginning: [UInt8], at place: Int = 0) -> Bool {
    bytes.count >= place + beginning.count && bytes[place..<place + beginning.count].elementsEqual(beginning)
  }

  func has(_ beginning: String, at place: Int = 0) -> Bool { has(Array(beginning.utf8), at: place) }

  func number(_ place: Int, count: Int, isBigEndian: Bool = false) -> Int? {
    guard place >= 0, place + count <= bytes.count else { return nil }
    let digits = bytes[place..<place + count]
    return (isBigEndian ? Array(digits) : digits.reversed()).reduce(0) { $0 << 8 | Int($1) }
  }

  func pair(_ first: Int, _ second: Int, count: Int, isBigEndian: Bool = false) -> (Int, Int)? {
    guard let width = number(first, count: count, isBigEndian: isBigEndian),
      let height = number(second, count: count, isBigEndian: isBigEndian)
    else { return nil }
    return (width, height)
  }

  /// Of the first frame header; the segments before it are skipped.
  var sizeOfJPEG: (Int, Int)? {
    var place = 2
    while let marker = number(place, count: 2, isBigEndian: true), marker >= 0xFFC0,
      let length = number(place + 2, count: 2, isBigEndian: true), length >= 2
    {
      if (0xFFC0...0xFFCF).contains(marker), ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker) {
        return pair(place + 7, place + 5, count: 2, isBigEndian: true)
      }
      place += 2 + length
    }
    return nil
  }

  var sizeOfWebP: (Int, Int)? {
    if has("VP8X", at: 12) { return pair(24, 27, count: 3).map { ($0.0 + 1, $0.1 + 1) } }
    if has("VP8 ", at: 12) { return pair(26, 28, count: 2).map { ($0.0 & 0x3FFF, $0.1 & 0x3FFF) } }
    guard has("VP8L", at: 12), let bits = number(21, count: 4) else { return nil }
    return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
  }
}
