import Merging
import RowJournals
import StoreInterface

/// What is told of a write beside that it was done.
extension WritePlan {
  /// What a person should know of these; nil where there is nothing.
  func notes(on made: [StoredChange]) -> String? {
    WritePlan.joined([note(on: made), note(onSending: row(in: made))])
  }

  /// What a person should know of what is sent, or is not; nil where there is nothing.
  func note(onSending row: RowImage?) -> String? {
    guard let row else { return aim(nil).queued == .delete ? WritePlan.takesAll : nil }
    guard case .present(let server) = state.conflict.versions.server, let newest = newerAncestor else {
      return nil
    }
    let basis = basis(of: row, over: server)
    let lost = lost(row, over: basis).sorted()
    let refused =
      basis.archive == nil ? newest.refusedFields.filter { isKept(row[$0], in: basis, $0) }.sorted() : []
    return WritePlan.joined([
      WritePlan.words(lost, WritePlan.mayNotStay), WritePlan.words(refused, WritePlan.putBack),
    ])
  }

  private func isKept(_ value: Value?, in basis: Basis, _ name: String) -> Bool {
    (value ?? .null).isRecorded(as: basis.fields[name]?.value ?? .null)
  }

  /// Of what another device refuses, and of what this one's engine takes from the server again.
  private static let mayNotStay = """
    not sure to stay so on every device, as the server had another value at the same time or later: look at it once this is uploaded, and \
    set it in the app once more where it has not
    """
  private static let putBack = """
    not what the server has, whose value the app did not take over: parley doctor names it
    """

  /// A deletion is sent without the server's tag, so that none is refused.
  private static let takesAll = "its deletion also takes what other devices sent since the last fetch"

  private static func words(_ names: [String], _ words: String) -> String? {
    names.isEmpty ? nil : "\(names.joined(separator: ", ")) \(names.count == 1 ? "is" : "are") \(words)"
  }

  private static func joined(_ notes: [String?]) -> String? {
    let notes = notes.compactMap(\.self)
    return notes.isEmpty ? nil : notes.joined(separator: "; ")
  }
}

extension Value {
  /// A blob, or what an asset is known by.
  var isBytes: Bool {
    switch self {
    case .blob, .opaque: true
    case .null, .integer, .real, .text: false
    }
  }
}
