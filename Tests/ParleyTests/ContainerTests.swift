import Foundation
import Merging
import SMSyncStores
import Samples
import StoreInterface
import Telling
import Testing

@testable import parley

/// The commands on a container of SMSyncServer, of which itself nothing is ever written.
@Suite("Container commands") struct ContainerTests {
  private func withContainer(_ body: (_ path: String, _ folder: String) throws -> Void) throws {
    try withTemporaryFolder { folder in try body(SampleStores.make(.smsync, in: folder + "/a"), folder) }
  }

  private func files(_ path: String) throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: path)
    return Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        FileManager.default.contents(atPath: path + "/" + name).map { (name, $0) }
      })
  }

  @Test("Decisions go into the outbox beside it, and out of it with undo")
  func outbox() throws {
    try withContainer { path, folder in
      let before = try files(path)
      try SampleStores.decideFiles(path)
      let written = Live.run("write", path, "--yes")
      #expect(written.status == .nothingLeft && written.output.contains("waiting in the outbox: "))
      #expect(try files(path) == before)
      let outbox = folder + "/a/Notes.parley-outbox.json"
      #expect(FileManager.default.fileExists(atPath: outbox))
      let list = Live.run("list", path).output.split(separator: "\n")
      #expect(
        list.count == 10 && list.allSatisfy { $0.contains("⇡ waiting") && $0.contains("in the outbox") })
      let shown = Live.run("show", path, "5EED0000-0000-4000-8000-000000000003")
      #expect(shown.output.contains("  it waits in the outbox since ") && !shown.output.contains("--set"))
      #expect(Live.run("write", path, "--yes").output.contains("Nothing to write: 10 waiting in the outbox."))
      let again = Live.run("resolve", path, "5EED0000-0000-4000-8000-000000000003", "--set", "record=server")
      #expect(again.errors.contains("waits in the outbox. Take that back first, by undo; "))
      let forgotten = Live.run("resolve", path, "5EED0000-0000-4000-8000-000000000003", "--forget")
      #expect(
        forgotten.errors.contains("waits in the outbox. Take that back first") && forgotten.status == .refused
      )
      #expect(Live.run("resolve", path, "--forget").output == "There was no decision to take back.\n")
      #expect(!Live.run("doctor", path, "--queue", "0").output.contains(" 0 bytes"))
      #expect(Live.run("undo", path, "--yes").status == .nothingLeft)
      #expect(!FileManager.default.fileExists(atPath: outbox))
      #expect(try files(path) == before)
    }
  }

  @Test("What was exported is as before also while it waits in the outbox")
  func appliedWhileItWaits() throws {
    try withContainer { path, _ in
      try SampleStores.decideFiles(path)
      let exported = Live.run("resolve", path, "--export").output
      #expect(Live.run("write", path, "--yes").output.contains("waiting in the outbox: "))
      let again = Live.run(["apply", path, "-"], input: exported)
      #expect(again.status == .nothingLeft && !again.output.contains("refused"), "\(again)")
      #expect(again.lines.last?.hasPrefix("10 as before. ") == true, "\(again)")
    }
  }

  @Test(
    "Two texts without an ancestor are a person's to decide: nothing is suggested, and nothing of it accepted"
  )
  func noTextIsSuggested() throws {
    try withContainer { path, folder in
      let (shopping, diary) = (ContainerDemoStore.uuid(1), ContainerDemoStore.uuid(3))
      let accepted = Live.run("resolve", path, "--accept", "all")
      #expect(accepted.status == .left)
      #expect(Live.run("list", path).output.components(separatedBy: "content: no ancestor").count == 7)
      let shown = Live.run("show", path, shopping).output
      #expect(
        shown.contains("  ! content: no ancestor\n") && shown.contains("    R  undecided\n"), "\(shown)")
      let json = Live.run("show", path, shopping, "--json").output
      #expect(
        json.contains(#""suggestion":{"source":null,"value":null,"reason":"no ancestor"},"decision":null"#))
      #expect(Live.run("show", path, diary).output.contains("R decided: keep the client's text"))
      let asked = Live.run([path, "--plain"], input: "\nq\n").output
      #expect(asked.contains("To decide by you, nothing is suggested: no ancestor."), "\(asked)")
      #expect(
        asked.contains("Choose c client, s server, e edit, m merge its changes, n skip, ? help:"), "\(asked)")
      #expect(asked.contains("Nothing is suggested that can be taken."), "\(asked)")
      // With ancestors what can be merged is, and an overlap is decided by a person.
      let ancestors = ["--ancestors", folder + "/a/earlier"]
      #expect(Live.run(["resolve", path, "--accept", "all"] + ancestors).status == .left)
      let told = Live.run(["list", path] + ancestors).output
      #expect(
        told.contains("trip.txt       content: 2 overlaps")
          && told.contains("✓ ready        0 undecided  5EED0000-0000-4000-8000-000000000001"), "\(told)")
    }
  }

  @Test("What becomes of a file is told by the answer's name, with what it loses")
  func answers() throws {
    try withContainer { path, _ in
      func answer(_ number: Int, _ id: String) -> String {
        Live.run("resolve", path, "5EED0000-0000-4000-8000-00000000000\(number)", "--set", "record=\(id)")
          .output
      }
      let shown = Live.run("show", path).output
      #expect(shown.contains("  S server: tag version 2, deleted\n") && !shown.contains("deleted, tag"))
      #expect(shown.contains("  --set record=keep: keep the client's text, which undeletes the file"))
      #expect(answer(3, "client").contains("keep the client's text, which undeletes the file"))
      #expect(answer(4, "sendBoth").contains("send both: the upload as version 7, then its deletion; loses"))
      #expect(!answer(4, "sendBoth").contains("stays deleted"))
      #expect(Live.run("show", path).output.contains("R decided: keep the client's text, which undeletes"))
    }
  }

  @Test("Of a file that one side has deleted an edited text can be given, with what that loses")
  func ownText() throws {
    try withContainer { path, folder in
      let (deletedThere, deletedHere) = (
        "5EED0000-0000-4000-8000-000000000003", "5EED0000-0000-4000-8000-000000000004"
      )
      let shown = Live.run("show", path, deletedThere).output
      #expect(shown.contains("  --set content=text:…, or file:PATH: send an edited text, which undeletes"))
      #expect(
        shown.contains("undeletes the file as version 3; loses what the client has: content; the deletion"))
      let set = Live.run("resolve", path, deletedThere, "--set", "content=Wednesday: fog.")
      #expect(
        set.output.contains(
          "send an edited text, which undeletes the file as version 3; loses what the client has: content; "
            + "the deletion on the server"), "\(set.output)\(set.errors)")
      let decided = Live.run("show", path, deletedThere).output
      #expect(
        decided.contains("R decided: send an edited text, which undeletes the file as version 3; loses"))
      #expect(decided.contains("    R  decided: edited                 Wednesday: fog."), "\(decided)")
      let refused = Live.run("resolve", path, deletedHere, "--set", "content=Wednesday: fog.")
      #expect(refused.errors.contains("It can: accept, delete, keep, sendBoth."), "\(refused.errors)")
      #expect(Live.run("write", path, deletedThere, "--yes").output.contains("waiting in the outbox: "))
      let outbox = try String(contentsOfFile: folder + "/a/Notes.parley-outbox.json", encoding: .utf8)
      #expect(outbox.contains("Wednesday: fog.") && outbox.contains("UndeleteFile"))
    }
  }

  @Test("A typed text survives export and apply, and the draft is the same")
  func ownTextApplied() throws {
    try withContainer { path, folder in
      let id = "5EED0000-0000-4000-8000-000000000003"
      #expect(Live.run("resolve", path, id, "--set", "content=text:typed").errors == "")
      let (exported, shown) = (Live.run("resolve", path, "--export"), Live.run("show", path, id, "--json"))
      try write(Data(exported.output.utf8), to: folder + "/decisions")
      Live.run("resolve", path, id, "--forget")
      let applied = Live.run("apply", path, folder + "/decisions")
      #expect(applied.output.contains("decided: \(id)"), "\(applied.output)\(applied.errors)")
      #expect(Live.run("show", path, id, "--json") == shown)
      #expect(Live.run("resolve", path, "--export") == exported)
    }
  }

  @Test("Of an upload and the deletion after it nothing is suggested, as each answer gives something up")
  func nothingIsSuggestedOfBoth() throws {
    try withContainer { path, _ in
      let letter = ContainerDemoStore.uuid(4)
      Live.run("resolve", path, "--accept", "all")
      let shown = Live.run("show", path, letter).output
      #expect(shown.contains("  R undecided\n") && !shown.contains("suggested"), "\(shown)")
      #expect(shown.contains("what the earlier upload has: content"))
      let json = Live.run("show", path, letter, "--json").output
      #expect(json.contains(#""suggestion":null"#), "\(json)")
      #expect(Live.run("show", path, ContainerDemoStore.uuid(2)).output.contains("R decided"))
    }
  }

  @Test("Without a screen each side's text is told before it is decided, and of the ancestor what is known")
  func textsByLines() throws {
    try withContainer { path, folder in
      let asked = Live.run([path, "--plain"], input: "n\nn\nn\nn\nq\n").output
      let unkept = "not known, a version before 4; this system keeps no ancestor text."
      #expect(asked.contains("Field content. Ancestor: \(unkept) Client: 3 lines: Milk"), "\(asked)")
      #expect(asked.contains("Server, version 4: 3 lines: Milk 2% / Rye bread"), "\(asked)")
      let whole = [
        "Ancestor: not known, a version before 7; this system keeps no ancestor text.", "Client: deleted.",
        "Server, version 7, content: 1 line: “Pancakes: flour, milk, three eggs.”",
        "Ancestor: not known, version 2; this system keeps no ancestor text.",
        "Client, content: 2 lines: “Monday: rain. / Tuesday: sun.”", "Server: deleted.",
        "Server, version 6, content: 1 line: “Dear Ann, see you in May.”",
      ]
      for line in whole { #expect(asked.contains("\n\(line)\n"), "\(line)\n\(asked)") }
      #expect(!asked.contains("not there"), "\(asked)")
      let named = Live.run([path, "--plain", "--ancestors", folder + "/a/earlier"], input: "n\nn\nq\n").output
      #expect(named.contains("\nAncestor, content: 1 line: “Monday: rain.”\n"), "\(named)")
    }
  }

  @Test("Without a screen a text is typed for a whole file, and named among its answers")
  func ownTextByLines() throws {
    try withContainer { path, _ in
      let told = Live.run([path, "--plain"], input: "n\nn\nf\ne typed text\nq\n").output
      #expect(told.contains("e: send an edited text, which undeletes the file as version 3; loses"))
      #expect(
        told.contains("Choose a number from 1 to ") && told.contains(", e edit, t for the suggestion"))
      #expect(told.contains("The record is decided as a whole. o lists the ways."))
      #expect(told.contains("Decided: send an edited text, which undeletes the file as version 3."))
      let exported = Live.run("resolve", path, "--export").output
      #expect(exported.contains("typed text") && exported.contains("000000000003"), "\(exported)")
    }
  }

  @Test("The text of an upload behind a deletion is shown with the answer that sends it")
  func earlierUpload() throws {
    try withContainer { path, _ in
      let text = "Dear Ann, see you on Friday."
      let shown = Live.run("show", path, "5EED0000-0000-4000-8000-000000000004").output
      #expect(shown.contains("the server has: content\n       content: \(text)"), "\(shown)")
      let asked = Live.run([path, "--plain"], input: "n\nn\nn\nq\n").output
      let way = "3: keep the upload, as version 7, and drop the deletion; loses the deletion on the client; "
      let told = way + "what the server has: content. Its content: 1 line: “\(text)”"
      #expect(asked.contains(told), "\(asked)")
      let others = ["000000000002", "000000000003"].map {
        Live.run("show", path, "5EED0000-0000-4000-8000-" + $0)
      }
      #expect(!others.contains { $0.output.contains("\n       content: ") })
    }
  }

  @Test("What goes with a file is no overlap to decide")
  func generated() throws {
    try withContainer { path, folder in
      let options = ["--ancestors", folder + "/a/earlier"]
      let shown = Live.run(["show", path] + options).output
      #expect(shown.contains("  - version: generated\n") && !shown.contains("! version"), "\(shown)")
      #expect(shown.contains("  ~ content: merged word by word"))
      #expect(!shown.contains("A to C: {+an edit of +}"), "it is nobody's text")
    }
  }

  @Test("An outbox that cannot be read is named, with the way out; it is never written over")
  func damagedOutbox() throws {
    try withContainer { path, folder in
      let outbox = folder + "/a/Notes.parley-outbox.json"
      try write(Data("{".utf8), to: outbox)
      for command in ["list", "show", "write", "doctor", "undo"] {
        let run = Live.run(command, path)
        #expect(run.errors.contains("The outbox \(outbox) cannot be used: it is none that"), "\(run.errors)")
        #expect(run.errors.contains("or move it away, and all that waited in it is in the list again."))
        #expect(run.status == .cannotOpen)
      }
      try FileManager.default.removeItem(atPath: outbox)
      #expect(Live.run("list", path).status == .left)
    }
  }

  @Test("Where the journal of an outbox is gone, an undo tells of the outbox, and what to do")
  func outboxWithoutJournal() throws {
    try withContainer { path, folder in
      let (outbox, id) = (folder + "/a/Notes.parley-outbox.json", "5EED0000-0000-4000-8000-000000000003")
      #expect(Live.run("undo", path, "--yes").errors.contains("There is no write to undo. See"))
      try SampleStores.decideFiles(path)
      Live.run("write", path, "--yes")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/a")
      for name in names where name.contains(".parley.sqlite") {
        try FileManager.default.removeItem(atPath: folder + "/a/" + name)
      }
      let told = "the journal by which the outbox \(outbox) was written is gone, or another one."
      let runs = [
        Live.run("undo", path), Live.run("undo", path, "--yes"), Live.run("undo", path, "--skip"),
        Live.run("undo", path, id, "--yes"),
        Live.run([path, "--plain"], input: "u\nq\n"),
      ]
      for run in runs { #expect((run.errors + run.output).contains(told), "\(run)") }
      #expect(runs[0].status == .refused && runs[1].status == .refused)
      try FileManager.default.removeItem(atPath: outbox)
      #expect(Live.run("undo", path).errors.contains("There is no write to undo. See"))
      #expect(Live.run("resolve", path, id, "--set", "record=server").status == .nothingLeft)
    }
  }

  @Test(
    "Without a screen, too, no other decision is asked for where none helps, and what waits is in the outbox")
  func byLines() throws {
    try withContainer { path, folder in
      let index = folder + "/a/FileIndex.json"
      let text = try String(contentsOfFile: index, encoding: .utf8)
      let id = "5EED0000-0000-4000-8000-000000000001"
      try SampleStores.decideFiles(path, ["--index", index])
      let later = try #require(text.range(of: id))
      let version = try #require(text[later.upperBound...].firstRange(of: #""fileVersion":4"#))
      try write(
        Data(text.replacingCharacters(in: version, with: #""fileVersion":9"#).utf8), to: index)
      Live.run("resolve", path, id, "--set", "record=server", "--index", index)
      let run = Live.run([path, "--plain", "--index", index], input: "w\nyes\nw\nq\n")
      let refusals = run.output.components(separatedBy: " was refused: the server has version 9").count - 1
      #expect(refusals == 3, "\(run.output)")
      #expect(!run.output.contains("decide it otherwise"), "\(run.output)")
      #expect(
        run.output.contains(": waiting in the outbox.\n") && !run.output.contains("waiting for the app"))
    }
  }

  @Test("Where no decision helps, none is asked for")
  func notDecidable() {
    let outcome = CheckedWrite(id: "1:t", title: "", outcome: .refused(field: nil, "no request fits"))
    #expect(outcome.words(fine: nil)?.hasSuffix("; decide it otherwise.") == true)
    let words = outcome.words(fine: nil, isDecidable: false)
    #expect(words == "1:t was refused: no request fits. Nothing of it was written.")
  }

  @Test("A copy is made when it is written, takes the decisions along, and takes the write back by itself")
  func copy() throws {
    try withContainer { path, folder in
      let (before, copy) = (try files(path), folder + "/copy")
      try SampleStores.decideFiles(path)
      let rehearsed = Live.run("write", path, "--copy", copy)
      #expect(rehearsed.status == .usage && rehearsed.output.contains("In a copy the queues"))
      #expect(!FileManager.default.fileExists(atPath: copy))
      let written = Live.run("write", path, "--copy", copy, "--yes")
      #expect(written.status == .nothingLeft && written.output.contains("parley undo \(copy)"))
      #expect(try files(path) == before)
      #expect(Live.run("list", copy).status == .nothingLeft)
      #expect(Live.run("list", path).status == .left, "the container is as it was")
      #expect(Live.run("undo", copy, "--yes").status == .nothingLeft)
      #expect(Live.run("list", copy).output.replacing(copy, with: path) == Live.run("list", path).output)
      let again = Live.run("write", path, "--copy", copy, "--yes")
      #expect(again.status == .refused && again.errors.contains("parley write \(copy) --yes"), "\(again)")
    }
  }

  @Test("Who writes into a copy what waits in the outbox is told, and what was left out of the copy")
  func copyBesideTheOutbox() throws {
    try withContainer { path, folder in
      let warned = "3 of the decisions wait in the outbox, too."
      Live.run("resolve", path, "--accept", "all")
      #expect(!Live.run("write", path, "--copy", folder + "/copy").errors.contains("in the outbox, too"))
      Live.run("write", path, "--yes")
      for arguments in [
        ["write", path, "--copy", folder + "/copy"], ["write", path, "--copy", folder + "/copy", "--yes"],
      ] {
        let run = Live.run(arguments)
        #expect(run.errors.contains(warned) && run.errors.contains("parley undo \(path)"), "\(run)")
        #expect(run.output.contains("written: ") == arguments.contains("--yes"), "\(run)")
      }
      let link = try ContainerFiles(path: path).documents + "/elsewhere"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/etc/hosts")
      let run = Live.run("write", path, ContainerDemoStore.uuid(2), "--copy", folder + "/other", "--yes")
      #expect(run.errors.contains("1 of the decisions waits in the outbox, too."), "\(run)")
      #expect(
        run.errors.contains("Left out of the copy: AppData/Documents/elsewhere (a symbolic link)."), "\(run)")
    }
  }

  @Test("An upload that is kept is nobody's merge")
  func keptUpload() throws {
    try withContainer { path, _ in
      let letter = ContainerDemoStore.uuid(4)
      Live.run("resolve", path, letter, "--set", "record=upload")
      let shown = Live.run("show", path, letter).output
      #expect(shown.contains("decided: upload") && !shown.contains("merged"), "\(shown)")
    }
  }

  @Test(
    "An index that is none is told with the line and what belongs there",
    arguments: [
      ("{\n]", "it is no JSON, "), ("{\n]", " at line 2, column 1."), ("", "it is empty."),
      ("{\"ServerResult\":53}", "at line 1, column 1 the server gave none, and answered 53"),
      ("{\"a\":1}", "what is at line 1, column 1 is no list of files"),
      ("[\n{\"fileId\":\"a\"}]", "the file at line 2, column 1 lacks fileId"),
      (
        "{\"fileId\":\"a\",\"fileVersion\":1,\"deleted\":false}\n{\"fileId\":\"a\",\"fileVersion\":1,\"deleted\":false}",
        "the file at line 2, column 1 is there a second time"
      ),
    ])
  func noIndex(text: String, words: String) throws {
    try withContainer { path, folder in
      let index = folder + "/index.json"
      try write(Data(text.utf8), to: index)
      let run = Live.run("list", path, "--index", index)
      #expect(run.errors.contains("\(index) is no server's index: ") && run.errors.contains(words), "\(run)")
      #expect(
        run.errors.contains("mongoexport -c FileIndex") && !run.errors.contains("permissions"), "\(run)")
      #expect(run.status == .cannotOpen)
    }
  }

  @Test("A -wal that is none is found")
  func garbageLog() throws {
    try withContainer { path, _ in
      let database = try ContainerFiles(path: path).database
      #expect(!Live.run("doctor", path).output.contains("-wal cannot be read"))
      try write(Data(repeating: 7, count: 5000), to: database + "-wal")
      let run = Live.run("doctor", path)
      #expect(run.output.contains("the -wal cannot be read"), "\(run)")
      #expect(Live.run("list", path).errors.contains("the -wal cannot be read"))
    }
  }

  @Test("What was decided with other ancestors is not said to have changed by itself")
  func decidedWithOthers() throws {
    try withContainer { path, folder in
      let options = ["--ancestors", folder + "/a/earlier"]
      try SampleStores.decideFiles(path, options)
      let list = Live.run("list", path).output
      #expect(list.contains("or ancestors given with it, changed since it was decided; "), "\(list)")
      let write = Live.run("write", path)
      #expect(write.output.contains("the index or ancestors given with it, changed after"), "\(write.output)")
    }
  }

  @Test("With the server's index and earlier texts more is found, and more is sure")
  func indexAndAncestors() throws {
    try withContainer { path, folder in
      let options = ["--index", folder + "/a/FileIndex.json", "--ancestors", folder + "/a/earlier"]
      let (bare, told) = (Live.run("list", path), Live.run(["list", path] + options))
      #expect(
        bare.output.split(separator: "\n").count == 10 && told.output.split(separator: "\n").count == 11)
      #expect(told.output.contains("merged word by word") && told.output.contains("merged key by key"))
      #expect(Live.run(["doctor", path] + options).output.contains("deleted on both sides: old.txt"))
      let ready = Live.run(["resolve", path, "--accept", "sure"] + options)
      #expect(ready.output.contains("--index") == false || ready.output.contains("FileIndex.json"))
    }
  }

  @Test(
    "What a container cannot is refused, with what can be done",
    arguments: [
      (["write", "--direct", "--yes"], "which is never written"),
      (["list", "--metadata", "x"], "has no metadatabase"),
      (["list", "--index", "nowhere"], "There is no file nowhere"),
      (["list", "--ancestors", "nowhere"], "There is no file nowhere"),
      (["capture"], "keeps its conflicts itself"),
    ])
  func refused(arguments: [String], words: String) throws {
    try withContainer { path, _ in
      let result = Live.run([arguments[0], path] + arguments.dropFirst())
      #expect(result.status != .nothingLeft && result.errors.contains(words), "\(result.errors)")
    }
  }

  @Test("What is of a container is refused of every other store")
  func ofOthers() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.cloudant, in: folder + "/a")
      #expect(Live.run("list", path, "--index", path).errors.contains("Leave --index out"))
      #expect(Live.run("write", path, "--copy", folder + "/b").errors.contains("Leave --copy out"))
      #expect(!FileManager.default.fileExists(atPath: folder + "/b"))
    }
  }

  @Test("Of a database on a server nobody is told to copy its files", arguments: ["https", "HTTP"])
  func copyOfURL(scheme: String) {
    let run = Live.run("write", scheme + "://localhost:1/shop", "--copy", "/nowhere/b")
    #expect(run.status == .usage)
    #expect(run.errors.contains("Leave --copy out; to be careful, look first at what parley write prints"))
    #expect(!run.errors.contains("files"))
  }

  @Test(
    "Certificates are refused of a store that is a file",
    arguments: DemoKind.allCases.filter { $0 != .couchdb })
  func certificates(kind: DemoKind) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(kind, in: folder + "/a")
      let run = Live.run("list", path, "--ca", folder + "/ca.pem")
      #expect(run.status == .usage && run.output.isEmpty, "\(run)")
      #expect(
        run.errors.contains("is no database on a server, and needs no certificates. Leave --ca out."),
        "\(run)")
    }
  }

  @Test("A report for strangers names no file and no text")
  func redacted() throws {
    try withContainer { path, folder in
      let result = Live.run("doctor", path, "--redact", "--all", "--index", folder + "/a/FileIndex.json")
      for name in ["letter.txt", "scratch.txt", "garden.txt", "5EED0000-0000-4000-8000-000000000004"] {
        #expect(!result.output.contains(name), "\(name)")
      }
      #expect(result.output.contains("upload, then deletion"))
    }
  }
}
