#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The program. Everything it does is in ``Program``, which tests call with surroundings of their own.
@main
struct Main {
  @MainActor static func main() {
    // A reader that has seen enough (`parley list | head -1`) ends us quietly, whatever our parent had set.
    signal(SIGPIPE, SIG_DFL)
    holdStandardDescriptors()
    let status = Program.run(Array(CommandLine.arguments.dropFirst()), in: .live())
    exit(status.rawValue)
  }
  /// The next file that is opened takes the lowest free number: with standard output closed, that would be a database. The
  /// place is held in the direction that nobody uses, so that printing still fails, and is told.
  private static func holdStandardDescriptors() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ]
    where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", mode)
    }
  }
}
