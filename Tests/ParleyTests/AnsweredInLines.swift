@testable import parley

/// Suites that answer the desk without a screen.
protocol AnsweredInLines {}

extension AnsweredInLines {
  /// - Parameter answers: each a line.
  func run(_ answers: [String], _ session: Session) -> Run {
    var session = session
    session.input = answers.map { $0 + "\n" }.joined()
    return session.run("a.sqlite --plain")
  }
}
