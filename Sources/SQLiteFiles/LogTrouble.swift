import StoreInterface

/// What is wrong with a `-wal`, and SQLite does not say: it reads what comes before, and passes over the rest.
package enum LogTrouble: Sendable, Equatable, CaseIterable {
  /// Something lies in its place that does not begin like one: nothing of it is read.
  case garbage
  /// It is damaged before the end of a transaction that was written wholly: nothing from there on is read.
  case broken

  /// nil if there is none, or it is as SQLite leaves it, also where its writer was killed.
  ///
  /// In one pass, a frame at a time.
  package init?(beside path: String) {
    let path = path + "-wal"
    guard let size = FileStatus(path: path)?.size, size > 0 else { return nil }
    guard let file = try? RegularFile(path), let frames = LogFrames(file, size: Int(size)) else {
      self = .garbage
      return
    }
    guard frames.endBeforeACommit else { return nil }
    self = .broken
  }
}

/// The frames of a `-wal` (``WriteAheadLog`` has its format), of which only one at a time is in memory.
private struct LogFrames {
  private static let headerSize = 32
  private static let frameHeaderSize = 24

  private let file: RegularFile
  private let size: Int
  private let pageSize: Int
  private let isBigEndian: Bool
  private let salts: [UInt8]
  private let headerSum: LogSum

  /// nil if it does not begin like one.
  init?(_ file: RegularFile, size: Int) {
    guard let header = try? file.bytes(at: 0, LogFrames.headerSize), header.count == LogFrames.headerSize,
      header.integer(at: 0) | 1 == 0x377F_0683
    else { return nil }
    (self.file, self.size, pageSize) = (file, size, header.integer(at: 8))
    isBigEndian = header.integer(at: 0) & 1 == 1
    salts = Array(header[16..<24])
    var sum = LogSum()
    header[..<24].withUnsafeBytes { [isBigEndian] in sum.add($0, isBigEndian: isBigEndian) }
    headerSum = sum
    guard (512...65536).contains(pageSize), pageSize.nonzeroBitCount == 1, sum == LogSum(header, at: 24)
    else { return nil }
  }

  /// Whether a commit of this log lies at or after the first frame that SQLite does not take.
  ///
  /// Frames with other salts are of an older log, and those of this one that belong to no commit were never told to be written:
  /// of a transaction that was rolled back, or whose writer was killed.
  var endBeforeACommit: Bool {
    var sum = headerSum
    var isRead = true
    let length = LogFrames.frameHeaderSize + pageSize
    for offset in stride(from: LogFrames.headerSize, through: size - length, by: length) {
      guard let frame = try? file.bytes(at: offset, isRead ? length : LogFrames.frameHeaderSize),
        frame.count >= LogFrames.frameHeaderSize
      else { return false }
      isRead = isRead && follows(frame, &sum)
      if !isRead, hasSalts(frame), frame.integer(at: 4) > 0 { return true }
    }
    return false
  }

  private func hasSalts(_ frame: [UInt8]) -> Bool { frame[8..<16].elementsEqual(salts) }

  private func follows(_ frame: [UInt8], _ sum: inout LogSum) -> Bool {
    frame[..<8].withUnsafeBytes { sum.add($0, isBigEndian: isBigEndian) }
    frame[LogFrames.frameHeaderSize...].withUnsafeBytes { sum.add($0, isBigEndian: isBigEndian) }
    return hasSalts(frame) && sum == LogSum(frame, at: 16) && frame.integer(at: 0) > 0
  }
}

/// The two numbers into which a `-wal` adds up its header and its frames, each after the one before.
struct LogSum: Equatable {
  var first: UInt32 = 0
  var second: UInt32 = 0

  mutating func add(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) {
    for offset in stride(from: 0, to: bytes.count, by: 8) {
      let words = (bytes.word(at: offset, isBigEndian), bytes.word(at: offset + 4, isBigEndian))
      first = first &+ words.0 &+ second
      second = second &+ words.1 &+ first
    }
  }
}

extension LogSum {
  fileprivate init(_ bytes: [UInt8], at offset: Int) {
    self.init(
      first: UInt32(bytes.integer(at: offset)), second: UInt32(bytes.integer(at: offset + 4)))
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func word(at offset: Int, _ isBigEndian: Bool) -> UInt32 {
    let word = loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
  }
}

extension [UInt8] {
  /// Four bytes, big-endian.
  fileprivate func integer(at offset: Int) -> Int {
    withUnsafeBytes { Int($0.word(at: offset, true)) }
  }
}
