import Merging

extension RecordConflict {
  /// What the app's engine has made of a field by itself, before anybody decided, as a sentence without its full stop; nil where that
  /// is what both sides have, or no engine has merged the record.
  package func wordsOfMergedRow(_ field: FieldConflict, _ privacy: Privacy) -> String? {
    guard field.needsDecision, !isWhole, let value = details.mergedRow?[field.name] else { return nil }
    let sides = [Side.server, .client].filter { field.version($0)?.value == value }
    switch sides.first {
    case _ where sides.count == 2: return nil
    case .server? where field.change == .onlyServer:
      return "The app took the server's value meanwhile; the row already has it"
    // Of an edit here the engine keeps this device's value, so far as is known.
    case .server?: return "The row already has the server's value: the app took it, or it was set here since"
    // What one side alone has changed is nothing that the app kept against anybody.
    case .client? where [.onlyServer, .onlyClient].contains(field.change): return nil
    case .client?: return "The app kept the client's value; the row still has it"
    case .ancestor?, nil:
      return "The row has \(privacy.line(value, kind: field.field.kind)) by now, which neither side has"
    }
  }
}
