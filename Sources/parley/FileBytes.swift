import Foundation
import SQLiteFiles
import StoreInterface

/// The most that is read of a file, in bytes.
enum FileLimit {
  /// A configuration, a theme.
  static let settings = 1 << 20
  /// The value of one field.
  static let value = 256 << 20
}

/// All bytes of a file, with the system's own words if it cannot be read.
///
/// - Throws: ``StoreError/cannotRead(path:detail:isForbidden:)``, ``StoreError/notAFile(path:kind:)``, ``StoreError/tooLarge(path:limit:)``
func bytes(ofFile path: String, limit: Int) throws(StoreError) -> [UInt8] {
  try RegularFile(path).bytes(limit: limit)
}

/// What the last failed call of the system says; asked before any other call is made, which may set it anew.
func systemError(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }
