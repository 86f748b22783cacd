import Merging
import StoreInterface

/// A store of notes that sync as whole files, one for each question that its app asks.
enum NoteStore {
  static let store = StoreInfo(
    name: "Notes", path: "/tmp/Notes", kind: "SMSyncServer", writing: "Requests, for whoever may send them.",
    can: [.tellRounds])

  static let files = [
    note(
      "shopping", "Shopping list", client: content("Milk, bread"), server: content("Milk, eggs"), .upload,
      isDeletedThere: false, stage: .asked),
    note(
      "plan", "Trip plan", client: .deleted(time: nil), server: content("Train at nine"), .deletion,
      isDeletedThere: false, stage: .asked),
    note(
      "invoice", "Invoice", client: content("Paid in May"), server: .deleted(time: nil), .upload,
      isDeletedThere: true, stage: .asked),
    note(
      "draft", "Draft", client: .deleted(time: nil), server: content("By Sonia"), .uploadThenDeletion,
      isDeletedThere: false, stage: .unmet),
  ]

  static func desk(showing id: String, columns: Int = 80, rows: Int = 24) -> TestDesk {
    TestDesk(files.filter { $0.id == id }, columns: columns, rows: rows, store: store)
  }

  private static func note(
    _ id: String, _ title: String, client: RecordVersion, server: RecordVersion,
    _ pending: FileSituation.Pending, isDeletedThere: Bool, stage: FileSituation.Stage
  ) -> RecordConflict {
    var conflict = RecordConflict(
      id: id, table: "files", primaryKey: id, title: title, fields: [Field("content", kind: .text)],
      versions: ThreeWay(
        ancestor: .unknown(reason: "this system keeps no ancestor text"), client: client, server: server))
    conflict.details.file = FileSituation(
      pending: pending, ancestorVersion: isDeletedThere ? 4 : stage == .unmet ? 3 : nil, serverVersion: 4,
      isDeletedThere: isDeletedThere, stage: stage, bringsDeletionsOnly: isDeletedThere)
    return conflict
  }

  private static func content(_ text: String) -> RecordVersion {
    .present(["content": FieldVersion(.text(text), time: nil)])
  }
}
