import GRDB
import Merging

/// Why the store's own rules do not allow a draft.
package struct Refusal: Error, Equatable {
  package let field: String?
  package let reason: String
  /// Whether the app itself could do it: only a function of its own is missing here.
  package let isForTheApp: Bool

  package init(_ field: String?, _ reason: String, isForTheApp: Bool = false) {
    self.field = field
    self.reason = reason
    self.isForTheApp = isForTheApp
  }

  /// What SQLite says of one row, with the field's name where it tells. nil for what is not about the row at all, and ends
  /// the whole write: a full disk, a damaged file.
  package init?(_ error: any Error, table: TableShape) {
    if let refusal = error as? Refusal {
      self = refusal
      return
    }
    guard let error = error as? DatabaseError, let message = error.message else { return nil }
    switch error.resultCode {
    case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG:
      self.init(Refusal.field(in: message, table), message)
    case .SQLITE_ERROR where Refusal.isMissingFunction(message):
      self.init(
        nil,
        "\(message): it is the app's own, so this record can only be written by the app, through its outbox",
        isForTheApp: true)
    case .SQLITE_INTERRUPT:
      self.init(
        nil, "what the table \(table.name) computes, in a trigger or a column, takes too long or has no end")
    default: return nil
    }
  }

  /// `NOT NULL constraint failed: reminders.title`, `cannot store TEXT value in INTEGER column reminders.priority`,
  /// `CHECK constraint failed: length("title") > 0`: the column that is named last, or named at all.
  private static func field(in message: String, _ table: TableShape) -> String? {
    let qualified = table.columns.map(\.name).filter { message.hasSuffix("\(table.name).\($0)") }
    if let longest = qualified.max(by: { $0.utf8.count < $1.utf8.count }) { return longest }
    let words = message.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    return table.columns.first { words.dropFirst(3).contains(Substring($0.name)) }?.name
  }

  private static func isMissingFunction(_ message: String) -> Bool {
    message.hasPrefix("no such function") || message.hasPrefix("unknown function")
      || message.hasPrefix("no such collation sequence") || message.hasPrefix("no such module")
  }
}
