import ArgumentParser
import ExactJSON
import Merging
import SQLiteDataStores
import StoreInterface

/// `parley import PATH FILE…`: server records into the inbox.
struct ImportCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Bring server records into the inbox.",
    discussion: """
      Takes, told apart by their contents: archived CKRecords (binary or XML property lists), records as CloudKit Web \
      Services, CloudKit JS and cktool print them (JSON, or one a line), and another device's database, whose \
      last-known server records count. Only what differs from the ancestor and the inbox enters; what was imported \
      once is not taken twice.

      Records go into the app's own inbox, if it has one and is closed, otherwise into the journal. A record from JSON \
      has no archive: it can be decided and written, but its write cannot advance the ancestor.

      Exits with 0 if everything that was given was taken or is known already, 3 if a file cannot be opened, 5 if \
      something could not be read or taken.
      """)

  @OptionGroup var store: StoreOptions
  @Argument(
    help: ArgumentHelp("Archives, JSON, or databases of other devices.", valueName: "file"),
    completion: .file())
  var files: [String]
  @Flag(name: .customLong("dry-run"), help: "Tell what would be taken, and change nothing.")
  var isDryRun = false
  @OptionGroup var print: OutputOptions

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let store = try surroundings.open(store.request(.writing))
    guard store.info.can.contains(.importRecords) else {
      throw CommandError.cannotImport(kind: store.info.kind)
    }
    let summary = try summary(of: store, ProgressLine(surroundings))
    if print.json {
      try surroundings.output.print(JSON(imported: summary, isDryRun: isDryRun))
    } else {
      for line in ImportText.lines(summary, store: self.store.quoted, isDryRun: isDryRun) {
        try surroundings.output.print(line)
      }
    }
    return summary.unreadable.isEmpty ? .nothingLeft : .refused
  }

  private func summary(of store: any ConflictStore, _ line: ProgressLine) throws -> ImportSummary {
    var line = line
    let summary = Result {
      try store.importRecords(from: files, isRehearsal: isDryRun) { path, records in
        let name = path.split(separator: "/").last.map(String.init) ?? path
        try line.show("reading \(name)" + (records == 0 ? "" : ": \(records) records"))
      }
    }
    try line.end()
    return try summary.get()
  }
}
