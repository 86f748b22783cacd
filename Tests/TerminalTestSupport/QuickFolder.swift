import Foundation

/// Where tests make their files: in memory where there is room, so that none of them waits for a disk.
package let quickFolder: String = {
  let memory = "/dev/shm"
  let size = try? FileManager.default.attributesOfFileSystem(forPath: memory)[.systemFreeSize] as? Int
  return size ?? 0 > 1 << 30 ? memory : FileManager.default.temporaryDirectory.path
}()
