import CZlib

/// Bytes that a server has packed (RFC 1952).
enum Gzip {
  /// nil if that is no gzip, or holds more than `limit` bytes: a few can hold gigabytes.
  static func decoded(_ packed: [UInt8], atMost limit: Int) -> [UInt8]? {
    var stream = z_stream()
    guard z_inflate_gzip(&stream) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var (input, output) = (packed, [UInt8](repeating: 0, count: limit + 1))
    let code = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
        return inflate(&stream, Z_FINISH)
      }
    }
    return code == Z_STREAM_END && stream.total_out <= limit ? Array(output[..<Int(stream.total_out)]) : nil
  }
}
