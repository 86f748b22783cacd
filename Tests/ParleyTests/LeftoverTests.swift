import Foundation
import GRDB
import Merging
import StoreInterface
import Testing

@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import Samples
@testable import parley

/// A store whose writer died over it is read in a copy. However Parley ends, nothing of that is left.
struct LeftoverTests {
  /// The files as a writer leaves them that is killed: some pages of an open transaction are in the database already.
  private func abandoned(in folder: String) throws -> (store: String, before: String) {
    let path = try SampleStores.make(in: folder + "/made")
    let before = Live.run("list", path).output
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN IMMEDIATE")
      try db.execute(sql: "UPDATE reminders SET title = 'half', notes = hex(zeroblob(20000))")
      try FileManager.default.copyItem(atPath: folder + "/made", toPath: folder + "/store")
      try db.execute(sql: "ROLLBACK")
    }
    return (folder + "/store/Reminders.sqlite", before)
  }

  @Test func whatTheDeadWriterHadBegunIsNotRead() throws {
    try withTemporaryFolder { folder in
      let (store, before) = try abandoned(in: folder)
      #expect(FileManager.default.fileExists(atPath: store + "-journal"))
      #expect(Live.run("list", store).output == before)
      #expect(FileManager.default.fileExists(atPath: store + "-journal"))
    }
  }

  @Test(
    .enabled(if: Fault.shim != nil, "needs Linux, and the library that FaultShim builds"), arguments: 1...4)
  func whereItIsKilledNoByteOfTheCopyHasAName(call: Int) throws {
    try withTemporaryFolder { folder in
      let (store, _) = try abandoned(in: folder)
      let temporary = folder + "/temporary"
      try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
      let result = try Binary.shell(
        """
        export TMPDIR='\(temporary)'
        LD_PRELOAD='\(Fault.shim ?? "")' FAULTS_FOLDER="$TMPDIR/" FAULTS_AT=\(call) FAULTS_DO=kill "$PARLEY" list '\(store)'
        """)
      #expect(call > 1 || result.status == 128 + SIGKILL)
      let left = try FileManager.default.subpathsOfDirectory(atPath: temporary)
      for name in left {
        let attributes = try FileManager.default.attributesOfItem(atPath: temporary + "/" + name)
        #expect(attributes[.size] as? Int == 0, "\(name)")
      }
    }
  }

  #if os(Linux)
    /// Not as if permissions were the matter, which nobody could mend there.
    @Test(arguments: ["Reminders.sqlite", "Reminders.parley.sqlite"])
    func thatNoCopyCanBeMadeIsToldAsNothingElse(name: String) throws {
      try withTemporaryFolder { folder in
        let store = try SampleStores.make(in: folder + "/store")
        Live.run("resolve", store, "--accept", "all")
        let file = folder + "/store/" + name
        try Data(RollbackJournal.magic).write(to: URL(filePath: file + "-journal"))
        let errors = try Binary.run(["list", store], environment: ["TMPDIR=\(folder)/none"]).errors
        let reason = "no copy of it could be made in the temporary folder, No such file or directory"
        #expect(errors == "parley: \(file) cannot be read: \(reason).\n")
      }
    }
  #endif
}
