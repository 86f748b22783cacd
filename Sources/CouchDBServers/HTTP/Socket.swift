#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A TCP socket on loopback. What was made here is closed by who owns it, once.
struct Socket: Sendable {
  let descriptor: Int32

  struct Failure: Error { let code: Int32 }

  /// Listens on a port that the system chooses.
  static func listening() throws -> (socket: Socket, port: UInt16) {
    let socket = try made()
    var address = loopback(port: 0)
    try withAddress(&address) { bind(socket.descriptor, $0, $1) }
    try check(listen(socket.descriptor, 128))
    try withAddress(&address) { name, length in
      var length = length
      return getsockname(socket.descriptor, name, &length)
    }
    return (socket, UInt16(bigEndian: address.sin_port))
  }

  static func connected(toPort port: UInt16) throws -> Socket {
    let socket = try made()
    var address = loopback(port: port)
    do {
      try withAddress(&address) { connect(socket.descriptor, $0, $1) }
      return socket
    } catch {
      socket.close()
      throw error
    }
  }

  /// nil if there was none to take, or the socket listens no more.
  func accepted() -> Socket? {
    let other = accept(descriptor, nil, nil)
    return other < 0 ? nil : Socket(descriptor: other).prepared()
  }

  /// Empty at the end, or if the connection broke.
  func receive(upTo count: Int = 1 << 16) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, recv(descriptor, buffer.baseAddress, count, 0))
    }
  }

  func send(_ bytes: some Collection<UInt8>) throws {
    var rest = ArraySlice(Array(bytes))
    while !rest.isEmpty {
      #if canImport(Glibc)
        let flags = Int32(MSG_NOSIGNAL)
        let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
      #else
        let count = rest.withUnsafeBytes { Darwin.send(descriptor, $0.baseAddress, $0.count, 0) }
      #endif
      guard count > 0 else { throw Failure(code: errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Whoever waits on it goes on, in any thread.
  func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// A program started meanwhile may have inherited it: the other side is told all the same.
  func close() {
    shutDown()
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }
}

extension Socket {
  private static func made() throws -> Socket {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    try check(descriptor)
    return Socket(descriptor: descriptor).prepared()
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func withAddress(
    _ address: inout sockaddr_in, _ call: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
  ) throws {
    let code = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try check(code)
  }

  private static func check(_ code: Int32) throws {
    if code < 0 { throw Failure(code: errno) }
  }

  /// Small pieces of a feed must not wait for each other, a client that is gone is an error and no signal, and programs that
  /// are started do not inherit it.
  private func prepared() -> Socket {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var yes: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, size)
    #if canImport(Darwin)
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, size)
    #endif
    return self
  }
}
