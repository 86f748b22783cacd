/// The longer texts of the demo store.
enum DemoTexts {
  static let dentist = """
    Ask about wisdom tooth and cleaning.
    Bring insurance card.

    Park in the back.

    Appointment 14:00
    """

  static let dentistHere = """
    Ask about the wisdom tooth and cleaning.
    Bring both cards.

    Park in the back.

    Appointment 14:30
    """

  static let dentistThere = """
    Ask about wisdom tooth, X-ray
    and cleaning.
    Bring new insurance card.

    Appointment 14:30
    """

  /// What a PNG file begins with.
  static let pictureHeader: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Forty paragraphs, one of them rewritten.
  static func letter(replacing changed: Int? = nil) -> String {
    (1...40).map { (number: Int) in
      number == changed
        ? "\(number). This has been settled by telephone; thank you for calling back so soon."
        : "\(number). The window in room \(number) does not close in the evening, and the heating below it stays cold."
    }.joined(separator: "\n\n")
  }
}
