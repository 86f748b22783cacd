enum TerminalEntry {
  static let paletteColours = 8
}
