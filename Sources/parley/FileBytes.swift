import Merging

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// All bytes of a file, with the system's own words if it cannot be read.
///
/// - Throws: ``StoreError/cannotRead(path:detail:)``
func bytes(ofFile path: String) throws(StoreError) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw .cannotRead(path: path, detail: systemError()) }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 64 * 1024)
  while true {
    let count = read(descriptor, &block, block.count)
    if count == 0 { return bytes }
    if count > 0 {
      bytes += block[..<count]
    } else if errno != EINTR {
      throw .cannotRead(path: path, detail: systemError())
    }
  }
}

/// What the last failed call of the system says.
func systemError() -> String { String(cString: strerror(errno)) }
