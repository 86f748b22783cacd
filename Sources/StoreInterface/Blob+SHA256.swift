import Digests
import Merging

extension Blob {
  package init(bytes: [UInt8]) { self.init(bytes: bytes) { SHA256.of($0) } }
}
