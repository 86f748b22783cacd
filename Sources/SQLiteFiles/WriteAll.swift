import Foundation

/// Writes bytes to a place in a file, in as many calls as the system takes them by.
///
/// - Returns: whether all are written; else `errno` tells why.
package func writeAll(_ bytes: [UInt8], to file: Int32, at offset: Int) -> Bool {
  var written = 0
  while written < bytes.count {
    let count = bytes[written...].withUnsafeBytes {
      pwrite(file, $0.baseAddress, $0.count, off_t(offset + written))
    }
    if count < 0 && errno == EINTR { continue }
    guard count > 0 else { return false }
    written += count
  }
  return true
}
