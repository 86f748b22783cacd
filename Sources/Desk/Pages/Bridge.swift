import Terminal

struct ListPage: DeskPage {
  var page: Page? { nil }
  var topic: Topic { .list }
  func isTyping(on desk: DeskState) -> Bool { desk.list.isTyping }
  mutating func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? { desk.runInList(command) }
  mutating func type(_ key: Key, on desk: inout DeskState) -> [DeskEffect]? {
    desk.list.isTyping ? desk.takeSearch(key) : nil
  }
  mutating func paste(_ text: String, on desk: inout DeskState) -> [DeskEffect]? {
    guard desk.list.isTyping else { return nil }
    desk.list.show(desk.list.filter, words: desk.list.words + text)
    return []
  }
  mutating func click(_ point: Point, opens: Bool, on desk: inout DeskState) -> [DeskEffect] {
    desk.clickInList(point, opens: opens)
  }
  func draw(_ desk: DeskState) -> Grid { ListScreen(desk).draw() }
}

extension WalkthroughPage: DeskPage {
  var page: Page? { .walkthrough(self) }
  var topic: Topic { .walkthrough }
  func hint(of binding: Binding, width: Int, on desk: DeskState) -> String? {
    binding.command == .open && showsAll ? "one step" : binding.hint
  }
  mutating func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    desk.run(command, in: self)
  }
  func draw(_ desk: DeskState) -> Grid { WalkthroughScreen(state: desk, page: self).draw() }
}
