import Samples

/// A container of SMSyncServer of any size, in which every file was edited here and on the server, and to the same: what differs
/// nobody can suggest without the earlier texts, which lie elsewhere.
public enum LargeContainer {
  public static var firstFile: String { ContainerDemoStore.uuid(1) }

  /// - Returns: the path of the container.
  public static func make(in folder: String, files: Int) throws -> String {
    let builder = try ContainerBuilder(folder: folder, name: "Large.xcappdata")
    for number in 1...files {
      var file = SampleFile(ContainerDemoStore.uuid(number), "note-\(number).txt", version: 3)
      let text = "Milk 2%\nBread\nEggs, \(number)\n"
      file.uploads = [.file(text)]
      file.download = .file(3, Array(text.utf8))
      try builder.add(file)
    }
    try builder.close()
    return builder.path
  }
}
