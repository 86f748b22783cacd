@testable import Simulation

/// How a story should end.
extension Standing {
  /// Whether row, last-known record and server's record hold the same, and nothing is on its way.
  var isAgreed: Bool {
    pending == nil && inFlight == nil && conflict == nil && lastKnown?.tag == server?.tag && isRowOfServer
  }

  private var isRowOfServer: Bool {
    guard let row, let server else { return row == nil && server == nil }
    return row.allSatisfy { server.value($0.key) == $0.value }
  }
}

extension Device {
  /// Whether nothing waits: nothing to send, no answer under way, no conflict to resolve.
  var isSettled: Bool {
    records.values.allSatisfy { $0.pending == nil && $0.inFlight == nil && $0.metadata?.incoming == nil }
  }
}
