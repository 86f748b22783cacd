import ExactJSON
import Foundation

@testable import CouchDBServers

/// Requests and answers that were recorded on a real server; they lie beside the project.
struct Transcript {
  struct Step {
    let number: Int
    let what: String
    let request: JSON
    let response: JSON

    var method: String { request["method"]?.text ?? "" }
    var path: String { request["path"]?.text ?? "" }
    var status: Int { response["status"]?.integer ?? 0 }
    var meanwhile: [JSON] { request["meanwhile"]?.elements ?? [] }
    var isCutByClient: Bool { request["closedByClientAfterSeconds"] != nil }

    var headers: [String: String] { Step.headers(request) }
    var answeredHeaders: [String: String] { Step.headers(response) }
    var answeredBody: [UInt8] { Step.bytes(response) }

    private static func headers(_ part: JSON) -> [String: String] {
      Dictionary((part["headers"]?.members ?? []).map { ($0.name, $0.value.text ?? "") }) { $1 }
    }

    private static func bytes(_ part: JSON) -> [UInt8] {
      if let text = part["bodyBase64"]?.text { return Array(Data(base64Encoded: text) ?? Data()) }
      return Array((part["body"]?.text ?? "").utf8)
    }

    /// Long bodies are told by how they are made; here they have a thousandth of the letters.
    var body: [UInt8] {
      guard let made = request["bodyMade"] else { return Step.bytes(request) }
      guard let before = made["before"]?.text, let times = made["times"]?.integer else {
        return Array(
          ("{\"v\":" + String(repeating: "[", count: 2000) + String(repeating: "]", count: 2000) + "}").utf8)
      }
      let fill = String(repeating: made["fill"]?.text ?? "", count: times / 1000)
      return Array((before + fill + (made["after"]?.text ?? "")).utf8)
    }
  }

  let steps: [Step]

  init(_ name: String) throws {
    let file = URL(filePath: (Shared.folder ?? "") + "/" + name)
    let json = try JSON(asWritten: Array(try Data(contentsOf: file)))
    steps = (json["transcript"]?.elements ?? []).map { step in
      Step(
        number: step["step"]?.integer ?? 0, what: step["what"]?.text ?? "", request: step["request"] ?? .null,
        response: step["response"] ?? .null)
    }
  }
}
