import Foundation
import Terminal
import Testing

/// Compares a frame with its golden file, which is the screen as text.
///
/// A missing golden is recorded and fails, so that nobody commits one unseen. `RECORD=1 swift test` records all again:
/// read `git diff Tests` afterwards as if a user had sent it.
func expect(
  _ grid: Grid, matches name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Golden/\(name)_\(grid.size.columns)x\(grid.size.rows).txt").standardized
  let actual = grid.description + "\n"
  let isRecording = ProcessInfo.processInfo.environment["RECORD"] != nil
  guard !isRecording, let expected = try? String(contentsOf: file, encoding: .utf8) else {
    try actual.write(to: file, atomically: true, encoding: .utf8)
    if !isRecording {
      Issue.record("recorded \(file.lastPathComponent): look at it", sourceLocation: sourceLocation)
    }
    return
  }
  #expect(actual == expected, "\(name) differs:\n\(actual)", sourceLocation: sourceLocation)
}
