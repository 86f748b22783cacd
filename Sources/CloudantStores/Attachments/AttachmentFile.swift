import CZlib
import Digests
import Foundation
import SQLiteFiles
import StoreInterface

/// The file of an attachment: its bytes as they are, or gzip (RFC 1952). Read piece by piece, as it may be of any size.
struct AttachmentFile {
  let path: String

  struct Bytes: Equatable {
    let count: Int64
    /// 20 bytes.
    let sha1: [UInt8]
  }

  /// What the file holds.
  ///
  /// - Throws: ``StoreError/fileMissing(path:)``, ``StoreError/cannotRead(path:detail:isForbidden:)``,
  ///   ``StoreError/notAFile(path:kind:)``
  func storedBytes() throws(StoreError) -> Bytes {
    var bytes = Counter()
    _ = try forEachPiece { bytes.add($0) }
    return bytes.finish()
  }

  /// What the file holds when it is decoded; nil if it is no gzip, ends early, decodes to more than `limit` bytes, or cannot be read.
  func content(atMost limit: Int64) -> Bytes? {
    guard let decoder = GzipDecoder() else { return nil }
    var bytes = Counter()
    let isWanted = try? forEachPiece { piece in
      decoder.decode(piece) { bytes.add($0) && bytes.count <= limit }
    }
    return isWanted == true && decoder.isFinished ? bytes.finish() : nil
  }

  /// Whether it begins as gzip does, and says at its end that it holds `length` bytes: the length modulo 2^32, little end first.
  /// Nothing is decoded.
  func isNamedGzip(of length: Int64) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    guard let magic = try? file.read(upToCount: 2), let end = try? file.seekToEnd(), end >= 18,
      (try? file.seek(toOffset: end - 4)) != nil, let size = try? file.read(upToCount: 4)
    else { return false }
    return Array(magic) == [0x1F, 0x8B]
      && Array(size) == withUnsafeBytes(of: UInt32(truncatingIfNeeded: length).littleEndian, Array.init)
  }

  /// - Returns: false if `body` did not want more.
  private func forEachPiece(_ body: ([UInt8]) -> Bool) throws(StoreError) -> Bool {
    let file = try RegularFile(path)
    var offset = 0
    while true {
      let piece = try file.bytes(at: offset, 1 << 20)
      if piece.isEmpty { return true }
      if !body(piece) { return false }
      offset += piece.count
    }
  }

  private struct Counter {
    private(set) var count: Int64 = 0
    private var hash = SHA1()

    mutating func add(_ bytes: [UInt8]) -> Bool {
      count += Int64(bytes.count)
      hash.update(bytes)
      return true
    }

    func finish() -> Bytes { Bytes(count: count, sha1: hash.finish()) }
  }
}

/// zlib's decoder of gzip. What follows the end of the first gzip member is no part of an attachment, and an error.
private final class GzipDecoder {
  private var stream = z_stream()
  private(set) var isFinished = false

  init?() {
    guard z_inflate_gzip(&stream) == Z_OK else { return nil }
  }

  deinit { inflateEnd(&stream) }

  /// - Parameter output: takes what was decoded; false ends it.
  /// - Returns: false if that was no gzip, or `output` did not want more.
  func decode(_ input: [UInt8], _ output: ([UInt8]) -> Bool) -> Bool {
    var input = input
    return input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      // A full buffer may leave more to come out, though everything has gone in.
      repeat {
        guard !isFinished, let piece = step(), output(piece) else { return false }
      } while stream.avail_in > 0 || (stream.avail_out == 0 && !isFinished)
      return true
    }
  }

  /// nil for an error.
  private func step() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let code = buffer.withUnsafeMutableBufferPointer { buffer in
      stream.next_out = buffer.baseAddress
      stream.avail_out = UInt32(buffer.count)
      return inflate(&stream, Z_NO_FLUSH)
    }
    isFinished = code == Z_STREAM_END
    guard isFinished || code == Z_OK || code == Z_BUF_ERROR && stream.avail_in == 0 else { return nil }
    return Array(buffer.prefix(buffer.count - Int(stream.avail_out)))
  }
}
