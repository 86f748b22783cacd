import Dispatch
import Foundation
import SQLiteFiles
import StoreInterface
import Synchronization
import Telling

/// Whoever interrupts a write is told what becomes of it; then the program ends by the signal, as it would have.
///
/// No Swift runs in the signal's handler: the signal is ignored meanwhile, and a dispatch source hears of it.
enum Interruption {
  static let words = left(.write)
  static let unimported = left(.import)
  static let notTakenBack = left(.undo)

  static func left(_ act: JournalEntry.Act) -> String {
    "Interrupted. \(act.withArticle.capitalizedFirst) that was begun and is not finished is left as it is. \(unfinishedWay)"
  }

  private static let unfinishedWay =
    "\(InterruptedText.ending()) Until then \(InterruptedText.names(of: "PATH"))"

  /// Of records that are decided one after the other.
  static let kept =
    "Interrupted: what was decided so far is kept; the same command once more decides the rest."
  /// Of the desk without a screen at a question. It may have written before.
  static let leftKept =
    "Interrupted: nothing more is written. What was decided is kept; the same command once more goes on from there."
  /// The same of a sample, which goes with it.
  static let leftSample =
    "Interrupted: nothing more is written. The sample goes, with all that was decided."
  /// Of what only would be decided, or is read before it is.
  static let untaken = "Interrupted: nothing was decided."
  /// Of what looks for something, and changes nothing.
  static let unchanged = "Interrupted: nothing was changed."
  /// The same behind the end of what was interrupted before.
  static let unchangedElse = "Interrupted: nothing else was changed."
  /// Of the end of a write, an undo or an import before this one.
  static let unfinished =
    "Interrupted while what was interrupted before was finished. The rest is left as it is. \(unfinishedWay)"
  /// Of what is still read before it is written.
  static let unwritten = "Interrupted: nothing was written."
  /// Of decisions before they are taken back, which is done with all of them at once; and after that.
  static let unforgotten = "Interrupted: no decision was taken back."
  static let forgotten = "Interrupted: the decisions are taken back, though not each of them was told."

  /// - Parameters:
  ///   - words: what becomes of it.
  ///   - isHeld: whether a Ctrl-C behind it waits for the end of the command: see ``hold(_:)``.
  static func told<Result>(
    _ words: String = words, isHeld: Bool = false, during body: () throws -> Result
  ) rethrows -> Result {
    try told(words, of: signals, isHeld: isHeld, during: body)
  }

  private static func told<Result>(
    _ words: String, of signals: [Int32], isHeld: Bool = false, during body: () throws -> Result
  ) rethrows -> Result {
    let watches = signals.compactMap { number in watch(number) { tell(words, of: number) } }
    defer { for watch in watches { isHeld ? hold(watch) : watch.end() } }
    return try body()
  }

  private static func tell(_ words: String, of number: Int32) {
    ProgressLine.takeAway()
    let bytes = Array(lines(of: "parley: \(words)", width: Surroundings.terminalWidth(STDERR_FILENO)).utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
    die(of: number)
  }

  /// On a terminal what it shows of Ctrl-C may stand there, which the first one covers.
  ///
  /// - Parameter width: of the terminal; nil elsewhere.
  static func lines(of words: String, width: Int?) -> String {
    guard let width else { return words + "\n" }
    return "\r" + BrokenLine.lines(words, width: width).map { $0 + "\n" }.joined()
  }

  /// Whoever interrupts what leaves nothing behind is heard between two of its steps; who does so twice is not waited for.
  ///
  /// - Parameter body: asks now and then whether it is still wanted.
  static func heard<Result>(
    during body: (_ isWanted: @escaping @Sendable () -> Bool) throws -> Result
  ) rethrows -> Result {
    try heard(of: signals, again: endSilently, during: body)
  }

  /// Nothing is told that would cover the line of how far it is.
  @Sendable private static func endSilently(by number: Int32) {
    ProgressLine.takeAway()
    die(of: number)
  }

  /// A write that a person stops is heard between two of its records. Whoever does so twice, and another program at once, is told what
  /// becomes of it.
  ///
  /// - Parameter isHeld: whether a Ctrl-C behind it waits for what is told of it: see ``hold(_:)``.
  static func stopping<Result>(
    _ words: String = words, isHeld: Bool = true,
    during body: (_ isWanted: @escaping @Sendable () -> Bool) throws -> Result
  ) rethrows -> Result {
    try stopping(words, isHeld: isHeld, first: {}, during: body)
  }

  /// - Parameter first: is done at once when it is heard.
  static func stopping<Result>(
    _ words: String, isHeld: Bool, first: @escaping @Sendable () -> Void,
    during body: (_ isWanted: @escaping @Sendable () -> Bool) throws -> Result
  ) rethrows -> Result {
    try told(words, of: signals.filter { $0 != SIGINT }) {
      try heard(
        of: [SIGINT], isHeld: isHeld, first: first, again: { tell(words, of: $0) }, during: body)
    }
  }

  /// Behind a change the program has to say what it did: one Ctrl-C waits for that, the next one ends it.
  private static func hold(_ watch: Watch) {
    guard watch.number == SIGINT else { return watch.end() }
    watch.ear.isOver()
    held.withLock { $0.append(watch) }
  }

  private static let held = Mutex<[Watch]>([])

  /// Everything is said.
  static func release() {
    let watches = held.withLock { held in
      defer { held = [] }
      return held
    }
    for watch in watches { watch.end() }
  }

  static func heard<Result>(
    of signals: [Int32], isHeld: Bool = false, first: @escaping @Sendable () -> Void = {},
    again: @escaping @Sendable (Int32) -> Void,
    during body: (_ isWanted: @escaping @Sendable () -> Bool) throws -> Result
  ) rethrows -> Result {
    let isHeard = Flag()
    let watches = signals.compactMap { number in
      watch(number) {
        isHeard.raise()
        first()
      } again: {
        again(number)
      }
    }
    defer { for watch in watches { isHeld ? hold(watch) : watch.end() } }
    return try body { !isHeard.isRaised }
  }

  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// A signal that was sent to the program got lost on a busy machine, as libdispatch takes signals from the threads that receive
  /// them, and the work went on after its end was told. This thread takes it itself, and is the end in any case.
  private static func die(of number: Int32) -> Never {
    CommitGate.close()
    signal(number, SIG_DFL)
    var itself = sigset_t()
    sigemptyset(&itself)
    sigaddset(&itself, number)
    pthread_sigmask(SIG_UNBLOCK, &itself, nil)
    raise(number)
    _exit(128 + number)
  }

  private final class Flag: Sendable {
    private let raised = Mutex(false)

    var isRaised: Bool { raised.withLock(\.self) }

    func raise() { raised.withLock { $0 = true } }
  }

  /// How often a signal came, and whether what it would have stopped is over.
  private final class Ear: Sendable {
    enum Heard { case first, again, behind, behindAgain }

    private let count = Mutex((during: 0, behind: 0, isOver: false))

    func hear() -> Heard {
      count.withLock { count in
        if count.isOver {
          count.behind += 1
          return count.behind == 1 ? .behind : .behindAgain
        }
        count.during += 1
        return count.during == 1 ? .first : .again
      }
    }

    func isOver() { count.withLock { $0.isOver = true } }
  }

  /// Not checked, because a source can be cancelled from any thread.
  private struct Watch: @unchecked Sendable {
    let number: Int32
    let source: any DispatchSourceSignal
    let ear: Ear

    func end() {
      source.cancel()
      signal(number, SIG_DFL)
      watched.withLock { _ = $0.remove(number) }
    }
  }

  /// A second watch of a signal would take it from the first, and neither would hear it.
  private static let watched = Mutex(Set<Int32>())

  /// nil for a signal that our parent had ignored, as `nohup` does: that stays so; and for one that is watched around this.
  ///
  /// - Parameter again: the end may take a moment, in which the source hears of its own signal, or of another.
  private static func watch(
    _ number: Int32, _ handle: @escaping @Sendable () -> Void,
    again: @escaping @Sendable () -> Void = {}
  ) -> Watch? {
    guard !isIgnored(number), watched.withLock({ $0.insert(number).inserted }) else { return nil }
    listen(to: number)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
    let ear = Ear()
    source.setEventHandler {
      switch ear.hear() {
      case .first: handle()
      case .again: again()
      case .behind: break
      case .behindAgain: endSilently(by: number)
      }
    }
    source.resume()
    learnToListen(to: number)
    return Watch(number: number, source: source, ear: ear)
  }

  private static func isIgnored(_ number: Int32) -> Bool { handler(of: number).place == ignoring }

  private static let ignoring = unsafeBitCast(SIG_IGN, to: Int.self)

  private static func handler(of number: Int32) -> (place: Int, action: SignalAction) {
    var action = sigaction()
    sigaction(number, nil, &action)
    #if os(Linux)
      let handler = action.__sigaction_handler.sa_handler
    #else
      let handler = action.__sigaction_u.__sa_handler
    #endif
    return (unsafeBitCast(handler, to: Int.self), action)
  }
}

/// On Linux libdispatch hears a signal by a handler of its own, which it installs with the first source there ever is of that signal. What
/// is put in its place afterwards, so that a signal ends the program again, leaves every later source deaf.
extension Interruption {
  private static let handlers = Mutex([Int32: SignalAction]())

  private static func listen(to number: Int32) {
    #if os(Linux)
      // Until it has one, what comes ends the program as ever: nothing is begun yet. To ignore it would lose it.
      if var known = handlers.withLock({ $0[number] }) { sigaction(number, &known, nil) }
    #else
      signal(number, SIG_IGN)
    #endif
  }

  private static func learnToListen(to number: Int32) {
    #if os(Linux)
      guard handlers.withLock({ $0[number] == nil }) else { return }
      // It does so by a thread of its own: soon, and where a machine is busy, as soon as that has its turn.
      for _ in 0..<30_000 {
        let (place, action) = handler(of: number)
        if place != ignoring, place != unsafeBitCast(SIG_DFL, to: Int.self) {
          return handlers.withLock { $0[number] = action }
        }
        usleep(100)
      }
    #endif
  }
}

/// The function has the name of the type.
private typealias SignalAction = sigaction
