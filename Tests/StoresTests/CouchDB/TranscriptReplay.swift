import ExactJSON
import Foundation
import Testing

@testable import CouchDBServers

/// Asks our server what the recording asked a real one, in the same order, and compares the answers.
final class TranscriptReplay {
  let server: LoopbackCouchDB
  private let client: LoopbackClient
  private var opaque: OpaqueValues
  private var cookie = ""

  /// What is done before a step, or after it: what the recording did by other ways than HTTP, or by JavaScript.
  var before: [Int: (TranscriptReplay) throws -> Void] = [:]
  var after: [Int: (TranscriptReplay) throws -> Void] = [:]
  /// Headers that the recording leaves out.
  var headers: [Int: [String: String]] = [:]
  /// What our server does not imitate, and why. It must say so itself.
  var notImitated: [Int: String] = [:]
  /// Names in an answer that are not compared, and why.
  var ignored: [Int: (names: Set<String>, why: String)] = [:]
  /// Steps whose rows come in the order of a cluster's shards.
  var inOrderOfShards: Set<Int> = []

  init() throws {
    // The largest document is a thousandth of the real one, as are the long bodies.
    server = try LoopbackCouchDB(admin: (name: "admin", password: "throwaway"), documentSize: 8007)
    opaque = OpaqueValues(url: server.url)
    client = try LoopbackClient(server.url)
  }

  deinit { server.stop() }

  func makeRevisionsOpaque(_ revisions: Set<String>) { opaque.revisions.formUnion(revisions) }

  /// - Returns: how many steps came out as recorded.
  func run(_ transcript: Transcript) throws -> Int {
    var equal = 0
    for step in transcript.steps {
      try before[step.number]?(self)
      let answer = try answer(to: step)
      if let why = notImitated[step.number] {
        #expect(answer.status == 501, "\(step.number) \(step.what): \(why)")
      } else if let difference = difference(step, answer) {
        Issue.record("\(step.number) \(step.what): \(difference)\n\(answer.text.prefix(2000))")
      } else {
        equal += 1
      }
      try after[step.number]?(self)
    }
    return equal
  }

  private func answer(to step: Transcript.Step) throws -> LoopbackClient.Answer {
    let path = quickened(opaque.translated(step.path), step)
    let text = String(validating: step.body, as: UTF8.self)
    let body = text.map { Array(opaque.translated($0).utf8) } ?? step.body
    guard step.isCutByClient || !step.meanwhile.isEmpty else {
      return try client.ask(step.method, path, headers: allHeaders(of: step), body: body)
    }
    let own = try LoopbackClient(server.url)
    try own.send(step.method, path, headers: allHeaders(of: step), body: body)
    return try feed(step, own)
  }

  /// Nothing waits for what will not come.
  private func quickened(_ path: String, _ step: Transcript.Step) -> String {
    guard step.meanwhile.isEmpty else { return path.replacing("heartbeat=400", with: "heartbeat=10") }
    return path.replacing("timeout=1000", with: "timeout=20")
  }

  /// The feed has begun when its first byte is here; then the others write, one after the other: of two changes of one
  /// document a feed may tell only the later. A client that hung up does so when it has read what was recorded.
  private func feed(_ step: Transcript.Step, _ own: LoopbackClient) throws -> LoopbackClient.Answer {
    var begun = own.read { !$0.isEmpty }
    for (place, write) in step.meanwhile.enumerated() {
      let body = Array((write["body"]?.text ?? "").utf8)
      let answer = try client.ask(
        write["method"]?.text ?? "", write["path"]?.text ?? "",
        headers: administrator.merging(["Content-Type": "application/json"]) { $1 }, body: body)
      #expect(answer.status == write["status"]?.integer)
      guard step.isCutByClient else { continue }
      begun.body += own.continued { TranscriptReplay.lines(begun.body + $0).count > place }.body
    }
    if !step.isCutByClient { begun.body += own.continued { _ in false }.body }
    return begun
  }

  private var administrator: [String: String] { LoopbackClient.basic("admin", "throwaway") }

  private func allHeaders(of step: Transcript.Step) -> [String: String] {
    var all = step.headers.mapValues { opaque.translated($0).replacing("<of the login>", with: cookie) }
    if case .literal("true")? = step.request["auth"] { all.merge(administrator) { $1 } }
    if let name = step.request["auth"]?.text {
      all.merge(LoopbackClient.basic(name, name + "-throwaway")) { $1 }
    }
    return all.merging(headers[step.number] ?? [:]) { $1 }
  }

  func logIn(_ name: String) throws {
    let json = #"{"name":"\#(name)","password":"\#(name)-throwaway"}"#
    remember(try client.ask("POST", "/_session", json))
  }

  private func remember(_ answer: LoopbackClient.Answer) {
    let text = answer.headers["set-cookie"]?.split(separator: ";").first?.dropFirst("AuthSession=".count)
    if let text, !text.isEmpty { cookie = String(text) }
  }
}

/// Comparing.
extension TranscriptReplay {
  private static func lines(_ body: [UInt8]) -> [ArraySlice<UInt8>] { body.split(separator: 0x0A) }

  private func difference(_ step: Transcript.Step, _ answer: LoopbackClient.Answer) -> String? {
    if step.path == "/_session", step.method == "POST", answer.status == 200 { remember(answer) }
    guard answer.status == step.status else { return "\(step.status) / \(answer.status)" }
    // The body first: it tells the ids that headers repeat.
    if let found = bodyDifference(step, answer) { return found }
    for (name, recorded) in step.answeredHeaders {
      if let found = difference(of: name, recorded, answer.headers[name]) { return found }
    }
    return nil
  }

  private func difference(of name: String, _ recorded: String, _ ours: String?) -> String? {
    guard let ours else { return "no header \(name)" }
    let isEqual =
      switch name {
      case "server": true
      case "etag":
        recorded.contains(/^"[0-9]+-/) || recorded.hasSuffix("==\"")
          ? opaque.translated(recorded) == ours || isOpaque(recorded) : opaque.learn(recorded, ours)
      case "location": opaque.translated(recorded) == ours
      case "set-cookie": TranscriptReplay.shape(recorded) == TranscriptReplay.shape(ours)
      case "content-type":
        TranscriptReplay.withoutBoundary(recorded) == TranscriptReplay.withoutBoundary(ours)
      default: recorded == ours
      }
    return isEqual ? nil : "\(name): \(recorded) / \(ours)"
  }

  private func isOpaque(_ tag: String) -> Bool { opaque.revisions.contains(tag.filter { $0 != "\"" }) }

  private static func withoutBoundary(_ type: String) -> Substring { type.prefix { $0 != ";" } }

  private static func shape(_ cookie: String) -> [Substring] {
    cookie.split(separator: "; ").enumerated().map { place, part in
      place == 0 ? part.hasSuffix("=") ? "none" : "some" : part.hasPrefix("Expires=") ? "Expires" : part
    }
  }

  private func bodyDifference(_ step: Transcript.Step, _ answer: LoopbackClient.Answer) -> String? {
    let type = step.answeredHeaders["content-type"] ?? ""
    let names = ignored[step.number]?.names ?? []
    if type.hasPrefix("multipart/") { return multipartDifference(step, answer) }
    guard type == "application/json" else { return step.answeredBody == answer.body ? nil : "other bytes" }
    if let recorded = try? JSON(asWritten: step.answeredBody), let ours = try? JSON(asWritten: answer.body) {
      return opaque.difference(ordered(recorded, step), ordered(ours, step), ignoring: names)
    }
    return linesDifference(step, answer)
  }

  private func ordered(_ json: JSON, _ step: Transcript.Step) -> JSON {
    guard inOrderOfShards.contains(step.number), let members = json.members else { return json }
    return .object(
      members.map { name, value in
        (
          name,
          value.elements.map { .array($0.sorted { ($0["id"]?.text ?? "") < ($1["id"]?.text ?? "") }) }
            ?? value
        )
      })
  }

  /// Rows of a feed; empty lines are signs of life, and nobody counts them.
  private func linesDifference(_ step: Transcript.Step, _ answer: LoopbackClient.Answer) -> String? {
    let rows = [step.answeredBody, answer.body].map { body in
      JSON.object([
        ("rows", .array(TranscriptReplay.lines(body).compactMap { try? JSON(asWritten: Array($0)) }))
      ])
    }
    let count = rows[0]["rows"]?.elements?.count ?? 0
    guard count == TranscriptReplay.lines(step.answeredBody).count else { return "lines that are no JSON" }
    return opaque.difference(ordered(rows[0], step), ordered(rows[1], step), ignoring: [])
  }

  private func multipartDifference(_ step: Transcript.Step, _ answer: LoopbackClient.Answer) -> String? {
    let parts = [step.answeredBody, answer.body].map { body in
      String(decoding: body, as: UTF8.self).split(separator: "\r\n").filter { !$0.hasPrefix("--") }
    }
    return parts[0] == parts[1] ? nil : "other parts"
  }
}

extension LoopbackClient {
  /// Goes on with a feed whose head was read.
  func continued(until isEnough: ([UInt8]) -> Bool) -> Answer {
    var answer = Answer()
    readChunks(&answer, until: isEnough)
    return answer
  }
}
