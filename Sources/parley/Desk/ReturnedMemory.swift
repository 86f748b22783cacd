import Foundation

/// Memory that is free, and that the C library keeps for the next time.
enum ReturnedMemory {
  private typealias Trim = @convention(c) (Int) -> Int32

  /// Gives it back to the system, after work that took much of it once. glibc can do so; others have no need of it.
  static func giveBack() {
    guard let trim = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(trim, to: Trim.self)(0)
  }
}
