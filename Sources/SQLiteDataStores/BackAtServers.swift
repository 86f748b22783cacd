import Merging
import SQLiteFiles
import StoreInterface

/// The fields of which a row has the server's value, and had another when that came in.
///
///     ancestor   captured   the server's   now
///     5          5          6              6     the engine took it: the client's is 5
///     5          7          5, as it was   5     nobody knows. An engine that knows its ancestor keeps an edit, so that somebody has set it
///                                                back; but after a save that was refused for good it knows none, and takes the whole row. That the
///                                                app knows it with a later time by now tells of any device that has set it, and may never have
///                                                had the 7
///     5          7          6              6     nobody knows: somebody has set it, or another release has merged it so
struct BackAtServers {
  /// Of which the captured value counts as the client's.
  private(set) var captured: [String] = []
  /// Those of them of which nobody knows that.
  private(set) var notKnown: [String] = []

  init() {}

  /// - Parameter ancestor: nil where both made the record, or it was made anew, of which the engine takes the whole row.
  fileprivate init(_ names: [String], of row: RowImage, _ ancestor: ArchivedVersion?) {
    captured = names
    guard let known = ancestor?.version.fields else { return }
    notKnown = names.filter { !BackAtServers.isOverwritten(row[$0], known[$0]?.value) }
  }

  /// Whether the engine would take another value over this one. That a blob was set to NULL it does not see, and brings it back.
  private static func isOverwritten(_ value: Value?, _ old: Value?) -> Bool {
    if case .blob? = old, value == .null { return true }
    return value == old ?? .null
  }
}

extension CaptureChain.Link {
  /// The fields of which `row` has another value than was captured, by whether it is the server's.
  func changed(in row: RowImage, _ server: ArchivedVersion?) -> (servers: [String], others: [String]) {
    let came = server?.version.fields
    var changed: (servers: [String], others: [String]) = ([], [])
    for (name, old) in self.row ?? [:] {
      guard let now = row[name], now != old else { continue }
      if now == came?[name]?.value { changed.servers.append(name) } else { changed.others.append(name) }
    }
    return changed
  }

  /// - Parameters:
  ///   - names: of fields of which the row has the server's value, and another was captured.
  ///   - ancestor: with which it was captured; asked where there are any.
  func back(_ names: [String], _ ancestor: () -> ArchivedVersion?) -> BackAtServers {
    guard !names.isEmpty, let row else { return BackAtServers() }
    return BackAtServers(names, of: row, ancestor())
  }

  /// The same of an earlier record, of what `row` has of that.
  ///
  /// - Parameter later: the row that the next record found. What was another value by then somebody has edited in between, be it that
  ///   it is the server's of before once more.
  func back(in row: RowImage, until later: RowImage?, _ shape: TableShape?) -> BackAtServers {
    let names = changed(in: row, server).servers.filter { later == nil || later?[$0] == row[$0] }
    return back(names) { ArchivedVersion(inbox.ancestorRecord, shape: shape) }
  }

  /// `row` with the captured values of these fields.
  func unapplied(_ row: RowImage, _ names: [String]) -> RowImage {
    names.reduce(into: row) { $0[$1] = self.row?[$1] }
  }
}
