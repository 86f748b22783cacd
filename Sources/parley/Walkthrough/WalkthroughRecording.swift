import Desk
import ExactJSON
import Foundation
import Merging
import StoreInterface
import Terminal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A played story as an asciinema recording, version 2: a header, then `[seconds, "o", "bytes"]` for each frame
/// (https://docs.asciinema.org/manual/asciicast/v2/).
struct WalkthroughRecording {
  private let page: WalkthroughPage
  private let pace: Double
  private let now: Int64
  private static let size = Size(columns: 120, rows: 34)

  /// - Parameters:
  ///   - pace: seconds a step stays.
  ///   - now: nanoseconds since 1970, for the header.
  init(_ page: WalkthroughPage, pace: Double, now: Int64) {
    self.page = page
    self.pace = pace
    self.now = now
  }

  /// - Throws: ``CommandError/fileExists(path:)``, ``CommandError/cannotWrite(path:detail:)``
  func write(to path: String) throws {
    let text = lines.map { $0.text + "\n" }.joined()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      if errno == EEXIST { throw CommandError.fileExists(path: path) }
      throw CommandError.cannotWrite(path: path, detail: systemError())
    }
    do {
      try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(text.utf8))
    } catch {
      throw CommandError.cannotWrite(path: path, detail: systemError())
    }
  }

  var lines: [JSON] { [header] + frames }

  private var header: JSON {
    JSON(members: [
      "version": .integer(2), "width": JSON(Self.size.columns), "height": JSON(Self.size.rows),
      "timestamp": .integer(now / 1_000_000_000), "title": .string("Parley: the life of a record"),
      "env": JSON(members: ["TERM": .string("xterm-256color")]),
    ])
  }

  /// The frames are those of the desk itself, played by its own clock ticks.
  private var frames: [JSON] {
    let info = StoreInfo(name: "demo data", path: "", kind: "", writing: "")
    var state = DeskState(store: info, access: .writable, size: Self.size, now: now, localIsUTC: true)
    state.pages = [.walkthrough(page)]
    var frames = [frame(state, at: 0)]
    while state.patience != nil {
      _ = state.update(.ticked, now: now)
      frames.append(frame(state, at: Double(frames.count) * pace))
    }
    // The last frame stays as long as the others.
    return frames + [.array([.real(Double(frames.count) * pace), .string("o"), .string("")])]
  }

  private func frame(_ state: DeskState, at seconds: Double) -> JSON {
    let text = state.draw().ansi(theme: Theme.builtIn["night"] ?? .auto)
    return .array([.real(seconds), .string("o"), .string(text)])
  }
}
