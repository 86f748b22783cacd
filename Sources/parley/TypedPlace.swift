import Telling

/// Where a value was typed. What else is meant, maybe, is offered as it is typed there.
enum TypedPlace {
  /// Behind `--set`, on a command line.
  case option
  /// Behind `e`, where no command line is.
  case answer

  /// A value that is offered as a whole: `null:`.
  func way(_ field: String, _ value: String) -> String {
    switch self {
    case .option: "--set " + shellQuoted("\(field)=\(value)")
    case .answer: "e " + value
    }
  }

  /// A value whose end is somebody's words, or stands for them: `text:…`. For a shell it has quotes also where that needs none.
  func openWay(_ field: String, _ value: String) -> String {
    switch self {
    case .option: "--set " + inQuotes("\(field)=\(value)")
    case .answer: "e " + value
    }
  }

  /// A side, or each where it is not known which is meant.
  func way(_ field: String, side: String?) -> String {
    let sides = side.map { [$0] } ?? ["client", "server", "ancestor"]
    switch self {
    case .option: return "--set " + listed(sides.map { shellQuoted("\(field)=\($0)") })
    case .answer: return listed(sides.map { String($0.prefix(1)) })
    }
  }

  private func listed(_ ways: [String]) -> String {
    ways.count == 1 ? ways[0] : ways.dropLast().joined(separator: ", ") + " or " + ways[ways.count - 1]
  }

  /// Where a document's leaves can be looked at.
  var wayToLeaves: String {
    switch self {
    case .option: "What each has: parley show."
    case .answer: "v says what each has."
    }
  }

  /// A field, as it is told there.
  func name(_ field: String) -> String {
    switch self {
    case .option: field.wholeName
    case .answer: LinearText.name(field)
    }
  }
}

/// What was typed for a field, and may be meant as the text that it is.
struct OfferedText: Equatable {
  let field: String
  let text: String

  /// With a space in front: it stands behind what else is offered.
  func words(_ place: TypedPlace) -> String { " For the text: \(place.openWay(field, "text:\(text)"))." }
}

private func inQuotes(_ word: String) -> String {
  let quoted = shellQuoted(word)
  return quoted == word ? "'\(word)'" : quoted
}
