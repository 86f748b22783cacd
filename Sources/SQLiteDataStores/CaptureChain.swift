import KeyedArchives
import Merging
import SQLiteFiles
import StoreInterface

/// Captured records that came in one on top of the other, with nothing decided between.
///
///     received   ancestor  client           server
///     first      A         title: Milk 2%   title: Oat milk, notes: 1 l    the engine keeps the title, takes the notes
///     second     first     title: Milk 2%   title: Oat milk, notes: 2 l    and makes what came in the ancestor
///
/// By its own ancestor the second one says that only this client changed the title, and the first clash would be lost without
/// anybody having seen it. So the ancestor of the chain is the first one's, and a value which the engine took over from one
/// server record, and never a person, is not the client's.
///
/// A link is the server's change tag: an acknowledged upload in between has another one, and ends the chain. What came in before
/// that is a conflict of its own: see ``OpenRows``.
struct CaptureChain {
  struct Link {
    let inbox: InboxRow
    let row: RowImage?
    /// nil of the newest, of which nobody asks it.
    let server: ArchivedVersion?

    init(newest inbox: InboxRow, _ row: RowImage?) { (self.inbox, self.row, server) = (inbox, row, nil) }

    init(_ inbox: InboxRow, _ metadata: MetadataRow?, _ shape: TableShape?) {
      self.inbox = inbox
      row = (try? inbox.capturedRow(metadata, shape)) ?? nil
      server = ArchivedVersion(inbox.serverRecord, shape: shape)
    }
  }

  /// Newest first, with the row that the conflict is about.
  let links: [Link]

  /// - Parameter row: what was captured with the newest; nil if there was none, or none that can be read.
  init(
    _ newest: InboxRow, _ row: RowImage?, earlier: [InboxRow], metadata: MetadataRow?, shape: TableShape?
  ) {
    var links = [Link(newest: newest, row)]
    for inbox in earlier where newest.isCaptured {
      let link = Link(inbox, metadata, shape)
      guard let tag = links.last?.inbox.ancestorTag, link.server?.stamp.tag == tag else { break }
      links.append(link)
    }
    self.links = links
  }

  /// The rows that it is made of.
  var ids: [Int64] { links.map(\.inbox.id) }

  /// The last one before any of them came in; nil if there was none.
  var ancestorRecord: [UInt8]? { links.last?.inbox.ancestorRecord }

  struct Unapplied {
    var row: RowImage
    /// The fields of which nobody knows whether the engine took it: see ``BackAtServers/notKnown``.
    var notKnown: [String] = []
  }

  /// The row with the values that a person made, in place of what the engine took from the earlier records.
  func unapplied(_ row: RowImage, _ shape: TableShape?) -> Unapplied {
    zip(links.dropFirst(), links).reduce(into: Unapplied(row: row)) { all, pair in
      let (link, later) = pair
      let back = link.back(in: all.row, until: later.row, shape)
      all.row = link.unapplied(all.row, back.captured)
      all.notKnown += back.notKnown
    }
  }

  /// When the client came to have this value: the time of the first record that found it there, as the engine set a new
  /// time with each. nil if none was kept. Later records found another, where the engine had taken that before them.
  ///
  /// - Parameter place: that of the record after which somebody set it back, if anybody did; see ``setBack(now:at:_:_:)``.
  func clientTime(of name: String, _ value: Value, since place: Int?) -> Int64? {
    let since = links.prefix(place ?? links.count).drop { $0.row?[name] != value }
    return since.prefix { $0.row?[name] == value }.compactMap(\.inbox.clientTime).last
  }
}

extension InboxRow {
  /// The captured row, its values as the table's columns keep them, or as the records have them; nil if there was none.
  ///
  /// - Parameter metadata: as they are now. What was edited before it was captured, and sent since, they alone have, and the row is compared
  ///   with it by the same.
  func capturedRow(_ metadata: MetadataRow?, _ shape: TableShape?) throws -> RowImage? {
    asRecorded(try clientRow.flatMap { try InboxRow.row($0, shape) }, metadata, shape)
  }

  /// Any row that triggers kept, its values as the table's columns keep them.
  static func row(_ json: [UInt8], _ shape: TableShape?) throws -> RowImage? {
    guard var row = try RowJSON.decode(json) else { return nil }
    for column in shape?.columns ?? [] {
      if let value = row[column.name] { row[column.name] = column.affinity.stored(value) }
    }
    return row
  }

  /// The tag of the captured ancestor.
  var ancestorTag: String? { ancestorRecord.flatMap { try? ArchivedRecord(decoding: $0) }?.changeTag }
}
