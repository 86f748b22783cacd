import Dispatch
import Foundation
import StoreInterface
import Synchronization
import Telling
import Terminal

/// One line on standard error that tells how far something is, where a person watches; gone at the end, and while something else is
/// printed.
///
/// Never wider than the terminal: what a terminal has broken into two lines is written over by no carriage return.
final class ProgressLine {
  private let errors: LineWriter
  let isShown: Bool
  private let lock = NSLock()
  private var shown = ""
  private var width = 0
  /// Of what is done in steps, which are told where they come to another one.
  private var hundredth = 0
  /// `^C^C`, as who is not heard at once presses it again.
  private static let echo = 4

  init(_ errors: LineWriter, isShown: Bool) { (self.errors, self.isShown) = (errors, isShown) }

  convenience init(_ surroundings: Surroundings) {
    self.init(surroundings.errors, isShown: surroundings.isWatched)
  }

  func show(_ text: String) throws { try lock.withLock { try draw(text) } }

  /// In hundredths, as some steps are large; of a few nobody has to wait for the end.
  fileprivate func show(_ progress: StoreCall.Progress, of words: String) throws {
    guard progress.all > 20 else { return }
    try lock.withLock {
      let now = progress.done * 100 / progress.all
      if progress.done > 0, now == hundredth { return }
      hundredth = now
      let words = progress.words?.capitalizedFirst ?? words
      try draw("\(words): \(progress.done) of \(progress.all). Ctrl-C stops.")
    }
  }

  func end() throws {
    try lock.withLock {
      guard width > 0 else { return }
      try draw("")
      width = 0
    }
  }

  private func draw(_ text: String) throws {
    guard isShown, text != shown else { return }
    shown = text
    let room = max(1, min(80, errors.width ?? 80) - 1 - Self.echo)
    let text = DisplayText.cut(Self.counts(in: text, room: room), to: room)
    // As wide as the widest so far, as far as the terminal is still that wide, and what it shows of Ctrl-C behind it.
    width = min(width, room)
    let rest = max(0, width - DisplayText.width(text)) + Self.echo
    width = max(width, DisplayText.width(text))
    try Self.widthOnTerminal.withLock { widthOnTerminal in
      if Self.isOver.load(ordering: .acquiring) { return }
      try errors.show(overwriting: text, clearing: rest)
      widthOnTerminal = text.isEmpty ? 0 : width
    }
  }
}

/// The program may be ended in the middle of what the line tells of, and a shell would go on behind it.
extension ProgressLine {
  private static let widthOnTerminal = Mutex(0)
  /// Whether no other is shown any more. Told without the lock, as who has that may just draw.
  private static let isOver = Atomic(false)

  /// What is being drawn ends first, or it would stand behind what is said next; but a terminal that takes nothing now is not waited for.
  static func takeAway() {
    isOver.store(true, ordering: .releasing)
    for _ in 0..<50 {
      let isFree: Void? = widthOnTerminal.withLockIfAvailable { width in
        guard width > 0 else { return }
        let bytes = Array("\r\(String(repeating: " ", count: width + echo))\r".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
        width = 0
      }
      if isFree != nil { return }
      usleep(1_000)
    }
  }
}

extension ProgressLine {
  /// Where there is no room for all, how far it is tells more than what is done.
  fileprivate static func counts(in text: String, room: Int) -> String {
    guard DisplayText.width(text) > room, let end = text.firstRange(of: ": ")?.upperBound else { return text }
    return String(text[end...])
  }
}

/// How many records were read so far, for those that are read one after the other.
final class RecordCount {
  /// Whoever has fewer does not wait.
  static let step = 200

  private let line: ProgressLine
  private let words: String
  private let unit: String
  private let estimate: () throws -> Int?
  private lazy var most = try? estimate()
  private var count = 0

  /// - Parameters:
  ///   - words: what is done with them.
  ///   - unit: what they are.
  ///   - most: how many there are at most; nil where nobody knows. A server is asked for it only where somebody waits.
  init(
    _ words: String, of unit: String = "records", _ surroundings: Surroundings,
    atMost most: @escaping () throws -> Int? = { nil }
  ) {
    (self.words, self.unit, line, estimate) = (words, unit, ProgressLine(surroundings), most)
  }

  func add(_ more: Int = 1) throws {
    count += more
    guard line.isShown, count % Self.step < more else { return }
    let known = most.map { "\(count) of at most \(max(count, $0))" } ?? "\(count)"
    try line.show("\(words): \(known) \(unit)")
  }

  /// What is printed of them on the way to the one terminal that both may go to: the line goes before it, and comes behind it.
  func printing(_ more: Int = 1, to output: LineWriter, _ print: () throws -> Void) throws {
    try line.end()
    try print()
    if line.isShown { try output.flush() }
    try add(more)
  }

  func end() throws { try line.end() }
}

extension Surroundings {
  /// Long work on a store, which tells how far it is. Who interrupts it is heard between two of its steps: then the store takes back
  /// what it has begun, or tells what is done. Who does so twice is told what will finish it, and not waited for.
  ///
  /// - Parameters:
  ///   - words: what is done.
  ///   - line: where it is told.
  ///   - interrupted: what becomes of it where it is not waited for.
  ///   - isTried: whether it is only tried, so that nothing has to be told behind it.
  /// - Throws: ``StoreError/stopped(path:)`` where nothing was changed.
  func changing<Answer>(
    _ words: String, on line: ProgressLine? = nil, interrupted: String = Interruption.words,
    isTried: Bool = false, during body: () throws -> Answer
  ) throws -> Answer {
    // Not checked, because a line has a lock, and what else is printed is printed by the thread that waits.
    nonisolated(unsafe) let line = line ?? ProgressLine(self)
    let (outer, stop) = (StoreCall.current, StopTelling())
    let first = { @Sendable in stop.tell { try? line.showStopping() } }
    let answer = Interruption.stopping(interrupted, isHeld: !isTried, first: first) { isWanted in
      let call = StoreCall(
        isWanted: {
          if isWanted() && outer.end(of: "") == nil { return true }
          try? line.showStopping()
          return false
        }, hear: { if isWanted() { try? line.show($0, of: words) } },
        hearWait: { try? isWanted() ? line.show($0, of: words) : line.showStopping($0) })
      return Result { try call.answered(by: body) }
    }
    stop.end()
    try line.end()
    return try answer.get()
  }
}

/// Tells who stops something that this was heard, as the next step may be a minute away.
private final class StopTelling: Sendable {
  private let isOver = Mutex(false)

  /// By another thread than the one that hears of signals: a terminal that takes nothing now would keep it from the next one.
  func tell(_ show: @escaping @Sendable () -> Void) {
    DispatchQueue.global(qos: .userInitiated).async {
      self.isOver.withLock { isOver in if !isOver { show() } }
    }
  }

  /// Nothing is told behind it.
  func end() { isOver.withLock { $0 = true } }
}

extension Surroundings {
  /// A whole command. That a server says nothing is told meanwhile, or nobody knew what the program is at.
  func tellingWaits<Answer>(during body: () throws -> Answer) throws -> Answer {
    // Not checked, because what is told on the way is told by threads that this one waits for.
    nonisolated(unsafe) let line = ProgressLine(self)
    let outer = StoreCall.current
    let call = StoreCall(isWanted: { outer.end(of: "") == nil }, hearWait: { try? line.tell($0) })
    let answer = Result { try call.answered(by: body) }
    try line.end()
    return try answer.get()
  }

  /// The same for somebody who hears the lines: each wait once.
  func tellingWaitsOnce<Answer>(during body: () throws -> Answer) rethrows -> Answer {
    // Not checked, because waits are told one after the other, by threads that the one that prints waits for.
    nonisolated(unsafe) let errors = errors
    return try StoreCall(hearWait: { wait in
      guard let wait, wait.seconds == 1 else { return }
      try? errors.print("Waiting for the server, \(wait.most) seconds at most. Ctrl-C ends Parley.")
      try? errors.flush()
    }).answered(by: body)
  }
}

extension Interruption {
  /// What is read before anything is changed. Who interrupts it is heard between two of its records, and who does so twice is not
  /// waited for. Never told while it goes on: what comes next would be done all the same by then.
  ///
  /// - Parameter words: what becomes of it; nil leaves that to whoever listens around this.
  /// - Throws: ``CommandError/interrupted(words:)``
  static func reading<Answer>(_ words: String?, during body: () throws -> Answer) throws -> Answer {
    // Where a command listens around this it alone hears of the signal.
    let outer = StoreCall.current
    let (answer, isWanted) = heard { isWanted in
      let answer = Result { try outer.wanted(also: isWanted).answered(by: body) }
      // It may come behind the last record, and what is to be done next is not wanted then, either.
      return (answer, isWanted())
    }
    switch (answer, words) {
    case (.failure(StoreError.stopped), let words?): throw CommandError.interrupted(words: words)
    case (.success, let words?) where !isWanted: throw CommandError.interrupted(words: words)
    case (_, _): return try answer.get()
    }
  }
}

extension Surroundings {
  /// What only reads, be it long: how far it is is told, and who interrupts it hears that nothing was changed.
  ///
  /// - Parameters:
  ///   - words: what is done with each.
  ///   - unit: what they are.
  ///   - most: how many there are at most; nil where nobody knows.
  ///   - interrupted: what becomes of it where it is interrupted; nil leaves that to whoever listens around this.
  func reading<Answer>(
    _ words: String, of unit: String = "records", atMost most: @escaping () throws -> Int? = { nil },
    interrupted: String? = Interruption.unchanged, _ body: (RecordCount) throws -> Answer
  ) throws -> Answer {
    let count = RecordCount(words, of: unit, self, atMost: most)
    let answer = Result { try Interruption.reading(interrupted) { try body(count) } }
    try count.end()
    return try answer.get()
  }
}

extension ProgressLine {
  /// What is printed next begins in an empty line.
  fileprivate func tell(_ wait: StoreCall.Wait?) throws {
    guard let wait, wait.seconds > 0 else { return try end() }
    let words = wait.words
    try show("\(words.capitalizedFirst). Ctrl-C stops.")
  }

  /// - Parameter wait: for what may have to end first.
  fileprivate func showStopping(_ wait: StoreCall.Wait? = nil) throws {
    let end = wait.map { ": \($0.words). Once more leaves at once." }
    try show("Stopping" + (end ?? ". What is begun is finished, or taken back."))
  }

  /// Once a server answers again nothing stands there until there is more to tell.
  fileprivate func show(_ wait: StoreCall.Wait?, of words: String) throws {
    try show(wait.map { "\(words): \($0.words). Ctrl-C stops." } ?? "")
  }
}
