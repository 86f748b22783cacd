import Foundation
import GRDB
import StoreInterface
import Synchronization

/// Tells whether another process holds an SQLite database, without asking SQLite and without a lock of its own.
///
/// SQLite locks bytes of the database file by POSIX record locks: PENDING at 0x40000000, RESERVED after it, then 510
/// bytes for SHARED (sqlite.org/src/file/src/os.h). In WAL mode an open connection holds SHARED for its whole life. In
/// rollback-journal mode it holds locks only while it reads or writes: an idle app is seen by its open file, see ``OpenFile``.
///
/// POSIX drops *all* of a process's locks on a file when it closes *any* descriptor of it. So a probe is opened
/// before the first connection and closed after the last. A process never sees its own locks.
package final class LockProbe: Sendable {
  package let path: String
  private let descriptor: Int32
  /// See ``whileUnused(_:)``.
  private let refused = Mutex<[Int32]>([])

  /// nil if the file cannot be opened.
  package init?(path: String) {
    // Without waiting, should a pipe have come in the file's place since somebody looked.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    self.path = path
    if descriptor < 0 { return nil }
  }

  deinit {
    close(descriptor)
    refused.withLock { for descriptor in $0 { close(descriptor) } }
  }

  package struct Holder: Sendable, Equatable {
    /// 0 where the system does not tell: another machine, another process namespace.
    package let process: Int32
    package let name: String?

    package init(process: Int32) { (self.process, name) = (process, LockProbe.name(of: process)) }

    /// Another one of us, which may be in the middle of a write.
    package var isParley: Bool { name == Self.ownName }
    private static let ownName = "parley"

    /// Who has ended meanwhile has no name any more, nor has who holds it as ``whileUnused(_:)`` does.
    fileprivate var mayBeParley: Bool { isParley || name == nil }
  }

  /// Who would be in the way of a write: who holds one of the databases, or has it open without a lock; nil if nobody does.
  ///
  /// Costs a look at all processes, so it is asked before a write and not before every read, and of all files at once.
  package static func user(ofAny probes: [LockProbe]) -> Holder? {
    probes.firstAnswer { $0.holder() }
      ?? OpenFile.writer(ofAny: probes.map(\.path)).map { Holder(process: $0) }
  }

  /// The same as what cannot be done now; nil if nobody is in the way.
  package static func hindrance(ofAny probes: [LockProbe]) -> StoreAccess? {
    user(ofAny: probes).map { holder in
      let reason = "\(holder) has it open; it can be written once that is closed"
      return holder.mayBeParley ? .inUse(reason: reason) : .readOnly(reason: reason)
    }
  }

  /// For how long another Parley is waited for: a desk that looks lets go within a second, and most writes have ended by then. Whoever holds
  /// a database for longer does more than that, and is told of. Who tries that out need not wait.
  @TaskLocal package static var patience: Duration = .seconds(3)

  /// What `access` says, once no other Parley is why nothing can be written, or nobody waits for that any more. Who waits lets go of the
  /// store first, or several that wait would wait for each other.
  package static func patient(_ access: () throws -> StoreAccess) rethrows -> StoreAccess {
    let end = ContinuousClock.now + patience
    while true {
      let answer = try access()
      guard case .inUse = answer, ContinuousClock.now < end, StoreCall.current.end(of: "") == nil else {
        return answer
      }
      usleep(.random(in: 5_000...30_000))
    }
  }

  /// What `take` gives that nobody else may have. Of two Parleys that want it at once neither gets it as long as both hold on to what they
  /// have already: so `take` lets go of everything where SQLite says that it is busy, and is asked again after a moment that is most likely
  /// not the other's.
  package static func taking<Taken>(_ probes: [LockProbe], _ take: () throws -> Taken) throws -> Taken {
    let start = ContinuousClock.now
    while true {
      do {
        return try take()
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
        let isOther = probes.firstAnswer { $0.holder() }.map { $0.name != nil && !$0.isParley } ?? false
        guard ContinuousClock.now - start < (isOther ? .seconds(1) : patience) else { throw error }
      }
      usleep(.random(in: 5_000...50_000))
    }
  }

  /// Who holds a lock on the database; nil if nobody does.
  package func holder() -> Holder? {
    var lock = Self.exclusive
    guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
    return Holder(process: lock.l_pid)
  }

  /// Of all bytes that SQLite locks.
  private static var exclusive: flock {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 0x4000_0000
    lock.l_len = 512
    return lock
  }

  /// Runs `body` while nobody has the database, and keeps everybody from it until it is done, as SQLite does when it removes the
  /// files beside one: whoever came between a look and the removal would have a `-shm` that nobody else finds, and write
  /// over what others wrote. Not run if somebody has it, a connection of this process among them.
  ///
  /// By a lock that belongs to the descriptor and not to the process (fcntl(2), "Open file description locks"). Where there is
  /// none of that kind, or the file cannot be opened for writing, a look has to do.
  package func whileUnused(_ body: () -> Void) {
    #if os(Linux)
      // F_OFD_GETLK and F_OFD_SETLK, which Glibc does not show to Swift.
      let (get, set): (Int32, Int32) = (36, 37)
      var lock = Self.exclusive
      guard fcntl(descriptor, get, &lock) == 0, lock.l_type == Int16(F_UNLCK) else { return }
      let writing = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
      guard writing >= 0 else { return body() }
      lock = Self.exclusive
      // To be closed takes away the locks of all of this process: only while it has none, or else at the end.
      guard fcntl(writing, set, &lock) == 0 else { return refused.withLock { $0.append(writing) } }
      body()
      close(writing)
    #else
      if holder() == nil { body() }
    #endif
  }

  /// The first bytes of the file.
  package func header(count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = pread(descriptor, &bytes, count, 0)
    return Array(bytes.prefix(max(0, read)))
  }

  private static func name(of process: Int32) -> String? {
    #if os(Linux)
      guard process > 0, let bytes = try? RegularFile("/proc/\(process)/comm").bytes(at: 0, 64) else {
        return nil
      }
      let name = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
      return name.isEmpty ? nil : name
    #else
      return nil
    #endif
  }
}

extension LockProbe.Holder: CustomStringConvertible {
  /// "Reminders (process 4711)", or as much of it as is known.
  package var description: String {
    switch (name, process > 0) {
    case (let name?, true): "\(name) (process \(process))"
    case (nil, true): "process \(process)"
    case (let name?, false): name
    case (nil, false): "another process"
    }
  }
}
