import Merging

extension Timeline: CustomStringConvertible {
  /// The story as a table: a line for each step, with the three states after it, the rows of other devices, and the
  /// picture. `*` marks what the step changed.
  package var description: String {
    let header =
      ["", "step", "row", "last-known", "server"] + others.map { "row on the \($0)" } + ["picture"]
    let rows = [header] + entries.map(row)
    let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ").trimmedEnd
    }.joined(separator: "\n")
  }

  private var others: [String] { scenario.devices.filter { $0 != scenario.client } }

  private func row(_ entry: Entry) -> [String] {
    let changes = entry.changes
    let cells = [
      (Place.row, text(entry.after.row)), (.lastKnown, text(entry.after.lastKnown)),
      (.server, text(entry.after.server)),
    ]
    let rows = others.map { text(entry.world.devices[$0]?[scenario.record].row) }
    return [entry.chapter.label, entry.chapter.title]
      + cells.map { $1 + (changes.contains($0) ? " *" : "") } + rows + [entry.picture.description]
  }

  private func text(_ record: ServerRecord?) -> String {
    guard let record else { return "-" }
    return "\(text(record.fields.mapValues(\.value))) @\(record.tag?.description ?? "?")"
  }

  private func text(_ row: [String: Value]?) -> String {
    guard let row else { return "-" }
    return scenario.table.columns.filter { !$0.isPrimaryKey }.map { column in
      "\(column.name)=\((row[column.name] ?? .null).short)"
    }.joined(separator: " ")
  }
}

extension Value {
  /// For a table in a test or a log: without quotes, and blobs by the first bytes of their hash.
  package var short: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): text
    case .blob(let blob): "#" + blob.sha256.prefix(3).map { String($0, radix: 16) }.joined()
    case .opaque(let kind, _): "?" + kind
    }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  fileprivate var trimmedEnd: String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}
