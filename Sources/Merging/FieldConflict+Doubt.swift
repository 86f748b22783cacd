extension FieldConflict {
  /// The same, left to a person where the suggestion stands on something that can hardly be true: a time that lies ahead, or
  /// a value which is not of the field's type and is not here already.
  func doubted(latestTime: Int64?) -> FieldConflict {
    guard let reason = doubt(latestTime) else { return self }
    var suggestion = suggestion
    (suggestion.certainty, suggestion.reason) = (.yours, reason)
    return FieldConflict(
      field: field, ancestor: ancestor, client: client, server: server, change: change, suggestion: suggestion
    )
  }

  private func doubt(_ latestTime: Int64?) -> Reason? {
    guard let certainty = suggestion.certainty, certainty > .yours else { return nil }
    if let expected = expectedType, suggestion.value != client?.value {
      return .wrongType(expected: expected)
    }
    guard case .newer(let side, _) = suggestion.reason, let latestTime, let time = version(side)?.time,
      time > latestTime
    else { return nil }
    return .timeAhead(side)
  }

  /// What the field takes, if the suggestion is something else. What nobody understands is shown as such anyway.
  private var expectedType: Field.Kind? {
    if case .opaque = suggestion.value { return nil }
    guard case .wrongType(_, let expected)? = field.refusal(of: suggestion.value) else { return nil }
    return expected
  }
}
