/// A three-way merge of one text by words.
///
/// Two edits with at least one word, space or mark between them that neither touched merge by themselves. Edits that
/// overlap, or that touch, so that their order would be a guess, are left to a person. White space is kept exactly.
///
/// Laws: if one side is unchanged, the result is the other; swapping the sides swaps the parts' sides and nothing else;
/// nothing is in the result that was in none of the texts.
public struct TextMerge: Sendable, Equatable {
  /// A stretch of the text, told by who changed it.
  public enum Part: Sendable, Equatable {
    /// Unchanged on both sides.
    case kept(String)
    /// Only the client changed this; `instead` is what the ancestor has here.
    case client(String, instead: String)
    /// Only the server changed this.
    case server(String, instead: String)
    /// Both made the same edit.
    case both(String, instead: String)
    /// Both changed this, and not alike.
    case overlap(ancestor: String, client: String, server: String)
  }

  /// In the order of the text. No part is empty on all sides.
  public let parts: [Part]

  /// Merges the texts by words; none of them is ever refused, and what cannot be merged is an overlap.
  public init(ancestor: String, client: String, server: String) {
    self.init(ancestor: ancestor, client: client, server: server, by: .words, joinsWords: false)
  }

  /// - Parameter joinsWords: whether a side's words in a row are one edit. A person who takes a side gets its words as they
  ///   were written then; by itself less merges.
  init(ancestor: String, client: String, server: String, by unit: Words.Unit, joinsWords: Bool) {
    let ancestor = Words(ancestor, by: unit)
    let client = Edits(from: ancestor, to: Words(client, by: unit), joinsWords: joinsWords)
    let server = Edits(from: ancestor, to: Words(server, by: unit), joinsWords: joinsWords)
    var parts: [Part] = []
    var keptFrom = 0
    for region in TextMerge.regions(client, server) {
      parts.append(.kept(ancestor.text(keptFrom..<region.lowerBound)))
      parts.append(TextMerge.part(region, ancestor, client.text(for: region), server.text(for: region)))
      keptFrom = region.upperBound
    }
    parts.append(.kept(ancestor.text(keptFrom..<ancestor.tokens.count)))
    self.parts = parts.filter { $0 != .kept("") }
  }

  /// Where nobody knows the ancestor: what differs is an overlap of two edits of nothing.
  init(client: String, server: String, by unit: Words.Unit) {
    let (client, server) = (Words(client, by: unit), Words(server, by: unit))
    var parts: [Part] = []
    var keptFrom = 0
    let changes = TextChange.changes(from: client, to: server, joinsWords: true)
    for change in changes.slid(from: client, to: server) {
      parts.append(.kept(client.text(keptFrom..<change.old.lowerBound)))
      parts.append(
        .overlap(ancestor: "", client: client.text(change.old), server: server.text(change.new)))
      keptFrom = change.old.upperBound
    }
    parts.append(.kept(client.text(keptFrom..<client.tokens.count)))
    self.parts = parts.filter { $0 != .kept("") }
  }

  /// The merged text, or nil where a person has to decide.
  public var text: String? { overlaps == 0 ? parts.map(\.merged).joined() : nil }

  /// In how many places a person has to decide.
  public var overlaps: Int { parts.count { $0.isOverlap } }

  /// The stretches of the ancestor that somebody changed. Edits that touch each other make one stretch.
  private static func regions(_ client: Edits, _ server: Edits) -> [Range<Int>] {
    let edited = (client.changes + server.changes).map(\.old).sorted {
      ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound)
    }
    return edited.reduce(into: []) { regions, edit in
      guard let last = regions.last, edit.lowerBound <= last.upperBound else { return regions.append(edit) }
      regions[regions.count - 1] = last.lowerBound..<max(last.upperBound, edit.upperBound)
    }
  }

  private static func part(_ region: Range<Int>, _ ancestor: Words, _ client: String?, _ server: String?)
    -> Part
  {
    let before = ancestor.text(region)
    return switch (client, server) {
    case (let client?, nil): .client(client, instead: before)
    case (nil, let server?): .server(server, instead: before)
    case (let client?, let server?) where client.hasSameBytes(as: server):
      .both(client, instead: before)
    case (let client?, let server?): .overlap(ancestor: before, client: client, server: server)
    case (nil, nil): .kept(before)
    }
  }
}

extension TextMerge.Part {
  /// What each version has here.
  var texts: (ancestor: String, client: String, server: String, change: Change) {
    switch self {
    case .kept(let text): (text, text, text, .unchanged)
    case .client(let text, let before): (before, text, before, .onlyClient)
    case .server(let text, let before): (before, before, text, .onlyServer)
    case .both(let text, let before): (before, text, text, .same)
    case .overlap(let ancestor, let client, let server): (ancestor, client, server, .different)
    }
  }

  fileprivate var merged: String {
    switch self {
    case .kept(let text), .client(let text, _), .server(let text, _), .both(let text, _): text
    case .overlap: ""
    }
  }

  fileprivate var isOverlap: Bool {
    if case .overlap = self { true } else { false }
  }
}

/// One side's changes of the ancestor.
private struct Edits {
  let words: Words
  let changes: [TextChange]

  init(from ancestor: Words, to words: Words, joinsWords: Bool) {
    self.words = words
    let changes = TextChange.changes(from: ancestor, to: words, joinsWords: joinsWords)
    self.changes = joinsWords ? changes.slid(from: ancestor, to: words) : changes
  }

  /// What this side has in place of the ancestor's words in `region`, which no change reaches beyond; nil if it has no
  /// change there. Between its changes a side runs parallel to the ancestor.
  func text(for region: Range<Int>) -> String? {
    let start = changes.firstPosition { $0.old.lowerBound >= region.lowerBound }
    let inside = changes[start...].prefix { $0.old.upperBound <= region.upperBound }
    guard let first = inside.first, let last = inside.last else { return nil }
    let from = first.new.lowerBound - (first.old.lowerBound - region.lowerBound)
    let to = last.new.upperBound + (region.upperBound - last.old.upperBound)
    return words.text(from..<to)
  }
}
