import Foundation

/// Another program in the foreground of this terminal: an editor, a pager. Run it inside ``CursesTerminal/suspended(_:)``.
///
/// By posix_spawn: Foundation's Process hands its blocked signals on, and has been seen to wait for ever.
package enum ChildProcess {
  package enum ExitStatus: Sendable, Equatable {
    case exited(Int32)
    case signalled(Int32)
  }

  /// The program could not be started; `errno` says why (ENOENT: there is no such program).
  package struct LaunchError: Error, Sendable, Equatable {
    package var program: String
    package var errno: Int32
  }

  /// Runs `arguments` (the first is the program, looked up in PATH) and waits for its end.
  ///
  /// The child shares our process group, so the terminal's keys reach it: Ctrl-Z stops both, as a shell expects. Ctrl-C
  /// and Ctrl-\ are the child's alone; when the terminal is closed it is told so, and we tidy up after it.
  package static func run(_ arguments: [String]) throws(LaunchError) -> ExitStatus {
    // Asked before the child is there: one that is closed meanwhile is no terminal any more, and nobody would tell the child.
    let isOnTerminal = isatty(STDIN_FILENO) == 1
    let interrupts = [SIGINT, SIGQUIT, SIGHUP].map { ($0, signal($0, SIG_IGN)) }
    defer { for (number, handler) in interrupts { signal(number, handler) } }
    let child = try spawn(arguments)
    let watch = isOnTerminal ? HangUpWatch() : nil
    defer { watch?.end() }
    return wait(for: child)
  }

  private static func spawn(_ arguments: [String]) throws(LaunchError) -> pid_t {
    guard let program = arguments.first else { throw LaunchError(program: "", errno: ENOENT) }
    var attributes = cleanAttributes()
    defer { posix_spawnattr_destroy(&attributes) }
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    var child: pid_t = 0
    let result = posix_spawnp(&child, program, nil, &attributes, pointers, environment)
    guard result == 0 else { throw LaunchError(program: program, errno: result) }
    return child
  }

  /// No signal blocked, none ignored: whatever this process has done to them is no business of the child's.
  private static func cleanAttributes() -> Attributes {
    #if canImport(Glibc)
      var attributes = posix_spawnattr_t()
    #else
      var attributes: Attributes
    #endif
    posix_spawnattr_init(&attributes)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    return attributes
  }

  #if canImport(Glibc)
    private typealias Attributes = posix_spawnattr_t
    private static var environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? { environ }
  #else
    private typealias Attributes = posix_spawnattr_t?
    private static var environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
      _NSGetEnviron().pointee
    }
  #endif

  private static func wait(for child: pid_t) -> ExitStatus {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
  }
}
