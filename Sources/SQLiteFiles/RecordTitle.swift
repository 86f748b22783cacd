import Merging
import StoreInterface

/// What a person would call a record: its title, or the first text that is no key.
package enum RecordTitle {
  private static let usual = ["title", "name", "subject", "label", "text"]

  /// nil if there is no such column with a text. The client's text counts first, then the server's, then the ancestor's.
  package static func title(of versions: ThreeWay<RecordVersion>, shape: TableShape?) -> String? {
    let sides = [versions.client, versions.server, versions.ancestor].compactMap { $0?.fields }
    for column in columns(shape) {
      for fields in sides {
        if case .text(let text)? = fields[column]?.value, !text.isEmpty { return text }
      }
    }
    return nil
  }

  package static func title(of row: RowImage, shape: TableShape) -> String? {
    for column in columns(shape) {
      if case .text(let text)? = row[column], !text.isEmpty { return text }
    }
    return nil
  }

  private static func columns(_ shape: TableShape?) -> [String] {
    guard let shape else { return usual }
    let texts = shape.stored.filter { column in
      column.affinity == .text && column.keyPosition == 0 && shape.foreignKeys(of: column.name).isEmpty
    }.map(\.name)
    return usual.filter { shape[$0] != nil } + texts
  }
}
