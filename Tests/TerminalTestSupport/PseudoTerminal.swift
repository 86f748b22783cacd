#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program on a terminal of its own, with the bytes it sends and the state it leaves the terminal in.
///
/// ```swift
/// let terminal = try PseudoTerminal(["parley", "demo"], columns: 80, rows: 24)
/// try terminal.waitForOutput(containing: "Conflicts")
/// terminal.type("q")
/// #expect(try terminal.waitForExit() == .exited(0))
/// #expect(terminal.isRestored)
/// ```
public final class PseudoTerminal {
  /// Everything the program has sent so far.
  public private(set) var output: [UInt8] = []
  /// The path of the program's side, for a test that opens it itself.
  public let path: String
  /// -1 once hung up.
  private var master: Int32
  /// Held open, so that modes can be read after the program's end, and what it sent is never lost.
  private let ours: Int32
  private let modesBefore: termios
  private var child: pid_t?
  private var status: ExitStatus?

  /// A terminal with nobody on it yet: for a test that draws itself.
  public init(columns: Int, rows: Int) throws(TestTerminalError) {
    var ends: (master: Int32, ours: Int32) = (-1, -1)
    guard openpty(&ends.master, &ends.ours, nil, nil, nil) == 0 else {
      throw .system(call: "openpty", errno: errno)
    }
    (master, ours, path) = (ends.master, ends.ours, try Self.name(ends.ours))
    for descriptor in [master, ours] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var modes = termios()
    tcgetattr(ours, &modes)
    modesBefore = modes
    resize(columns: columns, rows: rows)
  }

  /// ttyname(3) answers in a buffer that all threads share, and tests run in many.
  private static func name(_ descriptor: Int32) throws(TestTerminalError) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    let failure = ttyname_r(descriptor, &buffer, buffer.count)
    guard failure == 0 else { throw .system(call: "ttyname_r", errno: failure) }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Runs `command` on a terminal of its own.
  ///
  /// - Parameter environment: all that the program gets, but for TERM (xterm-256color), PATH and LANG (C.UTF-8), which
  ///   it also gets if they are not there.
  public convenience init(
    _ command: [String], columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws(TestTerminalError) {
    try self.init(columns: columns, rows: rows)
    child = try Spawn.start(
      command, environment: TestEnvironment.complete(environment), ownSession: true,
      [.open(0, path: path), .copy(from: 0, to: 1), .copy(from: 0, to: 2)])
  }

  deinit {
    kill(SIGKILL)
    if let child, status == nil { waitpid(child, nil, 0) }
    close(ours)
    if master >= 0 { close(master) }
  }

  /// The file descriptor of the program's side, for a test that draws itself.
  public var programSide: Int32 { ours }

  public func type(_ text: String) { type(Array(text.utf8)) }

  public func type(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }

  public func resize(columns: Int, rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Sends a signal to the program.
  public func kill(_ signal: Int32) {
    guard let child, status == nil else { return }
    #if canImport(Glibc)
      _ = Glibc.kill(child, signal)
    #else
      _ = Darwin.kill(child, signal)
    #endif
  }

  /// Closes the terminal, as when a window is closed or a connection breaks.
  public func hangUp() {
    close(master)
    master = -1
  }

  /// Waits until the program has sent `text`, after the first `offset` bytes, and returns all it sent from there on.
  @discardableResult
  public func waitForOutput(
    containing text: String, from offset: Int = 0, within patience: Duration = .seconds(20)
  ) throws(TestTerminalError) -> String {
    let deadline = ContinuousClock.now + patience
    while !isSent(text, from: offset) {
      guard ContinuousClock.now < deadline, receive(until: deadline) else {
        throw .timedOut(
          waitingFor: text, seen: String(decoding: output[offset...], as: UTF8.self).debugDescription)
      }
    }
    return String(decoding: output[offset...], as: UTF8.self)
  }

  /// Waits for the program's end, taking in what it sends until then.
  public func waitForExit(within patience: Duration = .seconds(20)) throws(TestTerminalError) -> ExitStatus {
    let deadline = ContinuousClock.now + patience
    while !hasEnded() {
      guard ContinuousClock.now < deadline else {
        throw .timedOut(waitingFor: "exit", seen: "\(output.suffix(400))")
      }
      // A terminal tells nobody that a program has ended, so we look 50 times a second.
      receive(until: .now + .milliseconds(20))
    }
    receiveAll()
    return status ?? .exited(-1)
  }

  /// Forgets what the program has sent, for one that sends much.
  public func forgetOutput() { output.removeAll(keepingCapacity: true) }

  /// Takes in what has been sent by now.
  public func receiveAll() {
    while receive(until: .now) {}
  }

  /// Takes in what there is; false if nothing came before `deadline`.
  @discardableResult
  public func receive(until deadline: ContinuousClock.Instant) -> Bool {
    let rest = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
    var polled = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, Int32(max(0, rest.rounded(.up)))) > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(master, &bytes, bytes.count)
    if count > 0 { output += bytes[..<count] }
    return count > 0
  }

  /// How much memory the program has now, in kB; nil if it has ended.
  public var memory: Int? {
    guard let child, !hasEnded() else { return nil }
    let said = try? Command.output(
      ["ps", "-o", "rss=", "-p", "\(child)"], environment: TestEnvironment.complete([:]))
    return said.flatMap { Int($0.text.filter(\.isNumber)) }
  }

  private func isSent(_ text: String, from offset: Int) -> Bool {
    output[min(offset, output.count)...].contains(Array(text.utf8))
  }

  private func hasEnded() -> Bool {
    guard let child, status == nil else { return true }
    var value: Int32 = 0
    guard waitpid(child, &value, WNOHANG) == child else { return false }
    status = ExitStatus(value)
    return true
  }
}

extension PseudoTerminal {
  /// Whether the tty modes are those from before the program: lines, echo, signals of keys.
  public var areModesRestored: Bool {
    var modes = termios()
    tcgetattr(ours, &modes)
    return modes.c_lflag == modesBefore.c_lflag && modes.c_iflag == modesBefore.c_iflag
      && modes.c_oflag == modesBefore.c_oflag
  }

  /// Whether the screen from before the program is back.
  public var isAlternateScreenLeft: Bool { lastOf("\u{1B}[?1049h", "\u{1B}[?1049l") != "\u{1B}[?1049h" }

  /// Whether the cursor is shown.
  public var isCursorShown: Bool { lastOf("\u{1B}[?25l", "\u{1B}[?25h") != "\u{1B}[?25l" }

  /// Whether mouse and bracketed paste are off.
  public var isInputRestored: Bool {
    lastOf("\u{1B}[?2004h", "\u{1B}[?2004l") != "\u{1B}[?2004h"
      && lastOf("\u{1B}[?1000h", "\u{1B}[?1000l") != "\u{1B}[?1000h"
      && lastOf("\u{1B}[?1000;1006h", "\u{1B}[?1000l") != "\u{1B}[?1000;1006h"
  }

  /// All of the above.
  public var isRestored: Bool {
    areModesRestored && isAlternateScreenLeft && isCursorShown && isInputRestored
  }

  /// How many escape codes so far choose a colour: SGR 30 to 49 and 90 to 107.
  public var colourCodes: Int {
    String(decoding: output, as: UTF8.self).matches(of: /\u{1B}\[([0-9;:]*)m/).count { match in
      match.1.split { ";:".contains($0) }.contains {
        (30...49).contains(Int($0) ?? 0) || (90...107).contains(Int($0) ?? 0)
      }
    }
  }

  private func lastOf(_ sequences: String...) -> String? {
    sequences.compactMap { sequence in lastIndex(of: sequence).map { (sequence, $0) } }.max { $0.1 < $1.1 }?.0
  }

  private func lastIndex(of text: String) -> Int? {
    let bytes = Array(text.utf8)
    guard output.count >= bytes.count else { return nil }
    return (0...(output.count - bytes.count)).last { output[$0..<$0 + bytes.count].elementsEqual(bytes) }
  }
}

/// What every program under test finds in its environment.
enum TestEnvironment {
  static func complete(_ environment: [String: String]) -> [String: String] {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return ["TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": path].merging(environment) { $1 }
  }
}
