import Foundation

/// A container to look at: an app for notes, at one moment of a round, with one conflict of every sort and most of what can be stuck.
package enum ContainerDemoStore {
  package static let name = "Notes.xcappdata"

  /// Makes the container, the server's index beside it (`FileIndex.json`), and texts of earlier versions (`earlier`).
  ///
  /// - Returns: the path of the container.
  /// - Throws: ``StoreError/writeFailed(path:detail:)`` if one is there already.
  package static func make(in folder: String) throws -> String {
    let builder = try ContainerBuilder(folder: folder, name: name)
    for file in settled + stuck + conflicts.reversed() { try builder.add(file) }
    try builder.close()
    let (index, ancestors) = beside(folder)
    try Data(builder.index).write(to: URL(filePath: index))
    try FileManager.default.createDirectory(atPath: ancestors, withIntermediateDirectories: true)
    for (number, text) in earlier {
      try Data(text.utf8).write(to: URL(filePath: ancestors + "/" + uuid(number)))
    }
    return builder.path
  }

  /// What lies beside the container.
  package static func beside(_ folder: String) -> (index: String, ancestors: String) {
    (folder + "/FileIndex.json", folder + "/earlier")
  }

  package static func uuid(_ number: Int) -> String {
    "5EED0000-0000-4000-8000-" + String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
  }

  private static func file(
    _ number: Int, _ name: String, _ version: Int64? = 3, _ uploads: [SampleUpload] = [],
    _ download: SampleDownload? = nil, _ change: (inout SampleFile) -> Void = { _ in }
  ) -> SampleFile {
    var file = SampleFile(uuid(number), name, version: version)
    (file.uploads, file.download) = (uploads, download)
    change(&file)
    return file
  }

  private static func server(_ version: Int64, _ text: String, _ conflict: String? = "FileUpload")
    -> SampleDownload
  {
    .file(version, Array(text.utf8), conflict: conflict)
  }
}

extension ContainerDemoStore {
  /// The newest first. The number of a file whose download waits for the app is the server's already.
  private static let conflicts = [
    file(
      1, "shopping.txt", 4, [.file("Milk 2%\nBread\nEggs, ten\n")], server(4, "Milk 2%\nRye bread\nEggs\n")),
    file(
      2, "recipes.txt", 7, [.deletion()], server(7, "Pancakes: flour, milk, three eggs.\n", "UploadDeletion")),
    file(3, "diary.txt", 2, [.file("Monday: rain.\nTuesday: sun.\n")], .deletion()),
    file(
      4, "letter.txt", 6, [.file("Dear Ann, see you on Friday.\n"), .deletion(.committed(1))],
      server(6, "Dear Ann, see you in May.\n", "UploadDeletion")),
    file(5, "trip.txt", 5, [.file("Leave at 8, by train.\n")], server(5, "Leave at 9, by bus.\n")),
    file(
      6, "map.png", 2, [.bytes(picture(0x40))], .file(2, picture(0x60))
    ) {
      $0.mimeType = "image/png"
      $0.metadata = #"{"ownedByNoteUUID":"\#(uuid(5))"}"#
    },
    file(
      7, "settings.json", 9, [.file(#"{"font":"Serif","size":12,"wrap":true}"#)],
      server(9, #"{"font":"Sans","size":14,"wrap":true}"#)
    ) { $0.mimeType = "application/json" },
    file(8, "menu.txt", 3, [.file("Soup\nBread\n")], server(3, "Soup\nBread\n")),
    file(
      9, "log.txt", 11, [.file("one\ntwo\n"), .file("one\ntwo\nthree\n", .committed(1))],
      server(11, "one\nand a half\n")),
    file(
      10, "books.txt", 4, [.file("Emma\nWalden, read\n")], server(4, "Emma, lent\nWalden\n")),
  ]

  /// In order of what is worst for the app.
  private static let stuck = [
    file(21, "undone.txt", 3, [.file("Written after it was deleted there.\n")]) {
      $0.isDeletedOnServer = true
    },
    file(22, "quotes.txt", 5, [], server(5, "To be, or not to be.\n")),
    file(23, "ferry.txt", 2, [.file("Ferry at noon.\n", undelete: 0)]),
    file(24, "ticket.txt", 1, [.file("Row 4\n", path: "Temporary/SMSyncServer.taken.dat")]),
    file(25, "scratch.txt", 0, [.file("Not saved yet\n", .prepared)]) { $0.syncState = "InitialUpload" },
    file(26, "poem.txt", 2, [.file("Roses are red,\nviolets blue.\n")]) { $0.onServer = (3, false) },
    file(27, "old.txt", 5, [.deletion()]) { $0.onServer = (5, true) },
    file(28, "garden.txt", 4) { ($0.isDeletedOnServer, $0.onServer) = (true, (5, false)) },
  ]

  private static let settled = [
    file(41, "news.txt", 9, [], server(9, "A plain download.\n", nil)),
    file(42, "todo.txt", 1, [.file("Call the dentist\n")]),
    file(43, "back.txt", 3, [.file("Kept, and on its way back.\n", undelete: 1)]) {
      $0.isDeletedOnServer = true
    },
    file(44, "gone.txt", 2) { $0.isDeletedOnServer = true },
    file(45, "ideas.txt", 1), file(46, "names.txt", 0), file(47, "phone.txt", 8),
  ]

  private static let earlier = [
    1: "Milk\nBread\nEggs\n", 3: "Monday: rain.\n", 5: "Leave at 7, by car.\n",
    7: #"{"font":"Sans","size":12,"wrap":true}"#, 10: "Emma\nWalden\n",
  ]

  /// The first bytes of a PNG, and no picture: nothing here draws it.
  private static func picture(_ width: UInt8) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [0, 0, 0, width, 0, 0, 0, 0x30, 8, 2, 0, 0, 0]
  }
}
