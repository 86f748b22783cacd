import Dispatch
import HTTP
import StoreInterface
import Synchronization

/// The connections to one server, each for one question at a time.
final class HTTPLines: Sendable {
  /// How many questions are asked at once: more would keep a server from its other users.
  static let width = 4

  private final class Line: Sendable {
    let connection: Mutex<HTTPConnection>

    init(_ make: () throws -> HTTPConnection) throws { connection = Mutex(try make()) }
  }

  private let lines: [Line]
  private let turn = Atomic(0)

  /// - Parameter make: makes one of them, which is opened with its first question.
  init(_ make: () throws -> HTTPConnection) throws {
    lines = try (0..<HTTPLines.width).map { _ in try Line(make) }
  }

  /// One that nobody uses; if there is none, one whose turn comes.
  func ask<Answer: Sendable>(_ question: (HTTPConnection) throws -> Answer) throws -> Answer {
    for line in lines {
      if let answer = try line.connection.withLockIfAvailable({ try question($0) }) { return answer }
    }
    let next = turn.wrappingAdd(1, ordering: .relaxed).newValue
    return try lines[Int(next.magnitude % UInt(lines.count))].connection.withLock { try question($0) }
  }
}

extension Array {
  /// How many each question takes, if as many are asked at once as can be.
  func share(_ sizes: ClosedRange<Int>) -> Int {
    let even = (count + HTTPLines.width - 1) / HTTPLines.width
    return Swift.min(Swift.max(even, sizes.lowerBound), sizes.upperBound)
  }
}

extension Array where Element: Sendable {
  /// What `ask` makes of each, ``HTTPLines/width`` at a time, in their order. What was begun is waited for; after a failure nothing
  /// is begun.
  ///
  /// - Throws: the first failure there was; one after which it may yet be done comes before the others.
  func askedAtOnce<Answer: Sendable>(_ ask: @Sendable @escaping (Element) throws -> Answer) throws -> [Answer]
  {
    if count < 2 { return try map(ask) }
    let work = QuestionsAtOnce<Answer>(count)
    let (call, group) = (StoreCall.current, DispatchGroup())
    for _ in 0..<Swift.min(count, HTTPLines.width) {
      DispatchQueue.global().async(group: group) {
        call.answered {
          while let place = work.take() { work.note(Result { try ask(self[place]) }, at: place) }
        }
      }
    }
    group.wait()
    return try work.answers()
  }
}

/// Who asks what next, and what was answered.
final class QuestionsAtOnce<Answer: Sendable>: Sendable {
  private struct State {
    var next = 0
    var answers: [Answer?]
    var failure: (any Error)?
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(answers: Array(repeating: nil, count: count))) }

  /// nil where nothing is left to be begun.
  func take() -> Int? {
    state.withLock { state in
      guard state.failure == nil, state.next < state.answers.count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  func note(_ answer: Result<Answer, any Error>, at place: Int) {
    state.withLock { state in
      switch answer {
      case .success(let answer): state.answers[place] = answer
      case .failure(let error): state.failure = QuestionsAtOnce.first(state.failure, error)
      }
    }
  }

  /// The failure to tell of two.
  static func first(_ known: (any Error)?, _ new: any Error) -> any Error {
    guard let known else { return new }
    let isOpen = { (error: any Error) in (error as? StoreError)?.leavesRequestOpen ?? false }
    return isOpen(new) && !isOpen(known) ? new : known
  }

  func answers() throws -> [Answer] {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.answers.compactMap(\.self)
    }
  }
}
