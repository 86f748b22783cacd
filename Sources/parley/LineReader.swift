import Foundation
import StoreInterface

/// Standard input, or what a test has in its place.
final class LineReader {
  private let source: () throws -> [UInt8]
  private var pending: [UInt8] = []
  private var isAtEnd = false

  /// - Parameter source: the next bytes; none at the end.
  init(source: @escaping () throws -> [UInt8]) { self.source = source }

  /// The next line without its end; nil behind the last. Whoever types it sees what was printed before.
  func line() throws -> TypedLine? {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) { return take(upTo: end) }
      guard try more() else { return pending.isEmpty ? nil : take(upTo: pending.endIndex) }
    }
  }

  /// All that is left.
  ///
  /// - Throws: ``StoreError/tooLarge(path:limit:)``
  func all(limit: Int) throws -> [UInt8] {
    while try more() {
      guard pending.count <= limit else { throw StoreError.tooLarge(path: "standard input", limit: limit) }
    }
    defer { pending = [] }
    return pending
  }

  private func take(upTo end: Int) -> TypedLine {
    var line = pending[..<end]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    pending.removeSubrange(..<min(end + 1, pending.endIndex))
    return TypedLine(bytes: Array(line))
  }

  private func more() throws -> Bool {
    guard !isAtEnd else { return false }
    let bytes = try source()
    isAtEnd = bytes.isEmpty
    pending += bytes
    return !isAtEnd
  }

  /// - Throws: ``StoreError/cannotRead(path:detail:isForbidden:)``
  static func standardInput() throws -> [UInt8] {
    var block = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = read(STDIN_FILENO, &block, block.count)
      if count >= 0 { return Array(block[..<count]) }
      if errno == EAGAIN || errno == EWOULDBLOCK {
        // Whoever gave it to us may have made it non-blocking.
        var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        _ = poll(&ready, 1, -1)
      } else if errno != EINTR {
        throw StoreError.cannotRead(path: "standard input", detail: systemError())
      }
    }
  }
}

/// A line as it was typed, of which the same holds as of ``TypedBytes``.
struct TypedLine {
  let bytes: [UInt8]

  /// - Throws: ``NotText`` for what is not UTF-8, as from a terminal with another encoding.
  func text() throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw NotText(line: self) }
    return text
  }

  struct NotText: Error {
    let line: TypedLine

    var words: String {
      """
      \(LinearText.typed(String(decoding: line.bytes, as: UTF8.self))) is not UTF-8, and nothing is done by it. Set the terminal's \
      encoding to UTF-8; a value can also come from a file, as e file:PATH.
      """
    }
  }
}
