import Simulation
import Terminal

/// Two devices and the server between them, and what moves between them in a step.
///
/// ```
///    Sonia                     Server                    Fred
///    [4] ──────── >*> ───────▸ [4]                       [3] <->
///                              lock: Sonia
/// ```
struct FilePicture {
  let story: FileStory
  let entry: FileTimeline.Entry

  static let height = 5
  static let leastColumns = 60

  init(_ story: FileStory, _ entry: FileTimeline.Entry) { (self.story, self.entry) = (story, entry) }

  func draw(columns: Int) -> Grid {
    var grid = Grid(Size(columns: columns, rows: Self.height))
    // Between the server and the other device there has to be room for what the server says.
    let places = [3, columns - (columns < 80 ? 18 : 24)]
    let middle = columns / 2 - 5
    for (name, place) in zip(story.devices, places) {
      let width = (place < middle ? middle - 1 : columns) - place
      grid.write(name, at: place, 1, isActing(name) ? .text.bold : .text, width: width)
      grid.write(node(of: name), at: place, 2, width: width)
      grid.write(cameIn(to: name), at: place, 3, width: width)
    }
    let width = places[1] - 1 - middle
    grid.write("server", at: middle, 1)
    let serverEnd = grid.write(server, at: middle, 2, width: width)
    grid.write(lock, at: middle, 3, width: width)
    let leftEnd = places[0] + node(of: story.devices[0]).width
    drawPath(&grid, from: leftEnd + 1, to: middle - 1, of: story.devices[0], serverIsRight: true)
    drawPath(&grid, from: serverEnd + 1, to: places[1] - 1, of: story.devices[1], serverIsRight: false)
    return grid
  }

  private func isActing(_ name: String) -> Bool { entry.device == name }

  private func standing(_ name: String) -> FileAtDevice { entry.after.standing(of: story.file, on: name) }

  /// What a device knows, and what waits there.
  private func node(of name: String) -> [Run] {
    let standing = standing(name)
    let known = Run("[\(standing.isDeleted ? "-" : standing.versionWords)]", .ancestor)
    return [known] + standing.pending.map { Run($0.isUpload ? " <*>" : " <->", .client.bold) }
  }

  private func cameIn(to name: String) -> [Run] {
    guard let download = standing(name).download else { return [] }
    let ink: Ink = download.isAsked ? .needs.bold : .server
    return [
      Run("<\(download.version.map(String.init) ?? "-")> ", .server.bold), Run(download.stageWords, ink),
    ]
  }

  private var server: [Run] {
    let isDeleted = entry.after.server.index[story.file]?.isDeleted == true
    let version = entry.after.server.index[story.file].map { String($0.version) } ?? " "
    return [Run("[\(isDeleted ? "-" : version)]", .server.bold)]
      + (isDeleted ? [Run(" \(version) deleted", .server)] : [])
  }

  private var lock: [Run] {
    entry.after.server.lock.map { [Run("lock: ", .dim), Run($0, .needs.bold)] } ?? [Run("lock: free", .dim)]
  }

  private func drawPath(
    _ grid: inout Grid, from start: Int, to end: Int, of name: String, serverIsRight: Bool
  ) {
    guard let move = move(of: name), end - start > 8 else { return }
    let goesRight = move.isUp == serverIsRight
    let room = end - start - DisplayText.width(move.label) - 3
    let dashes = { (count: Int) in String(repeating: "─", count: max(0, count)) }
    let line = "\(dashes(room / 2)) \(move.label) \(dashes(room - room / 2))"
    grid.write(goesRight ? line + "▸" : "◂" + line, at: start, 2, .text, width: end - start)
  }

  private struct Move {
    var label: String
    /// From the device to the server.
    var isUp: Bool
  }

  /// What a device and the server exchange in this step.
  private func move(of name: String) -> Move? {
    guard isActing(name) else { return nil }
    return entry.events.compactMap { event -> Move? in
      switch event {
      case .sent(let requests): Move(label: requests.map(label).joined(separator: " "), isUp: true)
      case .found, .nothingToDo, .droppedDeletions: Move(label: "index", isUp: false)
      case .downloaded: Move(label: downloaded(to: name), isUp: false)
      case .lockHeld: Move(label: "locked out", isUp: false)
      case .edited, .deleted, .alreadyDeleted, .transferredIn, .toldDeletions, .decided, .nothingAsked,
        .stopped:
        nil
      }
    }.last
  }

  private func downloaded(to name: String) -> String {
    standing(name).download?.version.map { "<\($0)>" } ?? "another file"
  }

  private func label(_ request: FileDevice.Request) -> String {
    switch request {
    case .upload(story.file, _, _): ">*>"
    case .deletion(story.file, _): ">->"
    case .upload(let other, _, _), .deletion(let other, _), .download(let other): other
    }
  }
}
