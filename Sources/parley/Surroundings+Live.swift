import CloudantStores
import Foundation
import Merging
import SQLiteDataStores
import Samples
import StoreInterface

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Surroundings {
  /// The real ones: standard output and error, the system's clock, stores on the disk.
  static func live(
    output: LineWriter = LineWriter { try write($0, to: STDOUT_FILENO) },
    errors: LineWriter = LineWriter { try write($0, to: STDERR_FILENO) },
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Surroundings {
    Surroundings(
      output: output, errors: errors, isWatched: isatty(STDERR_FILENO) == 1,
      width: terminalWidth(STDOUT_FILENO), environment: environment,
      now: { nanosecondsSince1970() },
      open: { request in
        let (store, warnings) = try openStore(request, try Configuration.load(environment: environment))
        let interrupted = InterruptedText.lines(store.lastingInterruptedWrites(), store: request.quoted)
        for line in warnings + interrupted { try errors.print("parley: " + line) }
        try errors.flush()
        return store
      },
      makeDemo: { try makeDemo($0, in: $1, now: $2) })
  }

  private static func makeDemo(_ kind: DemoKind, in folder: String, now: Int64) throws -> String {
    switch kind {
    case .sqlitedata: try DemoStore.make(in: folder, now: now)
    case .cloudant: try CloudantDemoStore.make(in: folder, now: now)
    case .android: try CloudantDemoStore.make(in: folder, now: now, isAndroid: true)
    }
  }

  /// Which store it is, is seen by what is there.
  private static func openStore(_ request: StoreRequest, _ configuration: Configuration) throws
    -> (store: any ConflictStore, warnings: [String])
  {
    let rules = configuration.rules(
      forStore: SQLiteDataStore.databasePath(at: request.path), tie: request.tie)
    if CloudantStore.recognises(request.path) {
      guard request.metadatabase == nil else { throw CommandError.metadataOfDatastore(path: request.path) }
      guard request.route != .outbox else { throw CommandError.outboxOfDatastore(path: request.path) }
      let store = try CloudantStore.open(
        path: request.path, access: request.access == .reading ? .reading : .writing, finishing: false,
        rules: rules)
      return (store, [])
    }
    let store = try SQLiteDataStore.open(
      path: request.path, metadatabase: request.metadatabase,
      access: request.access == .reading ? .reading : .writing, route: request.route,
      finishing: false, rules: rules)
    if request.route == .outbox, !store.hasOutbox { throw CommandError.noOutbox(path: request.path) }
    return (store, try store.policiesWithoutField().map(warning))
  }

  private static func warning(_ policy: UnknownPolicy) -> String {
    switch policy {
    case .table(let name):
      "The configuration has a policy for \(name), and this store has no such table. If it is another store's, put it "
        + "under stores: FILE."
    case .field(let name, let table):
      "The configuration has a policy for \(table).\(name), and the table \(table) has no such field."
    }
  }

  private static func nanosecondsSince1970() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  private static func terminalWidth(_ descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        waitForRoom(in: descriptor)
      } else if errno != EINTR {
        throw CommandError.cannotPrint(detail: systemError())
      }
    }
  }

  /// Whoever gave us the descriptor may have made it non-blocking, for its own end of a pipe or terminal: a slow reader is then
  /// waited for like any other.
  private static func waitForRoom(in descriptor: Int32) {
    var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&room, 1, -1)
  }
}

/// The name `write` is taken inside the type.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
