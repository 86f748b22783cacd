import Merging

/// The server and its devices. A value: keeping an old world is how a story goes back.
package struct FileWorld: Sendable, Equatable {
  package var server: FileServer
  package var devices: [String: FileDevice]

  package init(server: FileServer, devices: [FileDevice]) {
    self.server = server
    self.devices = Dictionary(uniqueKeysWithValues: devices.map { ($0.name, $0) })
  }

  /// All devices and the server have these files, and nothing waits.
  package init(agreedOn versions: [FileName: Int], devices names: [String]) {
    let index = versions.map { ($0.key, FileServer.Entry(name: $0.key, version: $0.value)) }
    let known = versions.mapValues { FileDevice.LocalFile(version: $0) }
    self.init(
      server: FileServer(
        index: Dictionary(uniqueKeysWithValues: index),
        cloud: versions.keys.sorted().map { FileServer.CloudFile(name: $0, text: "before") }),
      devices: names.map { FileDevice($0, files: known) })
  }

  /// Lets a device do something with the server.
  package mutating func on<Answer>(
    _ name: String, _ act: (inout FileDevice, inout FileServer) -> Answer
  ) -> Answer? {
    guard var device = devices[name] else { return nil }
    defer { devices[name] = device }
    return act(&device, &server)
  }

  package func standing(of file: FileName, on device: String) -> FileAtDevice {
    FileAtDevice(devices[device] ?? FileDevice(device), file)
  }
}

/// Where one file stands at one device: what the table of a story shows.
package struct FileAtDevice: Sendable, Equatable {
  /// nil where the device does not have it yet.
  package var version: Int?
  /// Whether the device takes the file for deleted.
  package var isDeleted: Bool
  package var pending: [FileDevice.Operation]
  package var download: FileDevice.Download?

  init(_ device: FileDevice, _ file: FileName) {
    version = device.files[file]?.version
    isDeleted = device.files[file]?.isDeletedOnServer ?? false
    pending = device.pending(file)
    download = device.downloads.first { $0.file == file }
  }
}

/// In a word or two, for a column.
extension FileAtDevice {
  package var versionWords: String { version.map(String.init) ?? "-" }

  package var deletedWords: String { isDeleted ? "yes" : "-" }

  package var pendingWords: String {
    let uploads = pending.filter(\.isUpload).count
    return switch (uploads, pending.count - uploads) {
    case (0, 0): "-"
    case (0, _): "deletion"
    case (1, 0): isUndeletion ? "undelete" : "upload"
    case (_, 0): "\(uploads) uploads"
    case (_, _): "both"
    }
  }

  private var isUndeletion: Bool {
    pending.contains { if case .upload(_, _, undeletes: true) = $0 { true } else { false } }
  }

  package var downloadWords: String {
    guard let download else { return "-" }
    return "\(download.version.map(String.init) ?? "gone") \(download.stageWords)"
  }
}

extension FileDevice.Download {
  package var stageWords: String {
    switch stage {
    case .inCloud: "found"
    case .onServer: version == nil ? "found" : "fetched"
    case .told: isAsked ? "asked" : conflict == nil ? "told" : "settled"
    }
  }
}

extension FileServer {
  package func indexWords(_ file: FileName) -> String {
    index[file].map { "\($0.version)\($0.isDeleted ? " gone" : "")" } ?? "-"
  }
}
