import Foundation

/// What was committed to a database in WAL mode and is not yet in it (sqlite.org/fileformat.html, section 4).
///
///     header   magic, version, page size, checkpoint, two salts, two checksums
///     frames   page number, size of the database in pages if this is the last of a commit else 0, two salts, two checksums; page
///
/// All integers are big-endian; the lowest bit of the magic number says whether the words that the checksums add are. The
/// first frame with other salts or a wrong checksum is one of an older log, or was not written wholly.
package struct WriteAheadLog {
  private struct Sum: Equatable {
    var first: UInt32
    var second: UInt32
  }

  private let bytes: Data
  private let pageSize: Int
  private let isBigEndian: Bool

  /// nil if there is none, or nothing in it.
  package init?(beside path: String) throws {
    guard FileStatus(path: path + "-wal") != nil else { return nil }
    bytes = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
    guard bytes.count >= 32, bytes.integer(at: 0) | 1 == 0x377F_0683 else { return nil }
    isBigEndian = bytes.integer(at: 0) & 1 == 1
    pageSize = bytes.integer(at: 8)
    guard (512...65536).contains(pageSize), pageSize.nonzeroBitCount == 1 else { return nil }
  }

  package func checkpoint(to pages: PageFile) throws {
    let committed = committedFrames
    for offset in committed.offsets {
      let number = bytes.integer(at: offset)
      try pages.write(bytes[(offset + 24)..<(offset + 24 + pageSize)], at: (number - 1) * pageSize)
    }
    if committed.databaseSize > 0 { try pages.resize(to: committed.databaseSize * pageSize) }
  }

  /// Where the frames begin that belong to whole commits.
  private var committedFrames: (offsets: [Int], databaseSize: Int) {
    var (offsets, count, databaseSize) = ([Int](), 0, 0)
    var sum = sum(of: 0..<24, after: Sum(first: 0, second: 0))
    guard sum == storedSum(at: 24) else { return ([], 0) }
    for offset in stride(from: 32, through: bytes.count - 24 - pageSize, by: 24 + pageSize) {
      sum = self.sum(of: offset..<offset + 8, after: sum)
      sum = self.sum(of: offset + 24..<offset + 24 + pageSize, after: sum)
      guard bytes[(offset + 8)..<(offset + 16)].elementsEqual(bytes[16..<24]),
        sum == storedSum(at: offset + 16),
        bytes.integer(at: offset) > 0
      else { break }
      offsets.append(offset)
      let size = bytes.integer(at: offset + 4)
      if size > 0 { (count, databaseSize) = (offsets.count, size) }
    }
    return (Array(offsets.prefix(count)), databaseSize)
  }

  private func storedSum(at offset: Int) -> Sum {
    Sum(first: UInt32(bytes.integer(at: offset)), second: UInt32(bytes.integer(at: offset + 4)))
  }

  private func sum(of range: Range<Int>, after before: Sum) -> Sum {
    var sum = before
    for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      sum.first = sum.first &+ word(at: offset) &+ sum.second
      sum.second = sum.second &+ word(at: offset + 4) &+ sum.first
    }
    return sum
  }

  private func word(at offset: Int) -> UInt32 {
    let word = UInt32(bytes.integer(at: offset))
    return isBigEndian ? word : word.byteSwapped
  }
}
