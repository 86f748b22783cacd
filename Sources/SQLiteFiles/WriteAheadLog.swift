import StoreInterface

/// What was committed to a database in WAL mode and is not yet in it.
struct WriteAheadLog {
  private let file: RegularFile
  private let frames: LogFrames

  /// nil if there is none, or nothing in it.
  init?(beside path: String) throws {
    let path = path + "-wal"
    guard let size = FileStatus(path: path)?.size else { return nil }
    file = try RegularFile(path)
    guard let frames = LogFrames(file, size: Int(size)) else { return nil }
    self.frames = frames
  }

  func checkpoint(to pages: PageFile) throws {
    let committed = committedFrames
    for frame in committed {
      let page = try file.bytes(at: frame.offset + LogFrames.frameHeaderSize, frames.pageSize)
      try pages.write(page, at: (frame.page - 1) * frames.pageSize)
    }
    if let last = committed.last { try pages.resize(to: last.databaseSize * frames.pageSize) }
  }

  /// Those that belong to whole commits.
  private var committedFrames: [LogFrames.Frame] {
    var (taken, count) = ([LogFrames.Frame](), 0)
    frames.walk { frame in
      guard frame.isTaken else { return false }
      taken.append(frame)
      if frame.databaseSize > 0 { count = taken.count }
      return true
    }
    return Array(taken.prefix(count))
  }
}

/// The frames of a `-wal` (sqlite.org/fileformat2.html, section 4), of which only one at a time is in memory.
///
///     header   magic, version, page size, checkpoint, two salts, two checksums
///     frames   page number, size of the database in pages if this is the last of a commit else 0, two salts, two checksums; page
///
/// All integers are big-endian; the lowest bit of the magic number says whether the words that the checksums add are. The
/// first frame with other salts or a wrong checksum is one of an older log, or was not written wholly.
struct LogFrames {
  struct Frame {
    let offset: Int
    let page: Int
    /// In pages, after the commit that ends with this frame; 0 where none does.
    let databaseSize: Int
    /// Whether it has the salts of the header.
    let isOfThisLog: Bool
    /// Whether SQLite takes it, and all before it.
    let isTaken: Bool
  }

  static let frameHeaderSize = 24
  private static let headerSize = 32

  let pageSize: Int
  private let file: RegularFile
  private let size: Int
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

  /// Whether it ends within a frame of this log. Within one of an older log it ends as SQLite leaves it that cuts a log begun anew to
  /// `journal_size_limit`, as Apple's does to 32 KiB.
  var endsWithinAFrame: Bool {
    let rest = (size - LogFrames.headerSize) % length
    if rest == 0 { return false }
    var isOfThisLog = true
    walk { frame in
      isOfThisLog = frame.isOfThisLog
      return isOfThisLog
    }
    return isOfThisLog && mayBeOfThisLog(rest)
  }

  /// By as much of the salts as is there of the last frame.
  private func mayBeOfThisLog(_ rest: Int) -> Bool {
    let beginning = try? file.bytes(at: size - rest + 8, min(8, max(0, rest - 8)))
    return salts.starts(with: beginning ?? [])
  }

  private var length: Int { LogFrames.frameHeaderSize + pageSize }

  /// Each in its order, until `body` wants no more, or the file cannot be read.
  func walk(_ body: (Frame) -> Bool) {
    var sum = headerSum
    var isTaken = true
    for offset in stride(from: LogFrames.headerSize, through: size - length, by: length) {
      // Less has come where the file was cut meanwhile.
      let count = isTaken ? length : LogFrames.frameHeaderSize
      guard let bytes = try? file.bytes(at: offset, count), bytes.count == count else { return }
      isTaken = isTaken && follows(bytes, &sum)
      let frame = Frame(
        offset: offset, page: bytes.integer(at: 0), databaseSize: bytes.integer(at: 4),
        isOfThisLog: hasSalts(bytes), isTaken: isTaken)
      if !body(frame) { return }
    }
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
  func integer(at offset: Int) -> Int {
    withUnsafeBytes { Int($0.word(at: offset, true)) }
  }
}
