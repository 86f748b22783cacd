import Foundation
import Testing

@testable import parley

/// A folder may hold stores of several kinds, as the folder of an app that changed how it syncs, or where somebody has collected them.
@Suite("the stores of a folder")
struct FolderStoresTests {
  @Test(
    "of two kinds are all listed, and whatever wants one tells them",
    arguments: [DemoKind.cloudant, .android, .smsync])
  func twoKinds(kind: DemoKind) throws {
    try withTemporaryFolder { folder in
      let paths = try [kind, .sqlitedata].map { try Self.put($0, into: folder + "/all") }.sorted()
      let conflicts = paths.map { Live.run("list", $0).lines.count }
      let list = Live.run("list", folder + "/all")
      #expect(list.status == .left && list.errors.isEmpty, "\(list)")
      #expect(list.lines.count == 2, "\(list)")
      for (line, (path, count)) in zip(list.lines, zip(paths, conflicts)) {
        #expect(line.hasPrefix(path + "  ") && line.hasSuffix("  \(count) conflicts."), "\(list)")
      }
      let shown = Live.run("show", folder + "/all")
      #expect(shown.status == .cannotOpen)
      #expect(shown.errors.contains("/all holds 2 stores: \(paths[0]), \(paths[1])."), "\(shown)")
    }
  }

  @Test("several of one kind are not hidden by one of another")
  func severalBesideAnother() throws {
    try withTemporaryFolder { folder in
      let all = folder + "/all"
      let paths = try [DemoKind.sqlitedata, .cloudant].map { try Self.put($0, into: all) }
      for name in try FileManager.default.contentsOfDirectory(atPath: all) where name.contains("Reminders") {
        try FileManager.default.copyItem(
          atPath: all + "/" + name, toPath: all + "/" + name.replacing("Reminders", with: "Other"))
      }
      let told = ["\(all)/Other.sqlite", paths[0], paths[1]].map { "\"path\":\"\($0)\"" }
      let list = Live.run("list", all, "--json")
      #expect(list.lines.count == 3, "\(list)")
      for (name, line) in zip(told, list.lines) { #expect(line.contains(name), "\(list)") }
    }
  }

  @Test("of two kinds may have one name but for the extension, and each is known")
  func oneStem() throws {
    try withTemporaryFolder { folder in
      let all = folder + "/all"
      let rows = try Self.put(.sqlitedata, into: all)
      let documents = try SampleStores.make(.cloudant, in: folder + "/shop")
      let conflicts = [rows, documents].map { Live.run("list", $0).lines.count }
      let moved = all + "/Reminders.touchdb"
      try FileManager.default.moveItem(atPath: documents, toPath: moved)
      let list = Live.run("list", all, "--json")
      #expect(list.status == .left && list.errors.isEmpty, "\(list)")
      #expect(try list.objects().compactMap { $0["path"] as? String } == [rows, moved], "\(list)")
      #expect(try list.objects().compactMap { $0["conflicts"] as? Int } == conflicts, "\(list)")
      let hidden = try #require(
        try FileManager.default.contentsOfDirectory(atPath: all).first { $0.hasSuffix(".Reminders.sqlite") })
      #expect(Live.run("list", all + "/" + hidden).output == Live.run("list", rows).output)
    }
  }

  /// Both kinds took the datastore for theirs, and it was opened with the metadatabase of the other.
  @Test("of two kinds with one name are both known where the database is encrypted")
  func oneStemEncrypted() throws {
    try withTemporaryFolder { folder in
      let all = folder + "/all"
      let rows = try Self.put(.sqlitedata, into: all)
      try Self.encrypted.write(to: URL(filePath: rows))
      let documents = try SampleStores.make(.cloudant, in: folder + "/shop")
      let count = Live.run("list", documents).lines.count
      let moved = all + "/Reminders.touchdb"
      try FileManager.default.moveItem(atPath: documents, toPath: moved)
      let list = Live.run("list", all)
      #expect(list.lines.map { $0.hasPrefix(moved + "  ") } == [true], "\(list)")
      #expect(list.output.contains("  \(count) conflicts."), "\(list)")
      #expect(list.status == .cannotOpen && list.errors.contains(rows), "\(list)")
    }
  }

  /// SQLiteData takes any file of the stem for its database, whatever its last extension says.
  @Test("that two kinds take for theirs are one, and it is opened")
  func oneFileOfTwoKinds() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/all")
      let named = folder + "/all/Reminders.touchdb"
      try FileManager.default.moveItem(atPath: path, toPath: named)
      #expect(Live.run("list", folder + "/all").output == Live.run("list", named).output)
      #expect(Live.run("list", named).lines.count == 25)
    }
  }

  @Test("are not those files that are only called like one, but one that is encrypted is told")
  func calledLikeOne() throws {
    try withTemporaryFolder { folder in
      let all = folder + "/all"
      let path = try Self.put(.sqlitedata, into: all)
      for (name, text) in [("notes.touchdb", ""), ("todo.touchdb", "Milk\n")] {
        try Data(text.utf8).write(to: URL(filePath: all + "/" + name))
      }
      let list = Live.run("list", all)
      #expect(list.lines.count == 25 && list.output == Live.run("list", path).output, "\(list)")
      let shop = all + "/shop.touchdb"
      try Self.encrypted.write(to: URL(filePath: shop))
      let shown = Live.run("show", all)
      #expect(shown.errors.contains("/all holds 2 stores: \(path), \(shop)."), "\(shown)")
    }
  }

  /// It was passed over where a database of SQLiteData lay beside it, and told where none did.
  @Test("that cannot be read are told, whatever their size", arguments: ["second.touchdb", "second/db.sync"])
  func cutOff(name: String) throws {
    try withTemporaryFolder { folder in
      let all = folder + "/all"
      let path = try Self.put(.sqlitedata, into: all)
      let other = all + "/" + name
      try FileManager.default.createDirectory(
        atPath: (other as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      // What is cut off within a page; and of the name that nobody gives to anything else also what is empty.
      let contents = [Self.encrypted.dropLast(92)] + (name.hasSuffix("db.sync") ? [Data()] : [])
      for content in contents {
        try content.write(to: URL(filePath: other))
        let list = Live.run("list", all)
        #expect(list.status == .cannotOpen && list.errors.contains(other), "\(list)")
        #expect(list.lines.map { $0.hasPrefix(path + "  ") } == [true], "\(list)")
      }
    }
  }

  /// Two pages, as a cipher leaves them.
  private static var encrypted: Data {
    Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 * 167 + $0 / 256 * 13) })
  }

  /// Puts what the sample of a kind is made of into a folder, and returns the path of its store there.
  private static func put(_ kind: DemoKind, into folder: String) throws -> String {
    let sample = folder + "-\(kind.rawValue)"
    let path = try SampleStores.make(kind, in: sample)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in try FileManager.default.contentsOfDirectory(atPath: sample) {
      try FileManager.default.moveItem(atPath: sample + "/" + name, toPath: folder + "/" + name)
    }
    return folder + path.dropFirst(sample.count)
  }
}
