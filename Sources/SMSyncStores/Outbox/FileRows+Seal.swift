import Digests
import ExactJSON

extension FileRows {
  /// Tells what waits here from anything else that could: the operations in their order, with what each would send. A decision about
  /// the one says nothing of the other.
  func seal(_ files: ContainerFiles) -> String {
    var sum = SHA256()
    for upload in uploads {
      let content = (try? files.bytes(archive: upload.url)) ?? []
      let parts: [[UInt8]] = [[upload.isDeletion ? 1 : 0], upload.url ?? [], content]
      for part in parts {
        sum.update(Array("\(part.count):".utf8))
        sum.update(part)
      }
    }
    return Hexadecimal.text(sum.finish())
  }
}
