extension ChoiceRefusal: CustomStringConvertible {
  public var description: String { words }

  /// Why the choice cannot be made, and which can.
  public var words: String {
    switch self {
    case .notWritable(let field):
      "\(field) is a key or a generated column and is never written. Decide the other fields."
    case .sideHasNoVersion(let side):
      "The \(side.rawValue) has no version of it to take. Take another side."
    case .notAtHand(let side):
      "The \(side.rawValue)'s bytes are not here, only their hash. Take another side, or give a file."
    case .ancestorNotChoosable(let reason):
      "The ancestor's value cannot be taken: \(reason). Take the client's or the server's, or give a value."
    case .decidedAsAWhole:
      "The record is decided as a whole, not field by field. Take the client's record or the server's."
    case .nothingToDecide:
      "There is nothing to decide here: it is not in conflict."
    case .waiting:
      "Its draft waits for the app. Take that back first, by undo; or let the app apply it."
    case .wrongType(let field, let expected):
      "\(field) takes \(ChoiceRefusal.kind(expected)). Give such a value, or take a side."
    case .notReadable(let field, let expected):
      "\(field) is \(expected) so far, and this is none. Say another type in front: text:… or json:…."
    case .readableTwice(let field, let expected):
      "\(field) is \(expected.isEmpty ? "of no type" : expected) so far, and this could be text or not. "
        + "Say which in front: text:… or json:…."
    case .tooLarge(let field):
      "\(field) takes a whole number, and this one is too large: they end at \(Int64.max) and \(Int64.min). "
        + "Give such a value, or take a side."
    case .attachment(let field):
      "\(field) is a file, which is taken from a leaf as it is, or left out. Take a side; json: leaves it out."
    case .noSuchAlternative(let id, let known):
      "The whole record cannot be decided as \(id). "
        + (known.isEmpty ? "Decide it field by field." : "It can: \(known.joined(separator: ", ")).")
    case .required(let field):
      "\(field) must have a value; the table does not allow NULL there. Give one, or take a side."
    }
  }

  /// ``Field/Kind-swift.enum`` as a person says it.
  private static func kind(_ expected: String) -> String {
    switch expected {
    case Field.Kind.integer.rawValue: "a whole number"
    case Field.Kind.real.rawValue: "a number"
    case Field.Kind.text.rawValue: "text"
    case Field.Kind.blob.rawValue: "bytes"
    default: expected
    }
  }
}
