import Merging

extension ChoiceRefusal {
  /// Why the choice cannot be made, and which can.
  package var words: String { words(.open) }

  fileprivate func words(_ privacy: Privacy) -> String {
    switch self {
    case .notWritable(let field):
      "\(privacy.name(field)) is a key or a generated column and is never written. Decide the other fields."
    case .sideHasNoVersion(let side): "The \(side.rawValue) has no version of it to take. Take another side."
    case .ancestorIsNoWay:
      "The ancestor is no way to decide a whole record: it is kept as a side has it, or deleted. Take the client or the server."
    case .notAtHand(let side):
      "The \(side.rawValue)'s bytes are not here, only their hash. Take another side, or give a file."
    case .ancestorNotChoosable(let reason):
      "The ancestor's value cannot be taken, whoever has it: \(reason). Take a side that has another, or give one."
    case .decidedAsAWhole(let known):
      "The record is decided as a whole, not field by field. "
        + (known.isEmpty
          ? "Take the client's record or the server's." : "It can: \(known.joined(separator: ", ")).")
    case .nothingToDecide: "There is nothing to decide here: it is not in conflict."
    case .waiting: "Its draft waits for the app. Take that back first, by undo; or let the app apply it."
    case .inOutbox:
      "It is decided, and waits in the outbox. Take that back first, by undo; where undo has no such write, as its "
        + "journal is gone, move the file that ends in .parley-outbox.json away."
    case .wrongType(let field, let expected):
      "\(privacy.name(field)) takes \(expected.words). Give such a value, or take a side."
    case .noTruth(let field):
      "\(privacy.name(field)) takes true or false, 1 or 0. Give such a value, or take a side."
    case .notJSON(let field, let reason):
      "\(privacy.name(field)) takes JSON\(reason.map { ", and this is none: \($0)" } ?? ""). "
        + "Give such a value, or take a side."
    case .unreadJSON(let field):
      "\(privacy.name(field)) would have half of a surrogate pair, or a number beyond all Doubles, which apps do not read. "
        + "Give another value, or take a side."
    case .notANumber(let field):
      "\(privacy.name(field)) keeps NULL for what is not a number. Give a number, or take a side."
    case .noColumnValue(let field):
      "\(privacy.name(field)) is a column, and takes text, a number or bytes. Give such a value, or take a side."
    case .notReadable(let field, let expected):
      "\(privacy.name(field)) is \(expected) so far, and this is none. Say another type in front: text:… or json:…."
    case .readableTwice(let field, let expected):
      "\(privacy.name(field)) is \(expected.isEmpty ? "of no type" : expected) so far, and this could be text or not. "
        + "Say which in front: text:… or json:…."
    case .realToSQLite(let field, let real):
      "\(privacy.name(field)) takes a whole number, and to SQLite this one is the real \(real). "
        + "Give one in digits, from \(Int64.min) to \(Int64.max), or take a side."
    case .noInteger(let field):
      "\(privacy.name(field)) is given by integer:, and what follows that is read as no integer of 64 bits. "
        + "Give one in digits, or say what it is by another word in front, such as real: or text:."
    case .beyondDoubles(let field):
      "\(privacy.name(field)) takes a number, and this one is beyond all Doubles. Give another value, or take a side."
    case .rounded(let field, let real):
      "\(privacy.name(field)) takes a number, and this one would be rounded to \(real.allDigits). "
        + "Give one that a Double is, or take a side."
    case .toGiveInDigits(let field, let integer):
      "\(privacy.name(field)) keeps this whole number only if it is given in digits alone. Give \(integer), or take a side."
    case .attachment(let field):
      "\(privacy.name(field)) is a file, which is taken from a leaf as it is, or left out. Take a side; json: leaves it out."
    case .partsToDecide(let field):
      "Some parts of \(privacy.name(field)) are not decided yet. m in the desk goes on with them."
    case .noSuchAlternative(let id, let known):
      "The whole record cannot be decided as \(id). "
        + (known.isEmpty ? "Decide it field by field." : "It can: \(known.joined(separator: ", ")).")
    case .required(let field):
      "\(privacy.name(field)) must have a value; the table does not allow NULL there. Give one, or take a side that has one."
    }
  }
}

extension Privacy {
  /// Some name the field, and that may be somebody's file.
  package func words(_ refusal: ChoiceRefusal) -> String { refusal.words(self) }
}

extension Field.Kind {
  /// As a person says it.
  fileprivate var words: String {
    switch self {
    case .integer: "a whole number"
    case .real: "a number"
    case .blob: "bytes"
    case .text, .numeric, .any: rawValue
    }
  }
}
