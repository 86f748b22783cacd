/// The size of a JPEG picture (ITU T.81, annex B): segments follow each other, each with its length, and that of the frame tells it.
///
///     FF D8                                     the picture begins
///     FF E0  00 10  …                           a segment: marker, length with these two bytes, content
///     FF C0  00 11  08  HH HH  WW WW  …         the frame: precision, height, width
///     FF DA  …                                  the picture's data, behind which nothing is looked for
struct JPEGFrame: Equatable {
  let width: Int
  let height: Int

  /// nil where none is found before the data.
  init?(_ bytes: [UInt8]) {
    var place = 2
    while place + 3 < bytes.count, bytes[place] == 0xFF {
      let marker = bytes[place + 1]
      // Any number of FF may stand before a marker.
      if marker == 0xFF {
        place += 1
        continue
      }
      if JPEGFrame.isFrame(marker) {
        guard place + 8 < bytes.count else { return nil }
        height = JPEGFrame.number(bytes, at: place + 5)
        width = JPEGFrame.number(bytes, at: place + 7)
        return
      }
      let length = JPEGFrame.number(bytes, at: place + 2)
      guard marker != JPEGFrame.data, length >= 2 else { return nil }
      place += 2 + length
    }
    return nil
  }

  private static let data: UInt8 = 0xDA

  /// SOF0 to SOF15, among which three markers are something else: DHT, JPG, DAC.
  private static func isFrame(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
  }

  private static func number(_ bytes: [UInt8], at place: Int) -> Int {
    Int(bytes[place]) << 8 | Int(bytes[place + 1])
  }
}
