import Desk
import Merging
import StoreInterface

/// `m`: a text is put together change by change, as on the desk's page of a merge. It is kept as one decision, once its person has
/// heard what it comes to.
extension LinearDesk {
  /// nil where nothing is kept, which is told then.
  func merged(_ record: DecidedConflict) throws -> Choice? {
    guard case .ofOne(_, .field(let name)) = asked, let field = record.conflict[name],
      var merge = LinearMerge(field, in: record)
    else {
      try tell(
        """
        Only texts of several words, JSON objects, and lists of one length are merged by their changes, of a record that is \
        decided field by field.
        """
      )
      return nil
    }
    try tell(merge.heading)
    while try goThrough(&merge) {
      guard merge.left == 0 else {
        try tell("\(merge.left == 1 ? "1 change is" : "\(merge.left) changes are") still to decide.")
        merge.goToUndecided()
        continue
      }
      switch try isKept(merge, of: record.conflict) {
      case .yes: return .parts(merge.result)
      case .back: _ = merge.goBack()
      case .leave: return try leaveMerge()
      }
    }
    return try leaveMerge()
  }

  /// Whether what is asked about can be put together of its changes.
  var isMergeable: Bool {
    guard case .ofOne(_, .field(let name)) = asked, let seen, let field = seen.conflict[name] else {
      return false
    }
    return LinearMerge(field, in: seen) != nil
  }

  private enum Ending {
    case yes, back, leave

    /// nil for what is no answer.
    init?(_ line: String) {
      switch line.asAnswer {
      case "yes", "y", "Y": self = .yes
      case "h", "b", "back": self = .back
      case "q", "quit", "n", "no": self = .leave
      default: return nil
      }
    }
  }

  private func leaveMerge() throws -> Choice? {
    try tell("Nothing of the merge was kept.")
    return nil
  }

  /// Asks about one change after the other; false where that was left.
  private func goThrough(_ merge: inout LinearMerge) throws -> Bool {
    while let part = merge.part {
      try tell(merge.question(part).dropLast() + text.unseenDifferences(part))
      guard let typed = try line(answering: merge.question(part).last ?? ""),
        try take(LinearMergeAnswer(typed), for: part, in: &merge)
      else { return false }
    }
    return true
  }

  /// False where the merge is left.
  private func take(
    _ answer: LinearMergeAnswer, for part: FieldPart, in merge: inout LinearMerge
  ) throws -> Bool {
    switch answer {
    case .leave: return false
    case .next: merge.goOn()
    case .back: if !merge.goBack() { try tell("This is the first change.") }
    case .result: try tell(merge.soFar)
    case .suggestion: try choose(merge.suggestion(for: part), for: part, in: &merge)
    case .choose(let choice): try choose(choice, for: part, in: &merge)
    case .words(let typed): try type(typed, for: part, in: &merge)
    case .rest: try acceptRest(&merge)
    case .help: try tell(merge.meanings(of: part))
    case .notUnderstood(let line): try tell(LinearText.noAnswer(line))
    }
    return true
  }

  private func choose(_ choice: PartChoice?, for part: FieldPart, in merge: inout LinearMerge) throws {
    guard let choice else { return try tell("Neither edit is known to be newer, so nothing is suggested.") }
    if let refusal = merge.choose(choice, for: part) { return try tell(refusal) }
    merge.goOn()
  }

  private func type(_ typed: String?, for part: FieldPart, in merge: inout LinearMerge) throws {
    let prompt = "The words for this change; Enter leaves it:"
    guard let words = try typed ?? line(answering: prompt), !words.isEmpty else { return }
    try choose(.edit(merge.spaced(words, like: part)), for: part, in: &merge)
  }

  private func acceptRest(_ merge: inout LinearMerge) throws {
    if merge.acceptAll() {
      while merge.part != nil { merge.goOn() }
    } else {
      try tell("Neither edit is known to be newer, so each is to decide.")
    }
  }

  /// What is answered to the result, once it has been told with what it gives up. Nothing that was put together goes by a slip.
  private func isKept(_ merge: LinearMerge, of conflict: RecordConflict) throws -> Ending {
    let name = merge.field.name
    try tell("\(LinearText.name(name)) becomes: \(text.inFull(merge.result.value))".ended)
    let (value, kind) = (merge.result.value, merge.field.field.kind)
    let lost = conflict.givenUp(by: .parts(merge.result), for: .field(name)).map {
      text.lost($0, $0.unseenEnds(beside: value, kind: kind, isASCII: text.isASCII, isSpoken: true))
    }
    try tell(lost.isEmpty ? ["Nothing is given up."] : lost.map { "Given up: \($0)".ended })
    let prompt = "Type yes to keep it, h for the last change, q to leave the field as it was:"
    while let typed = try line(answering: prompt) {
      if let ending = Ending(typed) { return ending }
      try tell("\(LinearText.typed(typed)) is no answer here.")
    }
    return .leave
  }

  /// A line that is no text is told, and asked for again: what was put together is not lost by it.
  private func line(answering prompt: String) throws -> String? {
    while true {
      do {
        return try answer(prompt)
      } catch let refusal as TypedLine.NotText {
        try tell(refusal.words)
      }
    }
  }
}
