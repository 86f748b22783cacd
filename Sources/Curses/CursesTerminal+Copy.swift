import Foundation
import Terminal

extension CursesTerminal {
  /// Asks the terminal to put `text` into the clipboard (OSC 52). Terminals may refuse, and none tells.
  ///
  /// - Parameter isInsideTmux: tmux keeps the request to itself unless it is wrapped (and even then, if its
  ///   `allow-passthrough` is off).
  package func copy(_ text: String, isInsideTmux: Bool) {
    screen.send(Self.copyRequest(text, isInsideTmux: isInsideTmux))
  }

  static func copyRequest(_ text: String, isInsideTmux: Bool) -> String {
    let request = "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}"
    return isInsideTmux ? "\u{1B}Ptmux;\u{1B}\(request)\u{1B}\\" : request
  }
}
