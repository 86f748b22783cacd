import ExactJSON

/// Walks through the three versions of a JSON value at once, and takes them apart or puts them together, by one rule.
struct JSONParts {
  private(set) var pieces: [FieldParts.Piece] = []
  private(set) var hasParts = false
  /// Whether something that was typed for a key is no JSON.
  private(set) var hasFailed = false
  private let choice: (FieldPart) -> PartChoice?
  /// Whether nothing is looked at but what the client changed and the server does not have.
  private let isOfClientAlone: Bool

  private typealias Versions = (ancestor: JSONValue?, client: JSONValue?, server: JSONValue?)

  private struct Place {
    var pointer = ""
    var name = ""
    /// Whether the ancestor is known, be it without this key.
    var hasAncestor = true
    /// Whether both sides changed an array that it is in.
    var isByPlace = false

    func key(_ key: String) -> Place {
      var place = self
      place.pointer += JSONValue.pointer(to: key)
      let isPlain = !key.isEmpty && !key.utf8.contains { ".[] \"".utf8.contains($0) }
      place.name += isPlain ? (name.isEmpty ? key : "." + key) : "[\(JSONValue.string(key).text)]"
      return place
    }

    func element(_ index: Int, isByPlace: Bool) -> Place {
      var place = self
      place.pointer += "/\(index)"
      place.name += "[\(index)]"
      place.isByPlace = self.isByPlace || isByPlace
      return place
    }
  }

  /// - Parameter choice: what is put in for a part; nil leaves its key out.
  init(choice: @escaping (FieldPart) -> PartChoice? = { _ in nil }) {
    (self.choice, isOfClientAlone) = (choice, false)
  }

  private init(ofClientAlone: Void) { (choice, isOfClientAlone) = ({ _ in nil }, true) }

  /// The parts that the client changed and the server does not have: of hundreds of leaves each has a few, and what was put together of them
  /// has a key of each. nil where they are not told apart, or nothing differs.
  static func lostOfClient(_ versions: ThreeWay<JSONValue>) -> [FieldPart]? {
    let isOne = versions.client == versions.server && versions.ancestor ?? versions.client == versions.client
    var walk = JSONParts(ofClientAlone: ())
    guard !isOne, walk.take(versions) != nil else { return nil }
    return walk.pieces.compactMap { if case .part(let part) = $0 { part } else { nil } }
  }

  /// nil unless all of them are objects, or arrays of one length.
  mutating func take(_ versions: ThreeWay<JSONValue>) -> JSONValue? {
    let place = Place(hasAncestor: versions.ancestor != nil)
    return containers((versions.ancestor, versions.client, versions.server), place)
  }

  private mutating func containers(_ versions: Versions, _ place: Place) -> JSONValue? {
    switch (versions.ancestor, versions.client, versions.server) {
    case (.object(let ancestor)?, .object(let client)?, .object(let server)?):
      return object(ancestor, client, server, place)
    case (nil, .object(let client)?, .object(let server)?) where !place.hasAncestor:
      return object([:], client, server, place)
    case (.array(let ancestor)?, .array(let client)?, .array(let server)?)
    where ancestor.count == client.count && ancestor.count == server.count:
      return array(ancestor, client, server, place)
    case (nil, .array(let client)?, .array(let server)?)
    where !place.hasAncestor && client.count == server.count:
      return array(nil, client, server, place)
    default: return nil
    }
  }

  private mutating func object(
    _ ancestor: [JSONText: JSONValue], _ client: [JSONText: JSONValue], _ server: [JSONText: JSONValue],
    _ place: Place
  ) -> JSONValue {
    var merged: [JSONText: JSONValue] = [:]
    for key in keys(ancestor, client, server).sorted() {
      merged[key] = member((ancestor[key], client[key], server[key]), place.key(key.text))
    }
    return .object(merged)
  }

  /// What the server alone has is no change of the client's.
  private func keys(
    _ ancestor: [JSONText: JSONValue], _ client: [JSONText: JSONValue], _ server: [JSONText: JSONValue]
  ) -> Set<JSONText> {
    let all = Set(ancestor.keys).union(client.keys)
    if !isOfClientAlone { return all.union(server.keys) }
    return all.filter { client[$0] != ancestor[$0] && client[$0] != server[$0] }
  }

  private mutating func array(
    _ ancestor: [JSONValue]?, _ client: [JSONValue], _ server: [JSONValue], _ place: Place
  ) -> JSONValue {
    let isByPlace = ancestor != client && ancestor != server
    let places = client.indices.filter {
      !isOfClientAlone || client[$0] != ancestor?[$0] && client[$0] != server[$0]
    }
    return .array(
      places.compactMap {
        member((ancestor?[$0], client[$0], server[$0]), place.element($0, isByPlace: isByPlace))
      })
  }

  /// nil where the key is gone.
  private mutating func member(_ versions: Versions, _ place: Place) -> JSONValue? {
    let (ancestor, client, server) = versions
    if client == server, ancestor == client || !place.hasAncestor {
      pieces.append(.kept("\(place.name): \(client?.text ?? "")\n"))
      return client
    }
    if let merged = containers(versions, place) { return merged }
    let part = part(versions, place)
    hasParts = true
    pieces += [.kept(place.name + ": "), .part(part), .kept("\n")]
    return choice(part).flatMap { value($0, versions) }
  }

  private func part(_ versions: Versions, _ place: Place) -> FieldPart {
    let (ancestor, client, server) = versions
    let three = ThreeWay<JSONValue?>(ancestor: .some(ancestor), client: client, server: server)
    return FieldPart(
      id: place.pointer, name: place.name, ancestor: ancestor?.text, client: client?.text,
      server: server?.text, change: place.hasAncestor ? three.change : .different,
      isByPlace: place.isByPlace)
  }

  private mutating func value(_ choice: PartChoice, _ versions: Versions) -> JSONValue? {
    switch choice {
    case .take(.ancestor): return versions.ancestor
    case .take(.client): return versions.client
    case .take(.server): return versions.server
    case .edit(let text): return typed(text)
    case .both: return typed("")
    }
  }

  private mutating func typed(_ text: String) -> JSONValue? {
    let json = try? JSONValue(parsing: text)
    if json == nil { hasFailed = true }
    return json
  }
}
