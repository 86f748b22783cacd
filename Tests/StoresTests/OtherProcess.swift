#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Another program that has a database open, as the app itself would: the sqlite3 shell, fed through a pipe.
final class OtherProcess {
  static let shell: String? = ["/usr/bin/sqlite3", "/opt/homebrew/bin/sqlite3"].first { (path: String) in
    access(path, X_OK) == 0
  }

  let process: pid_t
  private let input: Int32
  private let output: Int32

  struct Failed: Error {}

  /// - Parameter program: a name of the shell, where it has to be called otherwise.
  init(_ path: String, as program: String? = nil) throws {
    guard let shell = program ?? OtherProcess.shell else { throw Failed() }
    var toChild: [Int32] = [0, 0]
    var fromChild: [Int32] = [0, 0]
    guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { throw Failed() }
    for descriptor in [toChild[1], fromChild[0]] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    (process, input, output) = (
      try OtherProcess.spawn([shell, path], toChild[0], fromChild[1]), toChild[1], fromChild[0]
    )
    close(toChild[0])
    close(fromChild[1])
  }

  #if canImport(Darwin)
    private typealias FileActions = posix_spawn_file_actions_t?
  #else
    private typealias FileActions = posix_spawn_file_actions_t
  #endif

  private static func spawn(_ arguments: [String], _ input: Int32, _ output: Int32) throws -> pid_t {
    #if canImport(Darwin)
      var actions: FileActions
    #else
      var actions = FileActions()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    #if os(Linux)
      // Or it would have the files of other tests open, which are just being written. One that is not open is no error there.
      for descriptor in Int32(3)..<1024 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    #endif
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    guard posix_spawn(&process, arguments[0], &actions, nil, &words, environ) == 0 else { throw Failed() }
    return process
  }

  /// Runs statements, and waits until they are done.
  func run(_ sql: String) {
    let line = Array("\(sql)\n.print done\n".utf8)
    _ = write(input, line, line.count)
    var answer: [UInt8] = []
    while !String(decoding: answer, as: UTF8.self).hasSuffix("done\n") {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(output, &buffer, buffer.count)
      if count <= 0 { return }
      answer += buffer.prefix(count)
    }
  }

  /// Lets the program end by itself in a moment.
  func endSoon() {
    let line = Array(".shell sleep 0.2\n.quit\n".utf8)
    _ = write(input, line, line.count)
  }

  /// Ends the program, and waits for it.
  func end() {
    close(input)
    close(output)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }
}
