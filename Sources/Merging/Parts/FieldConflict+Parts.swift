extension FieldConflict {
  /// Whether it looks as if a change of it could stand without the others: texts are not taken apart for that.
  package var mayHaveParts: Bool { versionsOfParts?.mayHaveParts == true }

  /// nil for what has none. A text of megabytes takes its time.
  package var parts: FieldParts? {
    guard let versions = versionsOfParts, versions.mayHaveParts else { return nil }
    return FieldParts(ancestor: versions.ancestor, client: versions.client, server: versions.server)
  }

  private var versionsOfParts: ThreeWay<Value>? {
    // Where nobody knows an ancestor there is no change of what both sides have.
    guard let client = client?.value, let server = server?.value, change != .unchanged,
      ancestor != nil || client != server
    else { return nil }
    return ThreeWay(ancestor: ancestor?.value, client: client, server: server)
  }

  /// The side with the newer edit; nil where no time tells.
  ///
  /// - Parameter margin: how far the clocks of two devices may be apart.
  package func newerSide(margin: Int64) -> Side? {
    guard let client = client?.time, let server = server?.time, client != server,
      client.distance(inTimeTo: server) >= margin
    else { return nil }
    return client > server ? .client : .server
  }
}
