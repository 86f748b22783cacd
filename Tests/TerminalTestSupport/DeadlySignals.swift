#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// All of which the system says that they end the process, but KILL.
package let deadlySignals: [Int32] = {
  let everywhere = [
    SIGTERM, SIGHUP, SIGQUIT, SIGINT, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGPIPE, SIGUSR1,
    SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGSYS,
  ]
  #if os(Linux)
    // The last two are the first and the last real-time signal that a program may use.
    return everywhere + [SIGIO, SIGPWR, SIGSTKFLT, 34, 64]
  #else
    return everywhere
  #endif
}()
