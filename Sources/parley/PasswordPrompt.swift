import Foundation

/// Asks for a password, without showing it.
///
/// `getpass` takes Ctrl-C as a letter like any other, and has no room for long passwords everywhere.
enum PasswordPrompt {
  private enum Key {
    static let interrupt: UInt8 = 3
    static let end: UInt8 = 4
    static let erase: Set<UInt8> = [8, 127]
    static let clear: UInt8 = 21
    static let enter: Set<UInt8> = [10, 13]
  }

  /// The password; nil if the input ended before one was given. Whoever interrupts it ends the program, as anywhere else.
  static func ask(_ question: String) -> String? {
    var modes = termios()
    guard tcgetattr(STDIN_FILENO, &modes) == 0 else { return nil }
    var silent = modes
    silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    FileHandle.standardError.write(Data(question.utf8))
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    let typed = read()
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &modes)
    FileHandle.standardError.write(Data("\n".utf8))
    if typed == .interrupted { kill(getpid(), SIGINT) }
    return typed.text
  }

  private enum Typed: Equatable {
    case line([UInt8])
    case ended, interrupted

    var text: String? {
      if case .line(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
    }
  }

  private static func read() -> Typed {
    var (line, byte): ([UInt8], UInt8) = ([], 0)
    while Foundation.read(STDIN_FILENO, &byte, 1) == 1 {
      switch byte {
      case Key.interrupt: return .interrupted
      case Key.end where line.isEmpty: return .ended
      case _ where Key.enter.contains(byte): return .line(line)
      case _ where Key.erase.contains(byte): erase(&line)
      case Key.clear: line = []
      default: line.append(byte)
      }
    }
    return .ended
  }

  /// The last character, of however many bytes.
  private static func erase(_ line: inout [UInt8]) {
    while let last = line.popLast(), last & 0xC0 == 0x80 {}
  }
}
