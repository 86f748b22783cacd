import Dispatch
import Foundation
import Synchronization

/// Whoever interrupts a write is told what becomes of it; then the program ends by the signal, as it would have.
///
/// No Swift runs in the signal's handler: the signal is ignored meanwhile, and a dispatch source hears of it.
enum Interruption {
  static let words =
    "Interrupted. A write that was begun is completed or taken back by the next start, record by record; see parley log PATH."

  static func told<Result>(during body: () throws -> Result) rethrows -> Result {
    let watches = [SIGINT, SIGTERM, SIGHUP].compactMap { watch($0) }
    defer { for watch in watches { watch.end() } }
    return try body()
  }

  private struct Watch {
    let number: Int32
    let source: any DispatchSourceSignal

    func end() {
      source.cancel()
      signal(number, SIG_DFL)
    }
  }

  /// nil for a signal that our parent had ignored, as `nohup` does: that stays so.
  private static func watch(_ number: Int32) -> Watch? {
    guard !isIgnored(number) else { return nil }
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
    let isTold = Mutex(false)
    source.setEventHandler {
      // The end may take a moment, in which the source hears of its own signal.
      let isFirst = isTold.withLock { isTold in
        defer { isTold = true }
        return !isTold
      }
      let line = isFirst ? Array("parley: \(words)\n".utf8) : []
      _ = write(STDERR_FILENO, line, line.count)
      signal(number, SIG_DFL)
      kill(getpid(), number)
    }
    source.resume()
    return Watch(number: number, source: source)
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    #if os(Linux)
      let handler = action.__sigaction_handler.sa_handler
    #else
      let handler = action.__sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
