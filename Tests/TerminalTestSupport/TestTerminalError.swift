/// Why a test terminal could not do what a test asked.
public enum TestTerminalError: Error, CustomStringConvertible {
  /// A system call failed.
  case system(call: String, errno: Int32)
  /// What was waited for did not come; what was there instead.
  case timedOut(waitingFor: String, seen: String)
  /// tmux failed: what it said.
  case tmux(String)

  public var description: String {
    switch self {
    case .system(let call, let errno): "\(call): errno \(errno)"
    case .timedOut(let text, let seen): "no “\(text)” in time; there was:\n\(seen)"
    case .tmux(let words): "tmux: \(words)"
    }
  }
}
