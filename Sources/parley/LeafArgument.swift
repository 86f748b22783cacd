import Merging
import Telling

/// A leaf of a document, where a person names one behind `--set`: by its id, by the beginning of that, as `parley show` prints it, or
/// by the hash of a redacted report.
///
///     stock=leaf:2-65030c      the value that it has there, as `s` takes it in the desk
///     record=2-65030c          its whole record
struct LeafArgument {
  private let conflict: RecordConflict
  private let privacy: Privacy

  private static let form = "leaf:"

  /// What stands behind `leaf:`, or all of it.
  static func name(in text: String) -> String {
    text.hasPrefix(form) ? String(text.dropFirst(form.count)) : text
  }

  init(conflict: RecordConflict, _ privacy: Privacy = .open) {
    (self.conflict, self.privacy) = (conflict, privacy)
  }

  /// What is typed for a field: the value of a leaf, or one of a person's own.
  ///
  /// - Throws: ``ChoiceRefusal``, ``StoreError/cannotRead(path:detail:isForbidden:)``, ``CommandError``
  func choice(typed text: String, for field: FieldConflict) throws -> Choice {
    if !conflict.liveLeaves.isEmpty {
      if text.hasPrefix(Self.form) { return try choice(naming: text, for: field) }
      try checkIsNoLeaf(text, field)
    }
    return .edit(try ValueArgument(record: conflict, conflict: field).value(text))
  }

  /// - Parameter text: with `leaf:` in front.
  private func choice(naming text: String, for field: FieldConflict) throws(CommandError) -> Choice {
    let leaf = try live(Self.name(in: text), typed(text, field))
    guard let choice = conflict.choice(of: leaf.id, for: .field(field.name)), !leaf.version.isUnknown else {
      throw .leafNotRead(short(leaf))
    }
    return choice
  }

  /// nil for what names no live leaf.
  ///
  /// - Throws: ``CommandError/ambiguousLeaf(_:candidates:text:)``
  func choice(ofWhole text: String) throws -> Choice? {
    try liveIfThere(Self.name(in: text)).flatMap { conflict.choice(ofWhole: $0.id) }
  }

  private func named(_ name: String) -> [Leaf] {
    name.hasPrefix("#")
      ? conflict.details.leaves.filter { privacy.shown($0.id) == name } : conflict.leaves(named: name)
  }

  private func live(_ name: String, _ text: OfferedText?) throws(CommandError) -> Leaf {
    if let leaf = try liveIfThere(name, text) { return leaf }
    throw .unknownLeaf(name, known: short(conflict.liveLeaves), text: text)
  }

  private func liveIfThere(_ name: String, _ text: OfferedText? = nil) throws(CommandError) -> Leaf? {
    let named = named(name).filter { !$0.isDeleted }
    if named.count > 1 { throw .ambiguousLeaf(name, candidates: short(named), text: text) }
    return named.first
  }

  /// nil for an attachment, which takes no text.
  private func typed(_ text: String, _ field: FieldConflict) -> OfferedText? {
    field.name.hasPrefix(Field.attachmentPrefix) ? nil : OfferedText(field: field.name, text: text)
  }

  /// The whole text may be meant as the leaf, or as the text that it is.
  private func checkIsNoLeaf(_ text: String, _ field: FieldConflict) throws(CommandError) {
    let leaves = conflict.leaves(named: text).filter { text.utf8.count >= leastLength(of: $0) }
    let live = leaves.filter { !$0.isDeleted }
    if live.count > 1 {
      throw .ambiguousLeaf(text, candidates: short(live), text: typed(text, field))
    }
    guard let leaf = live.first ?? leaves.first else { return }
    throw .leafOrText(field: field.name, text: text, leaf: leaf.isDeleted ? nil : short(leaf))
  }

  /// Of its id where that is told as short as anywhere: less is rather a date, or a range.
  private func leastLength(of leaf: Leaf) -> Int {
    RevisionName(toTellApart: [leaf.id]).short(leaf.id).utf8.count
  }

  private func short(_ leaf: Leaf) -> String { short([leaf])[0] }

  /// As they are told, so that no two leaves are told alike. That takes all of them, so it is found where some are told, and once then.
  private func short(_ leaves: [Leaf]) -> [String] {
    let name = RevisionName(toTellApart: conflict.details.leaves.map(\.id))
    return leaves.map { name.short($0.id) }
  }
}
