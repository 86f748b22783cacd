import CTerminal
import Foundation

/// Holds back what is written to the descriptor of a terminal, and sends it in one piece.
///
/// ncurses sends a frame row by row: a new screen was some fifty writes, each a packet over ssh, and a terminal that is slow
/// shows the rows one by one. All that ncurses knows of the terminal is the descriptor, so this one leads into memory for the while.
@MainActor
struct HeldOutput {
  private let descriptor: Int32
  private let terminal: Int32
  private let memory: Int32

  /// Nil where the system has no files in memory (macOS) or lets them grow no further, or has no descriptor left.
  init?(of descriptor: Int32) {
    (terminal, memory) = (fcntl(descriptor, F_DUPFD_CLOEXEC, 3), ct_memory_open())
    self.descriptor = descriptor
    guard terminal >= 0, memory >= 0 else {
      close()
      return nil
    }
  }

  func holding(_ body: () -> Void) {
    guard ct_lead(descriptor, memory) == 0 else { return body() }
    body()
    // It takes a descriptor's place, which needs nothing that the system could be out of.
    ct_lead(descriptor, terminal)
    FileDescriptor.send(taken(), to: terminal)
  }

  func close() {
    for own in [terminal, memory] where own >= 0 { _ = Foundation.close(own) }
  }

  /// What was written since the last time. The next begins where this did, so that the file grows to one frame.
  private func taken() -> [UInt8] {
    let count = max(0, Int(lseek(memory, 0, SEEK_CUR)))
    lseek(memory, 0, SEEK_SET)
    return [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
      filled = max(0, pread(memory, bytes.baseAddress, count, 0))
    }
  }
}
