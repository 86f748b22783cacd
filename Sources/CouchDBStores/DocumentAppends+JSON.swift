import ExactJSON
import Journals

/// What the journal keeps.
extension DocumentAppends {
  static let kind = "appends"

  func payload() -> Payload { Payload(kind: DocumentAppends.kind, bytes: json.canonical, parts: parts) }

  init(_ kept: KeptIntent) throws {
    guard let payload = kept.payload, payload.kind == DocumentAppends.kind else {
      throw Damage("it is no write of a document")
    }
    self = try DocumentAppends(parsing: payload.bytes)
    for sum in before.flatMap(\.kept.values) + all.flatMap({ $0.attachments.values.compactMap(\.sha256) }) {
      guard let bytes = try kept.part(sum) else { throw Damage("the bytes of an attachment are not there") }
      parts[sum] = bytes
    }
  }

  /// Without the bytes of attachments.
  init(parsing bytes: [UInt8]) throws {
    guard let json = try? JSONValue(parsing: bytes), let appends = DocumentAppends(json) else {
      throw Damage("it is no write of a document")
    }
    self = appends
  }

  private var json: JSONValue {
    .object([
      "document": .string(document), "winning": winning.map { .string($0) } ?? .null,
      "ends": .array(ends.map { .string($0) }),
      "before": .array(
        before.map { leaf in
          .object([
            "rev": .string(leaf.id), "body": .object(leaf.members), "attachments": .object(leaf.attachments),
            "kept": .object(leaf.kept.mapValues { .string(Hexadecimal.text($0)) }),
          ])
        }), "stages": .array(stages.map { .array($0.map(\.json)) }),
    ])
  }

  private init?(_ json: JSONValue) {
    guard let document = json["document"]?.string else { return nil }
    self.init(
      document: document,
      before: (json["before"]?.elements ?? []).compactMap { leaf in
        leaf["rev"]?.string.map {
          Leaf(
            id: $0, members: leaf["body"]?.members ?? [:], attachments: leaf["attachments"]?.members ?? [:],
            kept: (leaf["kept"]?.members ?? [:]).compactMapValues { $0.string.flatMap(Hexadecimal.bytes) })
        }
      },
      stages: (json["stages"]?.elements ?? []).map { $0.elements.compactMap { Append($0) } },
      winning: json["winning"]?.string, ends: (json["ends"]?.elements ?? []).compactMap(\.string))
  }
}

extension DocumentAppends.Append {
  fileprivate var json: JSONValue {
    .object([
      "other": other.map { .string($0) } ?? .null, "parent": .string(parent),
      "first": .literal(isFirstLife ? "true" : "false"),
      "deleted": .literal(isDeleted ? "true" : "false"), "body": .object(members),
      "attachments": .object(
        attachments.mapValues {
          .object([
            "told": $0.told, "of": $0.source.map { .string($0) } ?? .null,
            "sha256": $0.sha256.map { .string(Hexadecimal.text($0)) } ?? .null,
            "plain": $0.plain ?? .null,
          ])
        }),
    ])
  }

  fileprivate init?(_ json: JSONValue) {
    guard let parent = json["parent"]?.string else { return nil }
    self.init(
      other: json["other"]?.string, parent: parent, isDeleted: json["deleted"]?.isTrue ?? false,
      members: json["body"]?.members ?? [:],
      attachments: (json["attachments"]?.members ?? [:]).mapValues {
        DocumentAppends.Attachment(
          told: $0["told"] ?? .null, source: $0["of"]?.string,
          sha256: $0["sha256"]?.string.flatMap(Hexadecimal.bytes),
          plain: $0["plain"].flatMap { $0 == .null ? nil : $0 })
      }, isFirstLife: json["first"]?.isTrue ?? false)
  }
}
