import ArgumentParser
import CouchDBStores
import Curses
import Desk
import Merging
import SQLiteFiles
import StoreInterface
import Telling
import Terminal

/// `parley PATH`: the desk.
struct OpenCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", _superCommandName: Parley.name,
    abstract: "Open the desk on a store.")

  @OptionGroup var store: StoreOptions
  @OptionGroup var suggesting: SuggestionOptions
  @OptionGroup var writing: RouteOptions
  @OptionGroup var desk: DeskOptions
  @OptionGroup var linear: LinearOptions
  @OptionGroup var reading: AccessOptions

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    var request = store.request(reading.access, suggesting, writing)
    request.use = linear.plain ? .lines : .screen
    let (opened, path) = try open(request, surroundings)
    if linear.plain { return try askInLines(opened, desk, in: surroundings) }
    return try openDesk(
      store: opened, path: path, options: desk, keepingNoRules: reading.isReadOnly ? .readOnly : nil,
      otherwise: "parley \(store.quoted) --plain, or parley list \(store.quoted)", in: surroundings)
  }

  /// Of a server or a folder that has several the person chooses one, where somebody can.
  private func open(
    _ request: StoreRequest, _ surroundings: Surroundings
  ) throws -> (store: any ConflictStore, path: String) {
    do {
      return (try surroundings.open(request), request.path)
    } catch let error as StoreError {
      guard case .severalStores(let path, let names) = error,
        let name = try surroundings.choose(names, "\(path) has \(names.count) stores:")
      else { throw error }
      var request = request
      request.login = request.login ?? ServerAddress(request.path)?.login
      request.path = name
      return (try surroundings.open(request), request.path)
    }
  }
}

extension OpenCommand {
  /// Of a line that is a path and nothing else, as most are that open the desk. To find that none of the options is given the parser looks
  /// up what each of their types can do, which is a third of all that a start computes.
  init(path: String) {
    self.init()
    (store, suggesting, writing) = (StoreOptions(path: path), SuggestionOptions(), RouteOptions())
    (desk, linear, reading) = (DeskOptions(), LinearOptions(), AccessOptions())
    (suggesting.tie, writing.route) = (nil, nil)
    (desk.colour, desk.theme, desk.noMouse, desk.ascii) = (nil, nil, false, false)
    (linear.plain, reading.isReadOnly) = (false, false)
  }
}

extension StoreOptions {
  fileprivate init(path: String) {
    self.init()
    self.path = path
    (metadata, ca, ancestors, index, log) = (nil, nil, nil, nil, nil)
  }
}

/// The desk without a screen: see ``LinearDesk``.
func askInLines(
  _ store: any ConflictStore, _ options: DeskOptions, sample: DemoKind? = nil, in surroundings: Surroundings
) throws -> ExitStatus {
  let configuration = try Configuration.load(environment: surroundings.environment)
  // Nothing is drawn, and what is meant by it is not there all the same.
  if let theme = options.theme { _ = try ThemeShelf(environment: surroundings.environment).theme(theme) }
  if options.ascii || configuration.ascii == true { surroundings.output.sendASCII() }
  let desk = LinearDesk(store: store, time: TimeText(now: surroundings.now()), surroundings: surroundings)
  desk.sample = sample
  return try surroundings.tellingWaitsOnce { try desk.run() }
}

/// Opens the desk on `store`, and returns when the person leaves it: 0 if the whole store was read and
/// nothing is left in conflict, otherwise 1. The one
/// part of a command that must run on the main thread, which owns the screen.
///
/// - Parameters:
///   - path: of the store, as it was typed.
///   - obstacle: why its rules are not written into the settings; nil if they may be.
///   - sample: which one it is, that is taken away when the desk is left; nil for a store that stays.
///   - otherwise: the command that does without a terminal.
/// - Throws: ``CommandError/needsTerminal(otherwise:)``, ``CommandError/noTerminal(words:)``, and what a theme can have wrong.
func openDesk(
  store: any ConflictStore, path: String, options: DeskOptions,
  keepingNoRules obstacle: RuleKeeper.Obstacle? = nil, beginningWith page: WalkthroughPage? = nil,
  sample: DemoKind? = nil,
  otherwise: String, in surroundings: Surroundings
) throws -> ExitStatus {
  let (environment, log, now) = (surroundings.environment, surroundings.log, surroundings.now)
  let filling = surroundings.opened.filling()
  let (left, change) = try MainActor.assumeIsolated {
    let settings = try SettingsFile.read(environment: environment)
    let configuration = settings.configuration
    let look = DeskLook(options, configuration, environment)
    let terminal = try openTerminal(options, configuration, look, otherwise)
    defer { terminal.close() }
    let loop = DeskLoop(
      store: store, terminal: terminal, look: look, inbox: try EventInbox(),
      advances: configuration.advance != false,
      rules: RuleKeeper(settings, ofStore: path, obstacle), log: log, filling: filling, now: now)
    if let name = terminal.unknownName { loop.notices.append(drawnAsCommon(name)) }
    if sample != nil { loop.tellSample() }
    if let page { loop.begin(with: page) }
    // Nothing is told beside the screen.
    return (StoreCall().answered { loop.run() }, loop.leftChange)
  }
  if let change, sample == nil {
    try surroundings.output.print(Interruption.left(change))
    return .interrupted
  }
  try tellReady(left, store, sample, surroundings)
  return left.hasNothingLeft ? .nothingLeft : .left
}

@MainActor private func drawnAsCommon(_ name: String) -> String {
  "The terminal “\(name)” (TERM) is not in terminfo here; it is drawn as \(CursesTerminal.commonName)."
}

@MainActor private func openTerminal(
  _ options: DeskOptions, _ configuration: Configuration, _ look: DeskLook, _ otherwise: String
) throws -> CursesTerminal {
  do {
    let theme = try look.theme(look.first)
    let terminal = try CursesTerminal(
      theme: theme, colours: look.depth,
      mouse: !options.noMouse && configuration.mouse != false)
    CommitGate.use(
      .init(
        hold: CursesTerminal.holdEnd, letGo: CursesTerminal.letEnd, hasHeard: CursesTerminal.isAskedToEnd))
    terminal.isASCII = look.isASCII
    look.show(theme, on: terminal)
    return terminal
  } catch TerminalError.notATerminal {
    throw CommandError.needsTerminal(otherwise: otherwise)
  } catch let error as CommandError {
    throw error
  } catch {
    throw CommandError.noTerminal(words: "\(error)", otherwise: otherwise)
  }
}

/// A decision is kept but a draft not written: say so when the screen is gone.
private func tellReady(
  _ list: ListState, _ store: any ConflictStore, _ sample: DemoKind?, _ surroundings: Surroundings
) throws {
  let ready = list.count(of: .ready)
  let refused = list.refused.count
  if refused > 0 {
    let drafts = refused == 1 ? "1 draft was" : "\(refused) drafts were"
    try surroundings.output.print("\(drafts) refused by the store, and still to decide otherwise.")
  }
  if ready > 0 { return try surroundings.output.print(readyWords(ready, store, sample)) }
  // Nobody should wonder whether what was decided is lost.
  let begun = list.begunCount
  if begun > 0 {
    let records =
      begun == 1
      ? "1 record is only partly decided, so it has no draft yet"
      : "\(begun) records are only partly decided, so they have no draft yet"
    try surroundings.output.print("\(records). \(keptWords(store, sample))")
  }
}

/// What somebody leaves behind who leaves the desk.
func readyWords(_ ready: Int, _ store: any ConflictStore, _ sample: DemoKind?) -> String {
  let drafts = ready == 1 ? "1 draft is" : "\(ready) drafts are"
  return "\(drafts) ready and not written. \(keptWords(store, sample))"
}

/// What becomes of what was decided.
func keptWords(_ store: any ConflictStore, _ sample: DemoKind?) -> String {
  sample.map(thrownAway) ?? kept(in: store.journal)
}

private func thrownAway(_ sample: DemoKind) -> String {
  let words = "The sample and all decisions in it are thrown away"
  return sample.command.map { "\(words); \($0) FOLDER makes one that stays." }
    ?? "\(words), as its server ends here."
}

/// Somebody may have taken the journal away while the desk was open.
private func kept(in journal: any DecisionJournal) -> String {
  do {
    _ = try journal.decisionsOfOthers()
    return "All decisions are kept."
  } catch {
    return wordsOfAny(error)
  }
}

extension ListState {
  fileprivate func count(of filter: ListFilter) -> Int { counts[filter] ?? 0 }
}
