import ExactJSON
import Foundation
import Merging
import StoreInterface
import Testing

@testable import SQLiteDataStores
@testable import Samples
@testable import parley

@Suite("walkthrough") struct WalkthroughTests {
  @Test("prints a line for each step, and what the two sets of rules make of a tie")
  func timeline() throws {
    let session = Session()
    let model = session.run("walkthrough --story diverging --json")
    let today = session.run("walkthrough --story diverging --rules today --json")
    #expect(model.status == .nothingLeft && today.status == .nothingLeft)
    let steps = model.output.split(separator: "\n")
    #expect(steps.count == 15 && steps.allSatisfy { $0.hasPrefix(#"{"step":""#) })
    #expect(model.output != today.output)
    #expect(session.run("walkthrough --json").output.contains(#""picture":"(a)-[b] : <*> / <c> : {*'}""#))
  }

  @Test("tells a story of files: the server, the devices, and the end of another answer")
  func files() throws {
    let told = Session().run("walkthrough --story sonia-first --json").lines
    #expect(told.count == 9)
    #expect(
      told[6].hasPrefix(
        #"{"step":"6","title":"Fred downloads, is asked","device":"Fred","#
          + #""server":{"version":4,"deleted":false,"lock":null},"devices":{"Sonia":"#))
    #expect(
      told[6].contains(
        #""Fred":{"version":4,"deleted":false,"pending":["deletion"],"#
          + #""download":{"version":4,"stage":"asked","conflict":"deletedHere"}}"#))
    #expect(told[8].contains(#""server":{"version":4,"deleted":true,"lock":null}"#))
    let accepted = Session().run("walkthrough --story sonia-first --answer accept --json --step 8").lines
    #expect(accepted.count == 1)
    #expect(accepted[0].contains(#""server":{"version":4,"deleted":false,"lock":null}"#))
  }

  @Test(
    "refuses a story, a step, an answer or a pace that is not there",
    arguments: [
      "walkthrough --story nothing", "walkthrough --step 12", "walkthrough --pace 0",
      "walkthrough --what-if rain", "walkthrough --story sonia-first --step 9", "walkthrough --answer keep",
      "walkthrough --story sonia-first --answer merge", "walkthrough --json --record -",
      "walkthrough --json --record x.cast",
    ])
  func refusals(line: String) {
    #expect(Session().run(line).status == .usage)
  }

  @Test(
    "tells what is there where a step or an answer is not",
    arguments: [
      (
        "--step 12",
        "There is no step “12” in this story. Its steps are 1, 2, 3, 4, 5, 6, 7, 8, 9a, 9b, 10, 11."
      ),
      (
        "--story sonia-first --step x",
        "There is no step “x” in this story. Its steps are 0, 1, 2, 3, 4, 5, 6, 7, 8."
      ),
      (
        "--story sonia-first --answer merge",
        "There is no answer “merge” in this story. Its answers are keep, accept."
      ),
      (
        "--answer keep",
        "There is no answer “keep” in this story. Nothing is answered in it; in these something is: sonia-first"
      ),
    ])
  func whatIsThere(line: String, words: String) {
    let run = Session().run("walkthrough " + line)
    #expect(run.errors.hasPrefix("parley: " + words), "\(run.errors)")
  }

  @Test("records the played story as asciinema has it: a header, and a frame for each step at its time")
  func recording() throws {
    var lines: [Substring] = []
    try withTemporaryFolder { folder in
      let file = folder + "/story.cast"
      #expect(Session().run("walkthrough --pace 1.5 --record \(file)").status == .nothingLeft)
      lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    }
    let header = try #require(try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
    #expect(
      header["version"] as? Int == 2 && header["width"] as? Int == 120 && header["height"] as? Int == 34)
    let frames = try lines.dropFirst().map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any])
    }
    #expect(frames.count == 13)
    #expect(frames.map { $0[0] as? Double } == (0..<13).map { Double($0) * 1.5 })
    #expect(frames.allSatisfy { $0[1] as? String == "o" })
    #expect((frames[8][2] as? String)?.contains("{*'}") == true)
  }

  @Test("records to standard output, and over no file that is there")
  func recordingElsewhere() throws {
    try withTemporaryFolder { folder in
      let file = folder + "/story.cast"
      let told = Session().run("walkthrough --record \(file)")
      #expect(told == Run(status: .nothingLeft, output: file + "\n", errors: ""))
      let printed = Session().run("walkthrough --record -")
      #expect(try printed.output == String(contentsOfFile: file, encoding: .utf8))
      try write("mine", to: file)
      let help = Session().run("help walkthrough").output.split(whereSeparator: \.isWhitespace)
      #expect(help.joined(separator: " ").contains("into a new file, whose path is printed;"))
      let again = Session().run("walkthrough --record \(file)")
      #expect(again.status == .usage && again.errors.contains("is there already, and is not overwritten"))
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    }
  }

  @Test("prints from the step that was asked for")
  func jsonFromAStep() {
    let all = Session().run("walkthrough --json").lines
    #expect(
      Session().run("walkthrough --json --step 9a").lines == Array(all.drop { !$0.contains(#""step":"9a""#) })
    )
  }

  @Test("a record of SQLiteData tells what the library would do today")
  func today() throws {
    try withTemporaryFolder { folder in
      let path = try DemoStore.make(in: folder, now: Samples.time(0))
      let store = try SQLiteDataStore.open(path: path)
      let conflict = try store.conflict("5eed0000-0000-4000-8000-000000000087:reminders")
      let decided = DecidedConflict(conflict, decisions: [])
      let text = JSON(decided, foretells: true).text
      #expect(text.contains(#""today":{"kept":"client","reason":"edited here and not sent"#))
      #expect(!JSON(decided, foretells: false).text.contains(#""today":{"#))
    }
  }
}
