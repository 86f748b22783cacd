#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How a program ended.
public enum ExitStatus: Sendable, Equatable {
  case exited(Int32)
  case signalled(Int32)

  init(_ status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
  }
}

/// Starting programs by posix_spawn, with no signal blocked or ignored and no file descriptor handed on.
enum Spawn {
  enum Action {
    case open(Int32, path: String)
    case copy(from: Int32, to: Int32)
  }

  /// Starts `arguments` (the first is looked up in PATH). With `ownSession`, a terminal it opens first is its own.
  static func start(
    _ arguments: [String], environment: [String: String], ownSession: Bool = false, _ actions: [Action]
  ) throws(TestTerminalError) -> pid_t {
    var files = fileActions(actions)
    var attributes = attributes(ownSession: ownSession)
    defer {
      posix_spawn_file_actions_destroy(&files)
      posix_spawnattr_destroy(&attributes)
    }
    var child: pid_t = 0
    let result = withStrings(arguments) { argv in
      withStrings(environment.map { "\($0.key)=\($0.value)" }) { envp in
        posix_spawnp(&child, arguments.first ?? "", &files, &attributes, argv, envp)
      }
    }
    guard result == 0 else { throw .system(call: "posix_spawn \(arguments)", errno: result) }
    return child
  }

  private static func fileActions(_ actions: [Action]) -> Files {
    #if canImport(Glibc)
      var files = posix_spawn_file_actions_t()
    #else
      var files: Files
    #endif
    posix_spawn_file_actions_init(&files)
    for action in actions {
      switch action {
      case .open(let descriptor, let path):
        posix_spawn_file_actions_addopen(&files, descriptor, path, O_RDWR, 0)
      case .copy(let from, let to): posix_spawn_file_actions_adddup2(&files, from, to)
      }
    }
    #if os(Linux)
      // Not all that other tests have open closes by itself, and a store is only read while somebody else has it open. One that is
      // not open is no error there.
      for descriptor in Int32(3)..<1024 { posix_spawn_file_actions_addclose(&files, descriptor) }
    #endif
    return files
  }

  private static func attributes(ownSession: Bool) -> Attributes {
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
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (ownSession ? newSession : 0)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    return attributes
  }

  /// POSIX_SPAWN_SETSID, which glibc shows only to GNU sources.
  #if canImport(Glibc)
    private static let newSession: Int32 = 0x80
    private typealias Attributes = posix_spawnattr_t
    private typealias Files = posix_spawn_file_actions_t
  #else
    private static let newSession: Int32 = 0x400
    private typealias Attributes = posix_spawnattr_t?
    private typealias Files = posix_spawn_file_actions_t?
  #endif

  private static func withStrings<T>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> T
  ) -> T {
    let copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}

/// One program run to its end, for what it prints.
enum Command {
  static func output(_ arguments: [String], environment: [String: String]) throws -> (
    status: ExitStatus, text: String
  ) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw TestTerminalError.system(call: "pipe", errno: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let child: pid_t
    do {
      defer { close(ends[1]) }
      child = try Spawn.start(
        arguments, environment: environment,
        [.open(0, path: "/dev/null"), .copy(from: ends[1], to: 1), .copy(from: ends[1], to: 2)])
    }
    let text = readAll(ends[0])
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return (ExitStatus(status), text)
  }

  private static func readAll(_ descriptor: Int32) -> String {
    var all: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return String(decoding: all, as: UTF8.self) }
      all += bytes[..<count]
    }
  }
}

/// One program run to its end, for what it took; what it prints is thrown away.
public struct MeasuredRun: Sendable {
  public let status: ExitStatus
  /// On all its processors, the system's part included.
  public let processorSeconds: Double
  /// The most it had at a time.
  public let megabytes: Double

  public init(_ arguments: [String], environment: [String: String]) throws {
    var child = try Spawn.start(
      arguments, environment: TestEnvironment.complete(environment),
      (0...2).map { .open($0, path: "/dev/null") })
    var (value, usage) = (Int32(0), rusage())
    while wait4(child, &value, 0, &usage) < 0 {
      if errno != EINTR {
        child = -1
        break
      }
    }
    guard child > 0 else { throw TestTerminalError.system(call: "wait4", errno: errno) }
    status = ExitStatus(value)
    processorSeconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
    #if os(Linux)
      megabytes = Double(usage.ru_maxrss) / 1024
    #else
      megabytes = Double(usage.ru_maxrss) / 1_048_576
    #endif
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
