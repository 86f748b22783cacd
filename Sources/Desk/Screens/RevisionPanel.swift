import Merging
import Telling
import Terminal

/// What is known of the revision under the cursor: its whole id, what it is, and what it has otherwise than the ancestor.
struct RevisionPanel {
  let state: DeskState
  let page: TreePage
  let tree: DrawnTree
  let record: ShownRecord?

  static let legend: [Run] = [
    Run("underlined", .ancestor.underlined), Run(" ancestor   (id) body not here   ⋯ left out", .dim),
  ]

  /// At most as many as there is room for; the last tells what is left out.
  func lines(_ size: Size) -> [[Run]] {
    let lines = lines(width: size.columns)
    guard lines.count > size.rows else { return lines }
    let left = lines.count - size.rows + 1
    // Where hardly anything fits, what it is says more than how much is left out.
    return size.rows < 4
      ? Array(lines.prefix(size.rows)) : lines.prefix(size.rows - 1) + [[Run("+\(left) more", .dim)]]
  }

  private func lines(width: Int) -> [[Run]] {
    guard let cursor = page.revision(in: tree) else { return folded }
    let name = RevisionName(toTellApart: [cursor.revision.id])
    let id = Run(
      state.privacy.revision(cursor.revision.id, short: name.short(cursor.revision.id)), .text.bold)
    return [[id], [Run(words(cursor), .dim)]] + column(cursor).wrapped(width).filter { !$0.isEmpty }
      + (values(cursor).isEmpty ? [] : [[]] + values(cursor))
  }

  private var folded: [[Run]] {
    let lines = tree.lines(isUnfolded: page.isUnfolded)
    let count = lines.indices.contains(page.line) ? lines[page.line].leafCount : 0
    return [
      [Run("\(count) more leaves", .text.bold)],
      [Run("Enter shows them, = shows or folds all that are many.", .dim)],
    ]
  }

  private func words(_ cursor: TreePage.Cursor) -> String {
    let revision = cursor.revision
    let body =
      revision.isDeleted
      ? "" : revision.hasBody ? ", body kept" : ", body not here: compacted, or never replicated"
    if revision.id == record?.revision(.ancestor) { return "common ancestor of the live leaves" + body }
    guard cursor.isLeaf else {
      return (revision.isDeleted ? "deleted, older revision" : "older revision") + body
    }
    let isWinner = revision.id == tree.picture.winner
    return (revision.isDeleted ? "deleted leaf" : "live leaf") + (isWinner ? ", the winner" : "") + body
  }

  private func column(_ cursor: TreePage.Cursor) -> [Run] {
    guard let record, cursor.isLeaf, !cursor.revision.isDeleted else { return [] }
    let id = cursor.revision.id
    if id == record.revision(.client) {
      return [Run("C", .client.bold), Run(" in the client's column", .dim)]
    }
    if id == record.revision(.server) {
      return [Run("S", .server.bold), Run(" in the server's column", .dim)]
    }
    return [Run("Enter shows it in the server's column", .dim)]
  }

  private func values(_ cursor: TreePage.Cursor) -> [[Run]] {
    guard let record else {
      return cursor.isLeaf ? [[Run("Not in conflict: its values are not read.", .dim)]] : []
    }
    let id = cursor.revision.id
    if id == record.revision(.ancestor) { return all(record.conflict.version(.ancestor), .ancestor) }
    guard let leaf = record.conflict.details.leaves.first(where: { $0.id == id }), !leaf.isDeleted else {
      return []
    }
    guard record.conflict.version(.ancestor).isPresent else { return all(leaf.version, ink(id)) }
    return differences(leaf.version, ink(id))
  }

  private func ink(_ id: String) -> Ink {
    id == record?.revision(.client) ? .client : id == record?.revision(.server) ? .server : .text
  }

  private func differences(_ version: RecordVersion, _ ink: Ink) -> [[Run]] {
    guard let fields = version.fields, let conflict = record?.conflict else { return unreadable(version) }
    let changed = conflict.fields.filter { fields[$0.name]?.value != $0.ancestor?.value }
    let same = conflict.fields.count - changed.count
    return changed.map { field in
      [
        name(field), Run(cut(field.ancestor?.value, 24), .ancestor), Run(" → ", .dim),
        Run(text(fields[field.name]?.value), ink),
      ]
    } + (same > 0 ? [[Run("\(same) as in the ancestor", .dim)]] : [])
  }

  private func all(_ version: RecordVersion, _ ink: Ink) -> [[Run]] {
    guard let fields = version.fields, let conflict = record?.conflict else { return unreadable(version) }
    return conflict.fields.map { [name($0), Run(text(fields[$0.name]?.value), ink)] }
  }

  private func unreadable(_ version: RecordVersion) -> [[Run]] {
    if case .unknown(let reason) = version { [[Run("not known: \(reason)", .dim)]] } else { [] }
  }

  private func name(_ field: FieldConflict) -> Run {
    Run(state.privacy.name(field.name).padding(to: 12) + " ", .dim)
  }

  private func text(_ value: Value?) -> String { state.privacy.line(value) }

  private func cut(_ value: Value?, _ width: Int) -> String { DisplayText.cut(text(value), to: width) }
}
