import Foundation
import TerminalTestSupport

/// A folder for the length of `body`.
func withTemporaryFolder(_ body: (String) throws -> Void) throws {
  let folder = quickFolder + "/parley-tests-\(UUID().uuidString)"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try body(folder)
}

/// Writes a file, and makes its folder.
func write(_ text: String, to path: String) throws { try write(Data(text.utf8), to: path) }

/// Writes a file, and makes its folder.
func write(_ bytes: Data, to path: String) throws {
  let url = URL(fileURLWithPath: path)
  try FileManager.default.createDirectory(
    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
  try bytes.write(to: url)
}
