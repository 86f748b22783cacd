import ExactJSON

/// Two edits of one JSON value on top of their ancestor: objects key by key, arrays of one length place by place, and all
/// the way down. Where both sides changed the same key to different values, `preferring` decides and it is counted.
struct JSONMerge: Equatable {
  let value: JSONValue
  /// In how many places both sides changed the same thing.
  let overlaps: Int
  /// Whether elements of an array were told apart by their place. That is a guess: an element that was put in before
  /// another moves it.
  let isByPlace: Bool

  /// nil unless all three are objects, or all three are arrays of one length.
  init?(ancestor: JSONValue, client: JSONValue, server: JSONValue, preferring side: Side) {
    var merge = Merging(side: side)
    guard let value = merge.containers(ancestor, client, server) else { return nil }
    (self.value, overlaps, isByPlace) = (value, merge.overlaps, merge.isByPlace)
  }

  private struct Merging {
    let side: Side
    var overlaps = 0
    var isByPlace = false

    mutating func containers(_ ancestor: JSONValue, _ client: JSONValue, _ server: JSONValue) -> JSONValue? {
      switch (ancestor, client, server) {
      case (.object(let ancestor), .object(let client), .object(let server)):
        return object(ancestor, client, server)
      case (.array(let ancestor), .array(let client), .array(let server))
      where ancestor.count == client.count && ancestor.count == server.count:
        return array(ancestor, client, server)
      default: return nil
      }
    }

    private mutating func object(
      _ ancestor: [JSONText: JSONValue], _ client: [JSONText: JSONValue], _ server: [JSONText: JSONValue]
    ) -> JSONValue {
      var merged: [JSONText: JSONValue] = [:]
      for key in Set(ancestor.keys).union(client.keys).union(server.keys) {
        merged[key] = member(ancestor[key], client[key], server[key])
      }
      return .object(merged)
    }

    private mutating func array(
      _ ancestor: [JSONValue], _ client: [JSONValue], _ server: [JSONValue]
    ) -> JSONValue {
      if ancestor != client, ancestor != server { isByPlace = true }
      return .array(ancestor.indices.compactMap { member(ancestor[$0], client[$0], server[$0]) })
    }

    /// nil where the key is gone.
    private mutating func member(
      _ ancestor: JSONValue?, _ client: JSONValue?, _ server: JSONValue?
    ) -> JSONValue? {
      if client == server || ancestor == server { return client }
      if ancestor == client { return server }
      if let ancestor, let client, let server, let merged = containers(ancestor, client, server) {
        return merged
      }
      overlaps += 1
      return side == .server ? server : client
    }
  }
}

extension MergePolicy<Value> {
  /// Objects and arrays of a JSON document key by key; everything else as ``latest(tie:margin:)``.
  ///
  /// A merge of objects is sure. One that had to take array elements by their place is a person's to look at, and so is one
  /// in which both sides changed the same key: there it holds the side that the tie rule names.
  public static func keys(tie: TieRule = .client, margin: Int64 = 0) -> MergePolicy {
    keys(tie: tie, margin: margin, read: \.json, write: { value, _ in Value(value) })
  }

  /// The same for a column that holds JSON as text. A merge that comes to what a side has is that side's own text, whatever
  /// its blanks and the order of its keys; any other is laid out as the client's.
  public static func keysOfText(tie: TieRule = .client, margin: Int64 = 0) -> MergePolicy {
    keys(tie: tie, margin: margin, read: \.jsonInText) { value, sides in
      .text(value.text(like: sides.compactMap(\.text)))
    }
  }
}

extension MergePolicy where Value == String {
  /// JSON in a text by its keys: objects key by key, and everything else as ``latest(tie:margin:)``.
  public static var keys: MergePolicy { keys(tie: .client) }

  /// - Parameter tie: the side that is suggested where a person decides between edits of one time.
  public static func keys(tie: TieRule) -> MergePolicy {
    keys(tie: tie, read: { try? JSONValue(parsing: $0) }, write: { $0.text(like: $1) })
  }
}

extension MergePolicy {
  /// - Parameter write: what is neither side's own, beside what the client, the server and the ancestor have.
  static func keys(
    tie: TieRule, margin: Int64 = 0, read: @escaping @Sendable (Value) -> JSONValue?,
    write: @escaping @Sendable (JSONValue, [Value]) -> Value
  ) -> MergePolicy {
    let latest = latest(tie: tie, margin: margin)
    return MergePolicy(.keys) { ancestor, client, server in
      guard !areAlike(client.value, server.value), let old = read(ancestor.value),
        let here = read(client.value),
        let there = read(server.value),
        let merge = JSONMerge(ancestor: old, client: here, server: there, preferring: tie.side)
      else { return latest.merge(ancestor, client, server) }
      let value =
        merge.value == here
        ? client.value
        : merge.value == there
          ? server.value : write(merge.value, [client.value, server.value, ancestor.value])
      return suggestion(merge, value, client, server)
    } reconcile: { client, server in
      latest.reconcile(client, server)
    }
  }

  private static func suggestion(
    _ merge: JSONMerge, _ value: Value, _ client: Version, _ server: Version
  ) -> Suggestion<Value> {
    let reason: Reason = merge.overlaps > 0 ? .overlap(places: merge.overlaps) : .policy("keys")
    let isSure = merge.overlaps == 0 && !merge.isByPlace
    return Suggestion(
      value, source: .named(value, client: client.value, server: server.value),
      certainty: isSure ? .sure : .yours, reason: reason)
  }
}

extension Value {
  fileprivate var jsonInText: JSONValue? { text.flatMap { try? JSONValue(parsing: $0) } }
}
