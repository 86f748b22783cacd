import Foundation
import Merging
import StoreInterface

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

  /// As a terminal sends it whose encoding is another.
  func runAsLatin1(_ answers: [String], _ session: Session) -> Run {
    var (session, next) = (session, 0)
    session.reader = LineReader {
      defer { next += 1 }
      return next < answers.count ? (answers[next] + "\n").unicodeScalars.map { UInt8($0.value) } : []
    }
    return session.run("a.sqlite --plain")
  }

  /// The letters that `?` tells after these answers.
  func told(after answers: [String], _ session: Session) -> [String] {
    let asked = run(answers + ["?", "q"], session).output.components(separatedBy: "\nChoose ").last ?? ""
    return asked.split(separator: "\n").compactMap {
      $0.wholeMatch(of: /(Enter|[A-Za-z1?\/]): [a-z].*\./).map { String($0.1) }
    }
  }
}

extension RecordConflict {
  /// The same, of which each version is a way to decide it as a whole.
  var withWays: RecordConflict {
    var conflict = self
    conflict.details.alternatives = versionsAsAlternatives
    return conflict
  }
}
