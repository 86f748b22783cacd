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
    let status = Program.run(Array(CommandLine.arguments.dropFirst()), in: .live())
    exit(status.rawValue)
  }
}
