import ExactJSON
import Testing

@testable import CouchDBServers

/// Faults that are ordered come as ordered, and tests know what was carried out.
@Suite struct LoopbackFaultTests {
  private let server: LoopbackCouchDB
  private let desk: LoopbackDatabase

  init() throws {
    server = try LoopbackCouchDB()
    desk = try server.makeDatabase("desk")
  }

  private func put(_ id: String) throws -> LoopbackClient.Answer {
    try LoopbackClient(server.url).ask("PUT", "/desk/\(id)", #"{"v":1}"#)
  }

  private func isThere(_ id: String) throws -> Bool { try !desk.leaves(of: id).isEmpty }

  @Test func anAnswerCutAfterAnyByteWasCarriedOut() throws {
    let whole = try put("d000").byteCount
    for count in 0..<whole {
      server.faults.add(Fault(.cutAnswer(afterBytes: count), path: "/d\(count)"))
      let answer = try put("d\(count)")
      #expect(!answer.isWhole)
      #expect(answer.byteCount == count)
      #expect(try isThere("d\(count)"))
    }
    #expect(try put("again").isWhole)
  }

  @Test func aRequestCutAfterAnyByteWasNotCarriedOut() throws {
    for count in 0...120 {
      server.faults.add(Fault(.cutRequest(afterBytes: count), path: "/d\(count)"))
      #expect(try put("d\(count)").status == 0)
      #expect(try !isThere("d\(count)"))
    }
  }

  @Test func anAnswerInPlaceOfTheServersOwnCarriesNothingOut() throws {
    let busy: Fault.Effect = .answer(status: 429, headers: [("Retry-After", "1")])
    server.faults.add(Fault(busy, passing: 1, count: 2) { $0.method == "PUT" })
    #expect(try ["a", "b", "c", "d"].map { try put($0).status } == [201, 429, 429, 201])
    #expect(try !isThere("b"))
    server.faults.add(
      Fault(.answer(status: 502, headers: [("Content-Type", "text/html")], body: Array("<p>".utf8))))
    let html = try put("e")
    #expect((html.status, html.text, html.headers["content-type"]) == (502, "<p>", "text/html"))
  }

  @Test(arguments: [-1, 1]) func aWrongLengthIsTold(difference: Int) throws {
    let right = try put("right")
    server.faults.add(Fault(.wrongLength(difference)))
    let wrong = try put("wrong")
    #expect(wrong.headers["content-length"] == "\(right.body.count + difference)")
    #expect(wrong.isWhole == (difference < 0))
  }

  @Test(arguments: [true, false]) func noAnswerEverComes(isCarriedOut: Bool) throws {
    server.faults.add(Fault(.neverAnswer(isCarriedOut: isCarriedOut), path: "/silent"))
    let silent = try LoopbackClient(server.url)
    try silent.send("PUT", "/desk/silent", body: Array(#"{"v":1}"#.utf8))
    let id = isCarriedOut ? "silent" : "other"
    if !isCarriedOut { _ = try put("other") }
    let feed = try LoopbackClient(server.url).ask("GET", "/desk/_changes?feed=longpoll&since=0")
    #expect(feed.text.contains("\"id\":\"\(id)\""))
    #expect(try isThere("silent") == isCarriedOut)
  }

  @Test func anAnswerStallsAfterSoManyBytes() throws {
    server.faults.add(Fault(.stallAnswer(afterBytes: 20)))
    let client = try LoopbackClient(server.url)
    try client.send("PUT", "/desk/stalled", body: Array(#"{"v":1}"#.utf8))
    #expect(client.read(atLeast: 20).count == 20)
    #expect(!client.hasEnded)
    #expect(try isThere("stalled"))
  }

  @Test func aStreamEndsOnlyWhenTheClientGoes() throws {
    server.faults.add(Fault(.streamForever(piece: "[1,")))
    let client = try LoopbackClient(server.url)
    try client.send("GET", "/desk/_changes")
    let answer = client.read { $0.count >= 3000 }
    #expect(!answer.isWhole)
    #expect(answer.text.hasPrefix("[1,[1,"))
  }

  @Test func aHeldRequestHoldsNoOther() throws {
    let gate = Gate()
    server.faults.add(Fault(.wait(gate), path: "/held"))
    let held = try LoopbackClient(server.url)
    try held.send("PUT", "/desk/held", body: Array(#"{"v":1}"#.utf8))
    gate.waitUntilReached()
    #expect(try put("other").status == 201)
    #expect(try !isThere("held"))
    gate.open()
    #expect(held.read().status == 201)
    #expect(try isThere("held"))
  }

  @Test func whatCameIsKeptWithItsHeaders() throws {
    _ = try put("seen")
    let request = try #require(server.faults.requests.first)
    #expect(
      (request.method, request.path, request["content-type"]) == ("PUT", "/desk/seen", "application/json"))
    #expect(request.body == Array(#"{"v":1}"#.utf8))
  }
}

/// The parts of HTTP that a client may use.
@Suite struct LoopbackHTTPTests {
  private let server: LoopbackCouchDB
  private let client: LoopbackClient

  init() throws {
    server = try LoopbackCouchDB(
      admin: (name: "admin", password: "secret"), bearers: ["token": "mia"], sessionTimeout: 100)
    server.addUser("mia", password: "milk")
    let desk = try server.makeDatabase("desk")
    try desk.setSecurity(members: ["mia"])
    try desk.graft(#"{"_id":"a","_rev":"1-aa","v":1}"#)
    client = try LoopbackClient(server.url)
  }

  @Test func aBodyMayComeInChunksAndAfterItsHead() throws {
    let head = ["Transfer-Encoding": "chunked", "Expect": "100-continue", "Authorization": "Bearer token"]
    try client.sendRaw(
      "PUT /desk/b HTTP/1.1\r\n" + head.map { "\($0.key): \($0.value)\r\n" }.joined() + "\r\n")
    #expect(client.read().status == 100)
    try client.sendRaw("3\r\n{\"v\r\n4;x=y\r\n\":1}\r\n0\r\n\r\n")
    #expect(client.read().status == 201)
  }

  @Test func oneConnectionServesManyRequests() throws {
    for _ in 0..<3 { #expect(try client.ask("GET", "/_up").isWhole) }
    let last = try client.ask("GET", "/_up", headers: ["Connection": "close"])
    #expect(last.isWhole)
    #expect(client.read().status == 0)
    #expect(client.hasEnded)
  }

  @Test func membersAreLetInByPasswordCookieAndToken() throws {
    let login = try client.ask("POST", "/_session", #"{"name":"mia","password":"milk"}"#)
    let cookie = String(login.headers["set-cookie"]?.split(separator: ";").first ?? "")
    let proofs = [LoopbackClient.basic("mia", "milk"), ["Cookie": cookie], ["Authorization": "Bearer token"]]
    for proof in proofs { #expect(try client.ask("GET", "/desk/a", headers: proof).status == 200) }
    #expect(try client.ask("GET", "/desk/a").status == 401)
    #expect(try client.ask("GET", "/desk/a", headers: LoopbackClient.basic("mia", "wrong")).status == 401)
  }

  @Test func aCookieIsRenewedAndExpires() throws {
    let login = try client.ask("POST", "/_session", #"{"name":"mia","password":"milk"}"#)
    let cookie = ["Cookie": String(login.headers["set-cookie"]?.split(separator: ";").first ?? "")]
    #expect(try client.ask("GET", "/desk/a", headers: cookie).headers["set-cookie"] == nil)
    server.advanceClock(by: 50)
    #expect(try client.ask("GET", "/desk/a", headers: cookie).headers["set-cookie"] != nil)
    server.advanceClock(by: 50)
    #expect(try client.ask("GET", "/desk/a", headers: cookie).status == 401)
  }

  @Test func aFeedEndsWithTheServer() throws {
    let feed = try LoopbackClient(server.url)
    let path = "/desk/_changes?feed=continuous&heartbeat=60000"
    try feed.send("GET", path, headers: LoopbackClient.basic("mia", "milk"))
    let begun = feed.read { $0.contains(0x0A) }
    #expect(begun.text.contains("\"id\":\"a\""))
    server.stop()
    _ = feed.continued { _ in false }
    #expect((try? LoopbackClient(server.url).ask("GET", "/_up"))?.status ?? 0 == 0)
  }
}
