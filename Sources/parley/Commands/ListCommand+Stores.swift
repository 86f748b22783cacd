import ExactJSON
import Merging
import SQLiteDataStores
import StoreInterface
import Terminal

/// `parley list FOLDER` where the folder holds several stores: one line for each, with how many conflicts it has.
extension ListCommand {
  /// With `--json` also one object for each: `{"path":"…","conflicts":2}`.
  ///
  /// A store that cannot be opened is told with the reason, and the others are listed all the same.
  func listStores(_ paths: [String], _ surroundings: Surroundings) throws -> ExitStatus {
    var layout = ColumnLayout(columns: 2, limit: surroundings.width)
    var status = ExitStatus.nothingLeft
    for path in paths {
      do {
        let count = try conflicts(in: path, surroundings)
        if count > 0 && status == .nothingLeft { status = .left }
        try tell(path, count, &layout, surroundings)
      } catch let error as StoreError {
        try surroundings.errors.print(DisplayText.safe("parley: \(error)"))
        try surroundings.errors.flush()
        status = ExitStatus(error)
      }
    }
    return status
  }

  private func conflicts(in path: String, _ surroundings: Surroundings) throws -> Int {
    var request = store.request(.reading)
    request.path = path
    var count = 0
    try surroundings.open(request).forEachSummary { _ in count += 1 }
    return count
  }

  private func tell(
    _ path: String, _ conflicts: Int, _ layout: inout ColumnLayout, _ surroundings: Surroundings
  ) throws {
    if print.json {
      let line = JSON(members: ["path": .string(path), "conflicts": JSON(conflicts)])
      return try surroundings.output.print(line)
    }
    for line in layout.lines([[path, ListText.count(conflicts, ready: 0)]]) {
      try surroundings.output.print(line)
    }
    try surroundings.output.flush()
  }
}
