import CZlib

/// Attachments as CouchDB stores those that are worth packing (RFC 1952). Files of any size are decoded piece by piece elsewhere.
package enum Gzip {
  /// nil if that is no gzip, or holds more than `limit` bytes: a few can hold gigabytes.
  package static func unpacked(_ bytes: [UInt8], atMost limit: Int) -> [UInt8]? {
    var stream = z_stream()
    guard z_inflate_gzip(&stream) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    // Whoever says how long it is may be wrong; no gzip holds more than some thousand times its own size.
    let room = min(max(0, limit), bytes.count * 1100 + 1024, Int(UInt32.max) - 1)
    let (code, output) = run(bytes, room: room + 1, &stream) { inflate(&$0, Z_FINISH) }
    return code == Z_STREAM_END && output.count <= limit ? output : nil
  }

  /// Bytes that somebody packed, whose length nothing tells but their own end. nil also if anything follows that end: some take that
  /// for a part of it, and others leave it out.
  package static func unpackedWhole(_ bytes: [UInt8]) -> [UInt8]? {
    let told = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    var stream = z_stream()
    guard told <= longest, z_inflate_gzip(&stream) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    let room = min(told, bytes.count * 1100 + 1024)
    let (code, output) = run(bytes, room: room + 1, &stream) { inflate(&$0, Z_FINISH) }
    return code == Z_STREAM_END && stream.avail_in == 0 && output.count == told ? output : nil
  }

  /// In bytes, as a few can say that they are gigabytes.
  private static let longest = 256 << 20

  /// At level 8, as CouchDB packs: the digest of what is stored depends on it.
  package static func packed(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    guard z_deflate_gzip(&stream, 8) == Z_OK else { return [] }
    defer { deflateEnd(&stream) }
    return run(bytes, room: Int(deflateBound(&stream, UInt(bytes.count))), &stream) { deflate(&$0, Z_FINISH) }
      .output
  }

  private static func run(
    _ bytes: [UInt8], room: Int, _ stream: inout z_stream, _ step: (inout z_stream) -> Int32
  ) -> (code: Int32, output: [UInt8]) {
    // zlib counts in 32 bits.
    guard let length = UInt32(exactly: bytes.count), let space = UInt32(exactly: room) else {
      return (Z_BUF_ERROR, [])
    }
    var (bytes, code) = (bytes, Z_OK)
    let output = bytes.withUnsafeMutableBufferPointer { input in
      (stream.next_in, stream.avail_in) = (input.baseAddress, length)
      return [UInt8](unsafeUninitializedCapacity: room) { output, count in
        (stream.next_out, stream.avail_out) = (output.baseAddress, space)
        code = step(&stream)
        count = room - Int(stream.avail_out)
      }
    }
    return (code, output)
  }
}
