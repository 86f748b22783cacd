import CCurl

/// A connection to a server, by the system's libcurl: one question after the other, kept open between them, with
/// a netrc file as curl reads them.
///
/// Bytes are taken when somebody asks for them, and no sooner: so a server that sends more than is wanted waits. No redirect is
/// followed: where it leads to, credentials do not.
package final class HTTPConnection {
  package struct Options: Sendable {
    /// Certificates to trust instead of the system's: a file in PEM.
    package var authorities: String?
    /// Where a name and password for the host are looked for; nil if nowhere.
    package var netrc: Netrc?
    /// In seconds: how long a connection may take, and how long nothing may come.
    package var connectTimeout = 15
    package var silenceTimeout = 60
    /// In seconds: how long a whole answer may take, be it ever so short. A longer one, or a longer question, may take a second more
    /// for each ``leastSpeed`` of its bytes.
    package var answerTimeout = 300
    package var leastSpeed = 8 << 10
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }

    package init() {}
  }

  package struct Netrc: Sendable {
    /// nil for `~/.netrc`.
    let file: String?

    package init(file: String?) { self.file = file }
  }

  private let easy: UnsafeMutableRawPointer
  private let multi: UnsafeMutableRawPointer
  package var options: Options
  /// Called while an answer is waited for, a few times a second: throws to wait no longer.
  private let patience: () throws -> Void
  /// Called as often while nothing comes; with nil once something has.
  private let hearSilence: (HTTPSilence?) -> Void
  private var isSilent = false
  /// Since when nothing has come of the answer that is received, while somebody waits for it, nor has gone out of the question.
  private var heard = ContinuousClock.now
  /// How many bytes of the question's body have gone out.
  private var sent: Int64 = 0
  /// Whether there is a connection for it: how long that takes is another patience.
  private var isConnected = false
  /// What is being received; nil between two questions.
  private var receiver: HTTPReceiver?
  /// When the answer that is received was asked for.
  private var began = ContinuousClock.now
  /// How many bytes the question for it has.
  private var asked = 0
  /// Where it went.
  private var url = ""
  private var headers: UnsafeMutablePointer<curl_slist>?
  /// Where curl writes what went wrong, in more words than there are codes: which certificate is wrong, and how.
  private let details = UnsafeMutableBufferPointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  package init(
    _ options: Options = Options(), patience: @escaping () throws -> Void = {},
    hearSilence: @escaping (HTTPSilence?) -> Void = { _ in }
  ) throws {
    guard curl_load() != 0, let easy = curl_make_easy(), let multi = curl_make_multi() else {
      throw HTTPFailure.notReached("the system's libcurl is not there (apt-get install libcurl4)")
    }
    (self.easy, self.multi, self.options, self.patience) = (easy, multi, options, patience)
    self.hearSilence = hearSilence
    details.initialize(repeating: 0)
  }

  deinit {
    end()
    curl_free_easy(easy)
    curl_free_multi(multi)
    details.deallocate()
  }

  /// The whole answer.
  ///
  /// - Parameters:
  ///   - limit: in bytes; a longer one is an error.
  ///   - silence: in seconds, instead of that of ``options``.
  /// - Throws: ``HTTPFailure``, and what `patience` throws.
  package func answer(
    to request: HTTPRequest, atMost limit: Int = 256 << 20, silence: Int? = nil
  ) throws -> HTTPAnswer {
    let usual = options.silenceTimeout
    options.silenceTimeout = silence ?? usual
    defer {
      options.silenceTimeout = usual
      end()
    }
    let head = try begin(request)
    let body = try body(upTo: limit)
    if body.count > limit { throw HTTPFailure.tooLong(limit: limit) }
    return HTTPAnswer(head: head, body: body)
  }

  /// The body of an answer that was begun, from its beginning. It has to come at some pace, other than what ``next()`` brings of a feed.
  ///
  /// - Parameter limit: in bytes. What is behind it is left, but for some bytes, by which it shows that there are more.
  package func body(upTo limit: Int) throws -> [UInt8] {
    var body: [UInt8] = []
    while body.count <= limit, let bytes = try next() {
      body += bytes
      try checkPace(body.count)
    }
    return body
  }

  /// Asks, and waits for the head of the answer. ``body(upTo:)`` brings its body, and ``next()`` a part of it.
  package func begin(_ request: HTTPRequest) throws -> HTTPHead {
    end()
    let receiver = HTTPReceiver()
    try prepare(request, receiver)
    self.receiver = receiver
    (began, asked, sent, isConnected) = (options.now(), request.body?.count ?? 0, 0, false)
    heard = began
    curl_add(multi, easy)
    while !receiver.hasHead, receiver.result == nil {
      try step(receiver)
      try checkPace(0)
    }
    if let result = receiver.result, result != CURLE_OK { throw failure(result) }
    if !receiver.hasHead { throw HTTPFailure.cut("the answer has no head") }
    return HTTPHead(receiver.lines)
  }

  /// The next bytes of the answer's body; nil at its end.
  package func next() throws -> [UInt8]? {
    guard let receiver else { return nil }
    // Whoever did something else since the last bytes has not waited for these.
    heard = options.now()
    while receiver.bytes.isEmpty {
      if let result = receiver.result {
        end()
        if result == CURLE_OK { return nil }
        throw failure(result)
      }
      try step(receiver)
    }
    let bytes = receiver.bytes
    receiver.bytes = []
    if receiver.isFull {
      receiver.isFull = false
      curl_go_on(easy)
    }
    return bytes
  }

  /// Leaves the answer where it is. One that was not read to its end ends the connection, too.
  package func end() {
    if receiver != nil { curl_remove(multi, easy) }
    receiver = nil
    curl_free_list(headers)
    headers = nil
    endSilence()
  }

  /// Silence is one thing, and a byte now and then another: that could go on for ever.
  private func checkPace(_ received: Int) throws {
    let bytes = asked + received
    let most = max(options.answerTimeout, 2 * options.silenceTimeout) + bytes / options.leastSpeed
    if began.duration(to: options.now()) > .seconds(most) { throw HTTPFailure.slow(seconds: most) }
  }

  private func step(_ receiver: HTTPReceiver) throws {
    try patience()
    tellSilence()
    let before = receiver.pieces
    curl_step(multi)
    if hasConnected() || hasSent() || receiver.pieces != before { endSilence() }
    while let message = curl_next_message(multi) {
      if message.pointee.msg == CURLMSG_DONE { receiver.result = message.pointee.data.result }
    }
    guard receiver.result == nil, receiver.bytes.isEmpty else { return }
    try checkSilence()
    curl_wait(multi, 100)
  }
}

/// How long nothing has come, and when nobody waits any longer.
extension HTTPConnection {
  /// Most answers come sooner, and nobody is told that they were waited for.
  private static let leastSilence = Duration.seconds(2)

  private func tellSilence() {
    let length = heard.duration(to: options.now())
    guard length >= Self.leastSilence else { return }
    isSilent = true
    let most = isConnected ? options.silenceTimeout : options.connectTimeout
    hearSilence(HTTPSilence(length: length, most: most))
  }

  /// As long as is told, and by the same clock.
  private func checkSilence() throws {
    let most = options.silenceTimeout
    guard isConnected, heard.duration(to: options.now()) > .seconds(most) else { return }
    end()
    throw HTTPFailure.silent("no byte for \(most) seconds")
  }

  private func hasConnected() -> Bool {
    guard !isConnected, curl_is_connected(easy) != 0 else { return false }
    isConnected = true
    return true
  }

  /// A server that takes a long question says nothing yet.
  private func hasSent() -> Bool {
    let before = sent
    sent = curl_sent(easy)
    return sent != before
  }

  private func endSilence() {
    heard = options.now()
    if isSilent { hearSilence(nil) }
    isSilent = false
  }
}

extension HTTPConnection {
  private func prepare(_ request: HTTPRequest, _ receiver: HTTPReceiver) throws {
    curl_reset(easy)
    let context = Unmanaged.passUnretained(receiver).toOpaque()
    curl_set_take(easy, CURLOPT_WRITEFUNCTION, CURLOPT_WRITEDATA, takeBody, context)
    curl_set_take(easy, CURLOPT_HEADERFUNCTION, CURLOPT_HEADERDATA, takeHeader, context)
    // A signal may come to any thread.
    curl_set_number(easy, CURLOPT_NOSIGNAL, 1)
    details[0] = 0
    curl_set_text(easy, CURLOPT_ERRORBUFFER, details.baseAddress)
    url = request.url
    curl_set_text(easy, CURLOPT_URL, url)
    curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    curl_set_number(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    // As written: a document may be called "..".
    curl_set_number(easy, CURLOPT_PATH_AS_IS, 1)
    curl_set_number(easy, CURLOPT_CONNECTTIMEOUT, options.connectTimeout)
    if let netrc = options.netrc {
      if let file = netrc.file { curl_set_text(easy, CURLOPT_NETRC_FILE, file) }
      curl_set_number(easy, CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue))
      curl_set_number(easy, CURLOPT_HTTPAUTH, 1)
    }
    if let authorities = options.authorities { curl_set_text(easy, CURLOPT_CAINFO, authorities) }
    add(request)
  }

  private func failure(_ code: CURLcode) -> HTTPFailure {
    // It is there, because it was allocated with a size above 0.
    let told = String(cString: UnsafePointer(details.baseAddress!))
    return HTTPFailure(code, told.isEmpty ? String(cString: curl_words(code)) : told, url)
  }

  private func add(_ request: HTTPRequest) {
    curl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method)
    if request.isOnce { curl_set_number(easy, CURLOPT_FRESH_CONNECT, 1) }
    if let body = request.body {
      curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
      body.withUnsafeBytes { bytes in
        _ = curl_set_text(easy, CURLOPT_COPYPOSTFIELDS, bytes.bindMemory(to: CChar.self).baseAddress)
      }
    }
    // Nobody waits for leave to send a body.
    for (name, value) in request.headers + [(name: "Expect", value: "")] {
      headers = curl_append(headers, value.isEmpty ? "\(name):" : "\(name): \(value)")
    }
    curl_set_list(easy, CURLOPT_HTTPHEADER, headers)
  }
}

/// What has come and was not taken yet.
private final class HTTPReceiver {
  /// In bytes: a server may send more in a moment than anybody can take.
  static let enough = 1 << 16

  var lines: [String] = []
  /// How often anything came.
  var pieces = 0
  var hasHead = false
  var bytes: [UInt8] = []
  /// Whether more waits until this was taken.
  var isFull = false
  /// nil while more may come.
  var result: CURLcode?

  /// Something like `HTTP/1.1 100 Continue` may come before the head of the answer itself.
  func take(header line: String) {
    pieces += 1
    if hasHead, line.hasPrefix("HTTP/") { (hasHead, lines) = (false, []) }
    if !line.isEmpty { return lines.append(line) }
    hasHead = lines.first?.split(separator: " ").dropFirst().first.map { !$0.hasPrefix("1") } ?? true
    if !hasHead { lines = [] }
  }
}

private func receiver(_ context: UnsafeMutableRawPointer?) -> HTTPReceiver? {
  context.map { Unmanaged<HTTPReceiver>.fromOpaque($0).takeUnretainedValue() }
}

private func takeBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let receiver = receiver(context) else { return 0 }
  if receiver.bytes.count > HTTPReceiver.enough {
    receiver.isFull = true
    return Int(CURL_WRITEFUNC_PAUSE)
  }
  receiver.pieces += 1
  receiver.bytes.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: size * count))
  return size * count
}

private func takeHeader(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  let line = UnsafeRawBufferPointer(start: bytes, count: size * count).prefix { $0 != 13 && $0 != 10 }
  receiver(context)?.take(header: String(decoding: line, as: UTF8.self))
  return size * count
}

extension HTTPFailure {
  /// - Parameters:
  ///   - detail: what curl tells beside the code: which certificate is wrong, and how, or which host does not answer, be it a proxy's.
  ///   - url: what was asked for.
  fileprivate init(_ code: CURLcode, _ detail: String, _ url: String) {
    let words = String(cString: curl_words(code))
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT:
      self = .notReached(HTTPFailure.notConnected(detail, to: url))
    // In quotes stands what was set for a proxy, with its password.
    case CURLE_COULDNT_RESOLVE_PROXY: self = .notReached(detail.contains("'") ? words : detail)
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: self = .notReached(words)
    // No certificate has come then.
    case CURLE_SSL_CONNECT_ERROR: self = .notReached("no encrypted connection can be made: \(detail)")
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
      self = .insecure(detail)
    case CURLE_SSL_CACERT_BADFILE: self = .notReached("the file of certificates to trust cannot be used")
    case CURLE_OPERATION_TIMEDOUT: self = .silent(words)
    default: self = .cut(words)
    }
  }

  /// Without how long it was tried, and with whose port that is, where it is none of the address.
  static func notConnected(_ detail: String, to url: String) -> String {
    let words = detail.replacing(#/ after [0-9]+ ms/#, with: "")
    guard let port = words.firstMatch(of: #/ port ([0-9]+)/#)?.output.1, port != Self.port(of: url) else {
      return words
    }
    return words
      + " (a proxy, which http_proxy, https_proxy or all_proxy names; no_proxy leaves a server out)"
  }

  private static func port(of url: String) -> Substring {
    let port = url.firstMatch(of: #/^[a-z]+://[^/]*:([0-9]+)(?:/|$)/#)?.output.1
    return port ?? (url.hasPrefix("https:") ? "443" : "80")
  }
}
