/// A revision's id as a screen has room for it: its generation and the first digits of the rest.
///
///     3-afa9e12f7a64362c94cd1bd253f31298   3-afa9e1
public struct RevisionName: Sendable, Equatable {
  /// How many digits are shown, so that no two of the ids look alike: 6, or as many more as it takes, up to 16.
  public let digits: Int

  /// Finds how many digits it takes to tell these ids apart; one that is there twice counts once.
  public init(toTellApart ids: some Collection<String>) {
    let different = Set(ids)
    digits =
      (6..<16).first { digits in
        Set(different.map { RevisionName.short($0, digits) }).count == different.count
      } ?? 16
  }

  /// In one column for each character: ids are made by others, so what is not plain ASCII shows as `?`.
  public func short(_ id: String) -> String { RevisionName.short(id, digits) }

  private static func short(_ id: String, _ digits: Int) -> String {
    let dash = id.firstIndex(of: "-").map { id.index(after: $0) } ?? id.startIndex
    // A generation of ten digits or more is nobody's; it must not take the room of everything else.
    let generation = id[..<dash].prefix(10)
    return String((generation + id[dash...].prefix(digits)).map { $0.isPlain ? $0 : "?" })
  }
}

extension Character {
  fileprivate var isPlain: Bool { asciiValue.map { (0x21...0x7E).contains($0) } ?? false }
}
