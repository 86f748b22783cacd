import Merging
import Testing

/// When fields were set, asked by their key paths.
@Suite struct FieldTimesTests {
  private struct Note: Mergeable {
    var id = 1
    var title = ""
    var seen = 0
    var primaryKey: Int { id }
    // The title under two columns.
    static let mergeFields: [MergeField<Note>] = [
      .field("title", \.title), .field("name", \.title), .field("seen", \.seen),
    ]
  }

  @Test func aFieldHasTheTimeOfItsColumn() {
    let version = RowVersion(row: Note(), columnTimes: ["title": 3, "seen": 5])
    #expect(version.modificationTime(for: \.title) == 3)
    #expect(version.modificationTime(for: \.seen) == 5)
    #expect(version.modificationTime(for: \.id) == nil)
    #expect(version.columnTimes == ["title": 3, "name": 3, "seen": 5])
  }

  @Test func ofTwoColumnsOfOnePropertyTheFirstTimeCounts() {
    let version = RowVersion(row: Note(), columnTimes: ["name": 7])
    #expect(version.modificationTime(for: \.title) == 7)
    #expect(version.modificationTime(for: \.seen) == nil)
    #expect(version.columnTimes == ["title": 7, "name": 7])
  }

  @Test func whatIsNoFieldKeepsItsTime() {
    let version = RowVersion(row: Note(), modificationTimes: [\Note.id: 9, \Note.title: 11])
    #expect(version.modificationTime(for: \.id) == 9)
    #expect(version.columnTimes == ["title": 11, "name": 11])
  }

  @Test func theLaterEditWinsByTheTimesOfItsOwnField() {
    func version(_ title: String, _ seen: Int, _ times: [String: Int64]) -> RowVersion<Note> {
      RowVersion(row: Note(title: title, seen: seen), columnTimes: times)
    }
    let conflict = MergeConflict(
      ancestor: version("a", 0, ["title": 1, "seen": 1]), client: version("b", 1, ["title": 5, "seen": 2]),
      server: version("c", 2, ["title": 4, "seen": 3]))
    let draft = conflict.draft
    #expect(draft.title == "b" && draft.seen == 2)
    #expect(draft.changedColumns() == ["seen"])
    #expect(conflict.newestTime == 5)
  }
}
