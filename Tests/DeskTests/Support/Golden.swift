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
  try expect(grid.description, matches: "\(name)_\(grid.size.columns)x\(grid.size.rows)", sourceLocation)
}

/// The same for what the cells mean, a letter each: what a theme turns into colours.
func expectInks(
  _ grid: Grid, matches name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try expect(grid.inks, matches: "\(name)_\(grid.size.columns)x\(grid.size.rows)_inks", sourceLocation)
}

extension Grid {
  /// The first letter of each cell's role, upper case where it is bold; `.` for blank text.
  fileprivate var inks: String {
    (0..<size.rows).map { row in
      let letters = (0..<size.columns).map { column -> String in
        let cell = self[column, row]
        let letter = cell.ink == .text && cell.text == " " ? "." : String(cell.ink.role.rawValue.prefix(1))
        return cell.ink.isBold ? letter.uppercased() : letter
      }.joined()
      return String(letters.reversed().drop { $0 == "." }.reversed())
    }.joined(separator: "\n")
  }
}

private func expect(_ text: String, matches name: String, _ sourceLocation: SourceLocation) throws {
  let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Golden/\(name).txt").standardized
  let actual = text + "\n"
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
