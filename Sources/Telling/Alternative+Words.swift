import Merging

extension Privacy {
  /// "what the server changed: title, notes; the deletion on leaf 3"; empty if nothing is lost.
  package func words(_ losses: [Alternative.Loss]) -> String {
    losses.map { loss in
      switch loss {
      case .deletion(let party): "the deletion on \(party)"
      case .edits(let party, let fields): "what \(party) changed: \(all(fields))"
      case .values(let party, let fields): "what \(party) has: \(all(fields))"
      case .other(let words): words
      }
    }.joined(separator: "; ")
  }

  private func all(_ fields: [String]) -> String { fields.map(name).joined(separator: ", ") }
}
