/// Why an archived record, or a captured row, gave no version of a row. Holds no value of it.
public enum ArchivedRowError: Error, Sendable, Equatable {
  /// The bytes are no archived CKRecord or no captured row, or a damaged one.
  case unreadable(String)
  /// System fields alone, as a slim acknowledgement leaves them, or no row: nothing to merge with.
  case noFields
  /// The column's bytes are an asset's, whose file the record only names; `sha256` where it tells it.
  case assetNotAtHand(column: String, sha256: [UInt8]?)
  /// `mergeFields` of the type has the column, and its `Decodable` asks for none of this name.
  case columnNotDecoded(column: String, type: String)
  /// `mergeFields` has the column, or the type reads it and a record has it, and the captured row does not.
  case columnNotCaptured(column: String)
  /// A column that is none of `mergeFields`, which the type reads, and nothing that was read has.
  case columnNotAtHand(column: String, type: String)
  /// The versions have other primary keys, or the records other names: they are no conflict.
  case otherRecord
  /// Both sides have changed the column, and `mergeFields` does not have it: what is settled without it would hide that.
  case columnNotMerged(column: String)
}

extension ArchivedRowError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let reason): "cannot be read: \(reason)"
    case .noFields: "has no fields to merge with"
    case .assetNotAtHand(let column, _):
      "the bytes of '\(column)' are in a file that is not at hand: 'bytes' has to bring them, or a type "
        + "of its own for the merge to have the column as an AssetReference"
    case .columnNotDecoded(let column, let type):
      "\(type) merges the column '\(column)' and never decodes it: its coding key and mergeFields need the same name"
    case .columnNotCaptured(let column):
      "the captured row has no column '\(column)': the type needs the table's name for it, and the table's triggers have to be "
        + "those that `parley capture` prints now"
    case .columnNotAtHand(let column, let type):
      "\(type) reads the column '\(column)', which is none of its mergeFields, and nothing that was read has it, as of a "
        + "generated column: make it Optional, or give it a value in the type and no coding key"
    case .otherRecord:
      "ancestor, row and server's record are not of one record: their primary keys or names differ"
    case .columnNotMerged(let column):
      "both sides changed the column '\(column)', which mergeFields does not have: a person decides"
    }
  }
}
