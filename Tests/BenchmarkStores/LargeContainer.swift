import Samples

/// A container of SMSyncServer of any size, in which every file was edited here and on the server.
public enum LargeContainer {
  /// - Returns: the path of the container.
  public static func make(in folder: String, files: Int) throws -> String {
    let builder = try ContainerBuilder(folder: folder, name: "Large.xcappdata")
    for number in 1...files {
      var file = SampleFile(ContainerDemoStore.uuid(number), "note-\(number).txt", version: 3)
      file.uploads = [.file("Milk 2%\nBread\nEggs, \(number)\n")]
      file.download = .file(3, Array("Milk 2%\nRye bread\nEggs\n".utf8))
      try builder.add(file)
    }
    try builder.close()
    return builder.path
  }
}
