import ExactJSON
import Merging

/// The rows of the inbox that a draft is made of, as `parley_outbox` tells them.
///
///     {"inbox":[4,7],"imports":[1795179600000000000]}
///
/// Those of the app's inbox by their ids, which no other row ever has; those of the journal by when they came in, as a journal
/// that is made anew counts from one again. No time is compared with another: the clocks that they are from may have been wrong.
struct Settled: Sendable, Equatable {
  let inbox: Set<Int64>
  let imports: Set<Int64>

  func contains(_ row: InboxRow) -> Bool {
    switch row.place {
    case .app: inbox.contains(row.id)
    case .journal: imports.contains(row.receivedAt)
    }
  }
}

extension Settled {
  /// What cannot be read settles nothing: then it is asked for once more.
  init(json: String) {
    var reader = JSONReader(Array(json.utf8))
    let members = (try? reader.single())?.members ?? [:]
    func numbers(_ name: JSONText) -> Set<Int64> {
      Set((members[name]?.elements ?? []).compactMap { $0.number.flatMap { Int64($0) } })
    }
    self.init(inbox: numbers("inbox"), imports: numbers("imports"))
  }

  var json: String {
    func list(_ numbers: Set<Int64>) -> String { numbers.sorted().map(String.init).joined(separator: ",") }
    return #"{"inbox":[\#(list(inbox))],"imports":[\#(list(imports))]}"#
  }
}
