import ExactJSON
import Merging

/// How a journal keeps a field that is put together of its parts:
///
///     {"choices":{"12+5":{"take":"client"},"/a/b":{"edit":"7"},"40+0":{"both":"server"}},"text":"the whole text"}
///
/// Of JSON `json` stands in the place of `text`; neither is there while something is left to decide.
extension PartChoices {
  var stored: String {
    let choices = choices.sorted { $0.key < $1.key }.map { (name: $0.key, value: JSON($0.value)) }
    return String(
      decoding: JSON.object([(name: "choices", value: .object(choices))] + storedValue).bytes(), as: UTF8.self
    )
  }

  private var storedValue: [(name: String, value: JSON)] {
    switch value {
    case .text(let text)?: [(name: "text", value: .string(text))]
    case .opaque(Value.jsonKind, let bytes)?:
      [(name: "json", value: .string(String(decoding: bytes, as: UTF8.self)))]
    case .null?, .integer?, .real?, .blob?, .opaque?, nil: []
    }
  }

  /// nil for what no Parley wrote.
  init?(stored: String) {
    guard case .object(let members)? = try? JSONValue(parsing: stored),
      case .object(let choices)? = members["choices"]
    else { return nil }
    let known = choices.compactMap { key, value in PartChoice(value).map { (key.text, $0) } }
    guard known.count == choices.count else { return nil }
    var value: Value?
    if case .string(let text)? = members["text"] { value = .text(text.text) }
    if case .string(let json)? = members["json"] {
      value = (try? JSONValue(parsing: json.text)).map { Value($0) }
    }
    self.init(choices: Dictionary(known) { first, _ in first }, value: value)
  }
}

extension JSON {
  fileprivate init(_ choice: PartChoice) {
    switch choice {
    case .take(let side): self = JSON(members: ["take": .string(side.rawValue)])
    case .both(let first): self = JSON(members: ["both": .string(first.rawValue)])
    case .edit(let text): self = JSON(members: ["edit": .string(text)])
    }
  }
}

extension PartChoice {
  fileprivate init?(_ json: JSONValue) {
    guard case .object(let members) = json, members.count == 1, let member = members.first,
      case .string(let word) = member.value
    else { return nil }
    switch (member.key.text, Side(rawValue: word.text)) {
    case ("take", let side?): self = .take(side)
    case ("both", let side?): self = .both(first: side)
    case ("edit", _): self = .edit(word.text)
    default: return nil
    }
  }
}
