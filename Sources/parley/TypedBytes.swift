import Foundation

/// What was typed, as the system hands it over: bytes. Swift makes texts of them, in which another sign stands for what is no UTF-8; a
/// value would be another one than was meant.
enum TypedBytes {
  /// - Throws: ``CommandError/misused(words:)`` for an argument that is not UTF-8, as from a terminal with another encoding.
  static func check(_ arguments: [UnsafeMutablePointer<CChar>?]) throws {
    for (number, argument) in arguments.enumerated().dropFirst() {
      guard let argument, String(validatingCString: argument) == nil else { continue }
      throw CommandError.misused(
        words: """
          Argument \(number) is not UTF-8: \(String(cString: argument)). Set the terminal's encoding to UTF-8; a value can also \
          come from a file, as --set FIELD=file:PATH, and a file of such a name is reached by a link to it.
          """)
    }
  }
}
