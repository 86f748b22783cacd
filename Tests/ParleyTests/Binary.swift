import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The built program, run as a process of its own.
///
/// By `posix_spawn` with a clear signal mask and default handlers: Foundation's Process passes on blocked signals.
enum Binary {
  /// Beside the tests' own bundle, where the build puts it.
  static var path: String {
    #if os(macOS)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
      return bundle.bundleURL.deletingLastPathComponent().appendingPathComponent("parley").path
    #else
      return Bundle.main.bundleURL.appendingPathComponent("parley").path
    #endif
  }

  /// What a process left. `status` is the exit status as a shell tells it: 128 and the signal's number for a signal.
  struct Result {
    var status: Int32
    var output: String
    var errors: String
  }

  struct CannotSpawn: Error { var code: Int32 }

  static func run(_ arguments: String...) throws -> Result { try run(arguments) }

  /// - Parameter environment: what there is besides, or instead, as `NAME=value`.
  static func run(_ arguments: [String], environment: [String] = []) throws -> Result {
    try spawn([path] + arguments, environment: environment)
  }

  /// Begins the program without waiting for it; the caller waits for the process.
  static func start(_ arguments: String...) throws -> pid_t {
    try launch([path] + arguments, [], output: "/dev/null", errors: "/dev/null")
  }

  /// The same with standard output on a descriptor of ours.
  static func start(_ arguments: [String], output: Int32) throws -> pid_t {
    try launch(
      [path] + arguments, [], output: "/dev/fd/\(output)", errors: "/dev/null", outputDescriptor: output)
  }

  /// Begins it with more in its environment, and with what it prints in the files `output` and `errors` of a folder.
  static func start(_ arguments: [String], environment: [String], printingTo folder: String) throws -> pid_t {
    try launch([path] + arguments, environment, output: folder + "/output", errors: folder + "/errors")
  }

  /// Runs a shell's line in which `$PARLEY` is the program.
  static func shell(_ line: String) throws -> Result {
    try spawn(["/bin/sh", "-c", line], environment: ["PARLEY=\(path)"])
  }

  private static func spawn(_ command: [String], environment: [String] = []) throws -> Result {
    var result = Result(status: -1, output: "", errors: "")
    try withTemporaryFolder { folder in
      let process = try launch(
        command, environment, output: folder + "/output", errors: folder + "/errors")
      result.status = wait(for: process, atMost: 600)
      result.output = try String(contentsOfFile: folder + "/output", encoding: .utf8)
      result.errors = try String(contentsOfFile: folder + "/errors", encoding: .utf8)
    }
    return result
  }

  private static func launch(
    _ command: [String], _ environment: [String], output: String, errors: String,
    outputDescriptor: Int32? = nil
  ) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    if let outputDescriptor {
      posix_spawn_file_actions_adddup2(&actions, outputDescriptor, 1)
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
    }
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT, 0o600)
    #if os(Linux)
      // Or it would have the files of other tests open, which are just being written. One that is not open is no error there.
      for descriptor in Int32(3)..<1024 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    #endif
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let inherited = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
    return try withCStrings(command) { arguments in
      try withCStrings(environment + inherited) { environment in
        var process = pid_t()
        let code = posix_spawn(&process, command[0], &actions, &attributes, arguments, environment)
        guard code == 0 else { throw CannotSpawn(code: code) }
        return process
      }
    }
  }

  static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// Ends one that hangs; so long that it says nothing of how fast anything is.
  private static func wait(for process: pid_t, atMost seconds: Double) -> Int32 {
    let end = DispatchWorkItem { _ = kill(process, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: end)
    defer { end.cancel() }
    return wait(for: process)
  }

  private static func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
  ) rethrows -> Result {
    let pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return try body(pointers + [nil])
  }
}
