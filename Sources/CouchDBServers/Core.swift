import ExactJSON
import Foundation

/// All that the server keeps.
///
/// @unchecked because everything that changes is read and written only between lock and unlock of `condition`; feeds wait on
/// it for changes.
final class Core: @unchecked Sendable {
  private let condition = NSCondition()
  private var state: State
  /// `http://127.0.0.1:PORT`
  let url: String

  struct State {
    var databases: [String: Database] = [:]
    var sessions = Sessions()
    /// Seconds that tests let pass.
    var clockOffset: TimeInterval = 0
    var isStopped = false
    /// How many databases were ever made.
    var made = 0
    var documentSize: Int
    /// What `_replicate` did before, by source and target.
    var replications: [String: (last: Replication, history: [JSON])] = [:]

    var now: TimeInterval { Date().timeIntervalSince1970 + clockOffset }
  }

  init(url: String, documentSize: Int) {
    self.url = url
    state = State(documentSize: documentSize)
  }

  func locked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    return try body(&state)
  }

  /// Waits until something was done, or it is so late.
  ///
  /// - Returns: false if it is late.
  func wait(until date: Date, unless isTrue: (State) -> Bool) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    while !isTrue(state) { guard condition.wait(until: date) else { return isTrue(state) } }
    return true
  }

  func answer(_ request: ReceivedRequest) -> SentAnswer {
    locked { state in
      do {
        let (user, renewed) = try state.sessions.user(of: request, at: state.now)
        let call = Call(core: self, request: request, user: user)
        var answer: SentAnswer
        do { answer = try call.answer(&state) } catch let refusal as ServerRefusal {
          answer = call.answer(refusal)
        }
        if let renewed {
          let cookie = state.sessions.cookie(for: renewed, at: state.now)
          answer.headers.append(state.sessions.header(cookie, at: state.now))
        }
        return answer
      } catch {
        let refusal = error as? ServerRefusal ?? ServerRefusal(500, "unknown_error", "\(error)")
        return Call(core: self, request: request, user: User()).answer(refusal)
      }
    }
  }
}

extension Core.State {
  mutating func make(_ name: String, isPartitioned: Bool = false) throws -> Database {
    guard name.utf8.count <= 238 else {
      throw ServerRefusal(
        400, "database_name_too_long", "At least one path segment of `\(name)` is too long.")
    }
    guard name == "_users" || name.wholeMatch(of: /[a-z][a-z0-9_$()+\/-]*/) != nil else {
      throw ServerRefusal(
        400, "illegal_database_name",
        "Name: '\(name)'. Only lowercase characters (a-z), digits (0-9), and any of the characters _, $, (, ), +, -,"
          + " and / are allowed. Must begin with a letter.")
    }
    guard databases[name] == nil else {
      throw ServerRefusal(412, "file_exists", "The database could not be created, the file already exists.")
    }
    made += 1
    let database = Database(
      name: name, isPartitioned: isPartitioned, startTime: "\(Int(now) + made)", documentSize: documentSize)
    databases[name] = database
    return database
  }

  func database(_ name: String) throws -> Database {
    guard let database = databases[name] else { throw ServerRefusal.noDatabase }
    return database
  }
}
