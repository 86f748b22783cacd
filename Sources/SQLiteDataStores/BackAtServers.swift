import KeyedArchives
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
///     01         NULL       01 or 02       the same    nobody knows. That bytes were set to NULL the engine does not see, and brings them back; but
///                                                it may have written the NULL itself: see ``Versions/bytesNotHere``
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
    notKnown = names.filter { row[$0] != known[$0]?.value ?? .null }
  }
}

extension CaptureChain.Link {
  /// The fields of which `row` has another value than was captured, by whether it is the server's.
  ///
  /// - Parameter isWhole: whether the engine has made all of the row.
  func changed(
    in row: RowImage, _ server: ArchivedVersion?, isWhole: Bool = false
  ) -> (servers: [String], others: [String]) {
    let came = server?.version.fields
    var changed: (servers: [String], others: [String]) = ([], [])
    for (name, old) in self.row ?? [:] {
      guard let now = row[name], now != old else { continue }
      let new = came?[name]?.value
      let isServers = now == new || isWhole && new.map { row.mayHave($0, in: name) } ?? false
      if isServers { changed.servers.append(name) } else { changed.others.append(name) }
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

extension CaptureChain {
  /// What the app has received since of fields in which an edit had given way to a record that came in: somebody has set that upon the
  /// server's, and whether they knew the edit nobody knows. Of an edit that was kept it is no news: that was sent, and is what they changed.
  ///
  ///     ancestor   captured   the server's   after the merge   now, as on the server
  ///     x          B          x              x, it gave way    A      B stands against A
  ///     x          B          x              B, and is sent    A      B was changed to A
  ///
  /// - Parameters:
  ///   - edited: what the row has neither of the newest record nor of what was captured with it.
  ///   - time: that of the metadata, which a field has that was edited here and sent; see ``edits(_:givenWayTo:in:at:)``.
  ///   - newest: what the app knows by now.
  func receivedInstead(
    of edited: [String], in row: RowImage?, at time: Int64?, _ newest: ArchivedRecord?, _ shape: TableShape?
  ) -> [String: FieldVersion<Value>] {
    guard !edited.isEmpty, links.contains(where: \.inbox.isReplaced), let row, let newest else { return [:] }
    let gaveWay = Set(links.filter(\.inbox.isReplaced).flatMap { $0.edits(shape).keys })
    let known = ArchivedVersion(newest, shape: shape).version.fields
    return edited.reduce(into: [:]) { fields, name in
      guard gaveWay.contains(name), let now = known?[name], now.value == row[name], now.time != time else {
        return
      }
      fields[name] = now
    }
  }
}
