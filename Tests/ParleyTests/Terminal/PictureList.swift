import Foundation

/// `Screenshots/pictures.txt`, which tells its own form; `Screenshots/make` reads it, too.
enum PictureList {
  struct Malformed: Error {
    let line: Substring
  }

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Screenshots")

  /// The text that is left beside a picture.
  static func screens(of picture: Picture) throws -> String {
    try String(contentsOf: folder.appending(path: picture.name + ".txt"), encoding: .utf8)
  }

  static func read() throws -> [Picture] {
    let text = try String(contentsOf: folder.appending(path: "pictures.txt"), encoding: .utf8)
    let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
      .filter { !$0.isEmpty && !$0.hasPrefix("#") }
    let masks = try lines.filter { $0.hasPrefix("mask ") }.map(mask)
    let steps = lines.filter { !$0.hasPrefix("mask ") }
    let starts = steps.indices.filter { steps[$0].hasPrefix("picture ") }
    return try zip(starts, starts.dropFirst() + [steps.endIndex]).map { start, end in
      try picture(steps[start], steps[(start + 1)..<end].map(step), masks)
    }
  }

  private static func picture(_ line: Substring, _ steps: [Picture.Step], _ masks: [Picture.Mask]) throws
    -> Picture
  {
    let words = line.split(separator: " ").map(String.init)
    let size = words.dropFirst(2).first?.split(separator: "x").compactMap { Int($0) } ?? []
    guard words.count > 4, size.count == 2 else { throw Malformed(line: line) }
    let moves = steps.contains { if case .frame = $0 { true } else { false } }
    return Picture(
      name: words[1], columns: size[0], rows: size[1], arguments: words[4...] + ["--theme", words[3]],
      moves: moves, steps: moves ? steps : steps + [.frame(caption: nil)], masks: masks)
  }

  private static func step(_ line: Substring) throws -> Picture.Step {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { throw Malformed(line: line) }
    return switch words[0] {
    case "shows": .shows(words[1])
    case "says": .frame(caption: words[1])
    default: .press(key: words[0], until: words[1])
    }
  }

  private static func mask(_ line: Substring) throws -> Picture.Mask {
    let words = line.split(separator: " ").map(String.init)
    guard words.count == 3 else { throw Malformed(line: line) }
    return Picture.Mask(pattern: try Regex(words[1]), text: words[2])
  }
}
