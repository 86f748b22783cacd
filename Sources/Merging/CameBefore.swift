/// What tells the versions of the server's apart that came in before the one of a conflict: see ``RecordConflict/Details/cameBefore``.
///
/// Made where somebody asks, as hardly anybody does: only a decision that was about another version of the server's. Each takes a look into an
/// archive, and of a record of which a hundred came in each of them has all before it.
package struct CameBefore: Sendable {
  private let make: @Sendable () -> [Value]

  package init(_ marks: @autoclosure @escaping @Sendable () -> [Value]) { make = marks }

  /// As often as somebody asks anew.
  package var marks: [Value] { make() }
}

extension CameBefore: Equatable {
  package static func == (first: CameBefore, second: CameBefore) -> Bool { first.marks == second.marks }
}
