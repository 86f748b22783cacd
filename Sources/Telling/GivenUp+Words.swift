import ExactJSON
import Merging
import StoreInterface

extension GivenUp {
  /// What stands behind what was there, and behind what a side made of it, where they do not show what tells them from others: "", " (U+00A0)".
  package typealias Ends = (old: String, new: String)

  /// "title of the server: Call Dr. Wu", "the client's deletion", "notes of leaf 3: too long to be kept"
  ///
  /// - Parameters:
  ///   - arrow: what stands between what was there and what a side made of it.
  ///   - name: how a field's name is said, where not as everywhere.
  ///   - said: the same of a value.
  ///   - ends: see ``Ends``; not told with hidden values.
  ///   - lineEnd: what stands for a line's end among the words of a change.
  package func words(
    _ privacy: Privacy, arrow: String = "→", name: ((String) -> String)? = nil,
    said: ((Value) -> String)? = nil, ends: Ends = ("", ""), lineEnd: String = LostPart.lineEnd
  ) -> String {
    let name: (String) -> String = name ?? { privacy.name($0) }
    return switch what {
    case .edit(let field, let value):
      "\(name(field)) of \(who): "
        + (value.map { (said?($0) ?? told($0, privacy)) + end($0, privacy, ends.new) }
          ?? "too long to be kept")
    case .change(let field, let part):
      "\(name(field)) of \(who): \(part.words(privacy, arrow: arrow, ends: ends, lineEnd: lineEnd))"
    case .more(let field, let count):
      "\(name(field)) of \(who): \(count) more \(count == 1 ? "change" : "changes")"
    case .deletion: "\(who)'s deletion"
    case .record: "\(who)'s record"
    case .unknown: "what \(who) has, which is not known"
    case .other(let words): privacy.shown(words)
    }
  }

  /// A key that points to another record is told by that record's title.
  private func told(_ value: Value, _ privacy: Privacy) -> String {
    privacy.line(value, titles: title.map { [value: $0] } ?? [:], kind: kind)
  }

  private func end(_ value: Value, _ privacy: Privacy, _ given: String) -> String {
    given.isEmpty || privacy.hides ? ending(value, privacy) : given
  }

  /// Of a text that reads like something else and stands in no quotes.
  private func ending(_ value: Value, _ privacy: Privacy) -> String {
    guard kind != .text, title == nil, !privacy.hides, case .text(let text) = value,
      privacy.line(value, kind: kind).hasSameBytes(as: text)
    else { return "" }
    return " (\(Value.typeName(value)))"
  }

  private var who: String { party ?? otherLeaf ?? side.map { "the \($0.rawValue)" } ?? "the store" }

  /// The first leaf is the client's.
  private var otherLeaf: String? { leaf.flatMap { $0 == 1 && side != nil ? nil : "leaf \($0)" } }
}

extension Privacy {
  /// The path of a key of JSON, which may be somebody's; nil for words. What is chosen of that key is told by the same hash.
  package func key(of part: LostPart) -> String? { hides ? part.pointer.map(shown) : part.name }
}

extension LostPart {
  /// `"insurance card" → "both cards"`, `rows[7]: removed {"sku":7}`
  ///
  /// - Parameters:
  ///   - ends: see ``GivenUp/Ends``; not told with hidden values.
  ///   - lineEnd: what stands for a line's end.
  package func words(
    _ privacy: Privacy, arrow: String = "→", ends: GivenUp.Ends = ("", ""), lineEnd: String = LostPart.lineEnd
  ) -> String {
    let path = privacy.key(of: self).map { $0 + ": " } ?? ""
    let ends: GivenUp.Ends = privacy.hides ? ("", "") : ends
    return switch (told(old, privacy, lineEnd), told(new, privacy, lineEnd)) {
    case (let old?, let new?): "\(path)\(old)\(ends.old) \(arrow) \(new)\(ends.new)"
    case (let old?, nil): "\(path)removed \(old)"
    case (nil, let new): "\(path)added \(new ?? "nothing")\(ends.new)"
    }
  }

  /// Where a change has no more than one line: as on the key that makes it.
  package static let lineEnd = "↵"

  /// nil where nothing is there. JSON tells itself what is a text.
  private func told(_ text: String?, _ privacy: Privacy, _ lineEnd: String) -> String? {
    guard let text, name != nil || !text.isEmpty else { return nil }
    if privacy.hides { return privacy.line(.text(text)) }
    return name != nil ? text : "\"\(text.replacingEach("\n", with: lineEnd))\""
  }
}

extension [GivenUp] {
  /// A line for each; of many of one field some of each side and leaf, and how many more there are, see ``FewLosses``.
  ///
  /// - Parameters:
  ///   - whole: what lists the rest, as far as it was kept: "D lists".
  ///   - most: how many are told of one field.
  ///   - name: how a field's name is said, where not as everywhere.
  ///   - words: what is said of one.
  package func lines(
    _ privacy: Privacy, whole: String, most: Int = 5, name: ((String) -> String)? = nil,
    words: (GivenUp) -> String
  ) -> [String] {
    map(\.field).unique.flatMap { field in
      let all = filter { $0.field == field }
      let lost = all.filter { $0.more == nil }
      let few = FewLosses(
        of: lost.map(\.owner), counted: all.compactMap(\.more), most: field == nil ? lost.count : most)
      let rest = field.map {
        "\(few.more) more of \(name?($0) ?? privacy.name($0))\(few.others)\(few.listed(by: whole, after: "; "))"
      }
      let told = few.places.map { words(lost[$0]) } + (few.more > 0 ? [rest].compactMap(\.self) : [])
      return told.map { "given up: \($0)" }
    }
  }
}

extension GivenUp {
  /// Of which something was given up; nil where it is the record.
  package var field: String? {
    switch what {
    case .edit(let field, _), .change(let field, _), .more(let field, _): field
    case .deletion, .record, .unknown, .other: nil
    }
  }

  /// What is said where there is none.
  ///
  /// - Parameter side: nil for either.
  package static func none(of side: Side? = nil) -> String {
    let who = side.map { "the \($0)" } ?? "a side"
    return
      "No edit of \(who) was given up so far, by a draft or by a write. What a mend sent is told by the log alone."
  }
}

extension JournalEntry {
  /// A line for each edit that was given up, up to a hundred of a field; one that says so, where the journal does not have them.
  ///
  /// - Parameters:
  ///   - whole: what lists the rest: "--json lists".
  ///   - name: how a field's name is said, where not as everywhere.
  ///   - words: what is said of one, where not as everywhere.
  ///   - ends: what does not show of each, as it is told everywhere.
  package func givenUpWords(
    _ privacy: Privacy, whole: String = "--json lists", name: ((String) -> String)? = nil,
    words: ((GivenUp) -> String)? = nil, ends: (GivenUp) -> GivenUp.Ends = { _ in ("", "") }
  ) -> [String] {
    givenUp?.lines(privacy, whole: whole, most: Self.mostOfField, name: name) {
      words?($0) ?? $0.words(privacy, ends: ends($0))
    } ?? ["given up: \(unknownLoss)"]
  }

  /// Nobody reads more of one field.
  package static let mostOfField = 100

  /// In the place of what it gives up, where the journal does not have that.
  package var unknownLoss: String {
    tookServer ? "cannot be told, as what it changed cannot" : "not kept by the Parley that decided"
  }

  /// Without what the other side has given up; nil if nothing is left. What is not known may be of either.
  package func givingUp(of side: Side?) -> JournalEntry? {
    guard let side, let all = givenUp else { return self }
    var entry = self
    entry.givenUp = all.filter { $0.side ?? side == side }
    return entry.givenUp == [] ? nil : entry
  }
}
