import Terminal

extension [String] {
  /// ": id, notes +2" as far as there is room for whole names, with how many more there are; nothing where there is none for a name.
  func listed(room: Int) -> String {
    guard !isEmpty else { return "" }
    for count in (1...self.count).reversed() {
      let more = self.count > count ? " +\(self.count - count)" : ""
      let told = ": \(prefix(count).joined(separator: ", "))\(more)"
      if DisplayText.width(told) <= room { return told }
    }
    return ""
  }
}
