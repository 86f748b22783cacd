import ArgumentParser
import ExactJSON
import Merging
import StoreInterface
import Telling

/// `parley show PATH [RECORD…]`: whole conflicts.
struct ShowCommand: ParleyCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", _superCommandName: Parley.name,
    abstract: "Show conflicts with ancestor, client, server and draft of every field.",
    discussion: """
      Never writes to the store. A record is named as the list shows it, or by any beginning or end of its name that \
      fits no other: PK:TABLE, TABLE/PK, PK.

      A is the ancestor, C the client, S the server, R the draft; ∅ is NULL, - is nothing at all. Words that a side \
      put in are {+added+}, words it took out are [-removed-]. In a terminal values and titles are cut to its width with ›, and \
      the other lines are broken; elsewhere all is whole, a line each. What only shapes its neighbours, as what joins emoji, is \
      left out of both, and what cannot be seen has a sign: --json has every character.

      With --attachment, the bytes of an attachment of one record as they are, for a file or another program:
      parley show PATH RECORD --attachment photo.jpg --of server > photo.jpg

      --find shows the records that list --find would list.

      A report without a value: parley show PATH --redact to be read, with --json to be decided on by parley apply; parley \
      doctor PATH --redact tells of what is stuck.

      Exits with 0 if all that is shown is decided, 1 if something is undecided; 0 for an attachment.
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var suggesting: SuggestionOptions
  @OptionGroup var records: RecordOptions
  @Option(help: ArgumentHelp("Print the bytes of this attachment, and nothing else.", valueName: "name"))
  var attachment: String?
  @Option(
    name: .customLong("of"),
    help: ArgumentHelp(
      "Whose: client (so without it), server, ancestor, or a leaf's revision.", valueName: "side"))
  var whose: String?
  @Flag(
    help: "Print no values, titles and keys: hashes in their place, for a report on which others can decide.")
  var redact = false
  @OptionGroup var print: OutputOptions

  func check() throws {
    try records.check(store)
    if redact, attachment != nil {
      throw ValidationError("--redact hides values, and --attachment prints one.")
    }
    if attachment == nil, whose != nil {
      throw ValidationError("--of goes with --attachment: it says whose bytes are printed.")
    }
    if attachment != nil, records.names.count != 1 || print.json {
      throw ValidationError("--attachment goes with one record, and without --json: it prints bytes.")
    }
  }

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let store = try surroundings.open(store.request(.reading, suggesting))
    if let attachment { return try write(attachment, of: store, surroundings) }
    return try showRecords(of: store, surroundings)
  }

  private func write(
    _ attachment: String, of store: any ConflictStore, _ surroundings: Surroundings
  ) throws -> ExitStatus {
    let named = AttachmentArgument(name: attachment, side: whose ?? Side.client.rawValue)
    try store.forEachConflict(.named(records.names), surroundings.redaction) {
      try named.write($0.conflict, of: store, surroundings)
    }
    return .nothingLeft
  }

  private func showRecords(of store: any ConflictStore, _ surroundings: Surroundings) throws -> ExitStatus {
    var (isAnythingUndecided, isFirst) = (false, true)
    let privacy = try surroundings.privacy(isRedacted: redact)
    let meant = try records.meant(in: store, of: self.store, surroundings)
    let most = { meant.isAll ? try store.estimatedCount() : nil }
    try surroundings.reading("Showing", atMost: most) { count in
      try store.forEachConflict(meant, surroundings.redaction, telling: privacy) { decided in
        try StoreCall.current.check(store.info.path)
        isAnythingUndecided = isAnythingUndecided || !decided.isDecided
        try count.printing(to: surroundings.output) {
          try show(decided, of: store, isFirst: isFirst, privacy, surroundings)
        }
        isFirst = false
      }
    }
    if isFirst, records.find == nil { try surroundings.tellUnseen(in: store.info) }
    return isAnythingUndecided ? .left : .nothingLeft
  }

  private func show(
    _ decided: DecidedConflict, of store: any ConflictStore, isFirst: Bool, _ privacy: Privacy,
    _ surroundings: Surroundings
  ) throws {
    let can = store.info.can
    try show(decided, isFirst: isFirst, foretells: can.contains(.foretell), privacy, surroundings)
    // Of a revision all digits say what its document holds.
    if !print.json, !redact, can.contains(.tellTrees) {
      try show(store.tree(decided.conflict.id), surroundings)
    }
  }

  private func show(
    _ decided: DecidedConflict, isFirst: Bool, foretells: Bool, _ privacy: Privacy,
    _ surroundings: Surroundings
  ) throws {
    if print.json {
      return try surroundings.output.print(JSON(decided, foretells: foretells, privacy))
    }
    if !isFirst { try surroundings.output.print("") }
    let output = surroundings.output
    let text = ConflictText(decided, width: surroundings.width, privacy, isASCII: output.isASCII)
    for line in text.lines { try output.print(line) }
  }

  /// Of a store that keeps revision trees: where the leaves come from.
  private func show(_ tree: RevisionTreePicture?, _ surroundings: Surroundings) throws {
    guard let tree else { return }
    for line in ["", "  revisions"] { try surroundings.output.print(line) }
    for line in tree.lines() { try surroundings.output.print("    " + line.text) }
  }
}
