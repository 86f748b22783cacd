import ExactJSON
import Foundation

/// Several bodies in one (RFC 2046), parted by a line that none of them holds.
enum Multipart {
  struct Part {
    let json: JSON
    let isError: Bool
  }

  static func answer(_ parts: [Part]) -> SentAnswer {
    let boundary = UUID().uuidString
    let texts = parts.map { part in
      let type = "Content-Type: application/json" + (part.isError ? "; error=\"true\"" : "")
      return "--\(boundary)\r\n\(type)\r\n\r\n\(String(decoding: part.json.bytes(), as: UTF8.self))\r\n"
    }
    let type = (name: "Content-Type", value: "multipart/mixed; boundary=\"\(boundary)\"")
    return SentAnswer(200, [type], .bytes(Array((texts.joined() + "--\(boundary)--").utf8)))
  }

  /// A document whose attachments follow it, in the order it names them.
  static func draft(_ body: [UInt8], _ type: String) throws -> DocumentDraft {
    let boundary = type.split(separator: "boundary=").last.map { $0.filter { $0 != "\"" } } ?? ""
    let parts = parts(of: body, boundary)
    guard let first = parts.first else {
      throw ServerRefusal.badRequest("multipart/related without a document")
    }
    var draft = try DocumentDraft(JSON(couchDB: Array(first)))
    var rest = parts.dropFirst()
    for index in draft.attachments.indices {
      guard case .follows = draft.attachments[index].bytes, let bytes = rest.popFirst() else { continue }
      try draft.attachments[index].follow(Array(bytes))
    }
    return draft
  }

  private static func parts(of body: [UInt8], _ boundary: String) -> [ArraySlice<UInt8>] {
    var rest = Array("\r\n".utf8)[...] + body
    let line = Array("\r\n--\(boundary)".utf8)
    var parts: [ArraySlice<UInt8>] = []
    while let start = rest.firstRange(of: line) {
      rest = rest[start.upperBound...]
      guard let end = rest.firstRange(of: line) else { return parts }
      let part = rest[..<end.lowerBound]
      if let head = part.firstRange(of: Array("\r\n\r\n".utf8)) { parts.append(part[head.upperBound...]) }
    }
    return parts
  }
}

extension DocumentDraft.AttachmentDraft {
  fileprivate mutating func follow(_ followed: [UInt8]) throws {
    let expected = encodedLength ?? length ?? followed.count
    guard followed.count <= expected else {
      throw ServerRefusal.badRequest("attachment longer than expected")
    }
    guard followed.count == expected else {
      throw ServerRefusal.badRequest("attachment shorter than expected")
    }
    bytes = .sent(followed, packedLength: encodedLength == nil ? nil : length)
  }
}
