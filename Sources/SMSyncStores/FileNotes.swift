/// What a person should know before deciding about a file. Shown with hidden values, too: no title, no text, no name.
struct FileNotes {
  private let standing: FileStanding
  private let surroundings: FileSurroundings
  private let related: RelatedFiles
  private let waiting: OutboxFile.Entry?

  init(
    _ standing: FileStanding, _ surroundings: FileSurroundings, _ related: RelatedFiles,
    _ waiting: OutboxFile.Entry?
  ) {
    (self.standing, self.surroundings, self.related) = (standing, surroundings, related)
    self.waiting = waiting
  }

  var all: [String] {
    [
      written, race, acknowledged, overtaken, behind, pending, uncommitted, belonging, shares, ancestor,
    ].compactMap(\.self)
  }

  private var written: String? {
    guard let waiting else { return nil }
    let count = waiting.requests
    let requests = count == 0 ? "nothing to be sent" : count == 1 ? "1 request" : "\(count) requests"
    return """
      It is decided (\(waiting.decision)), with \(requests) in the outbox: Parley sends nothing itself. Whoever may sends it; what \
      is to be answered on the device stands there, too.
      """
  }

  private var race: String {
    let again = "you may be asked again"
    guard let download = standing.news.download else {
      let met =
        standing.rows.downloads.isEmpty
        ? "The app has not met it yet" : "The app has met it, and asks nothing about it"
      return "\(met): it is told by the server's index, which is as old as its file; \(again)."
    }
    if download.isDeletion {
      return surroundings.holdsLock ? deletionRace + "." : deletionRace + "; \(again)."
    }
    return download.isAtApp
      ? "The server may have moved on since the download; \(again)."
      : "The download has not ended: the app asks when it has."
  }

  private var deletionRace: String {
    switch surroundings.lock {
    case .held:
      "The app holds the server's lock until this is answered there: no other device can sync meanwhile"
    case .free: "The server may have moved on since this round"
    case .unknown:
      """
      Whether the app holds the server's lock until this is answered, or the server may have moved on, nobody can tell: nothing here \
      says whether files came with the round
      """
    }
  }

  /// The framework marks the files of its deletions before it asks about them, once it has asked about all others.
  private var acknowledged: String? {
    guard standing.news.download?.isDeletion == true, standing.rows.isDeletedOnServer,
      surroundings.lock == .free
    else { return nil }
    return """
      The round is acknowledged by half: its files are answered, and its deletions alone are left to ask about.
      """
  }

  private var overtaken: String? {
    if let entry = standing.overtakenBy {
      return entry.isDeleted
        ? "By its index the server has deleted the file since: the app will ask about that."
        : "By its index the server has version \(entry.version) since: the app will ask about that one."
    }
    let news = standing.news
    guard let entry = surroundings.index?[standing.rows.uuid],
      entry.version != news.version || entry.isDeleted != news.isDeletion
    else { return nil }
    return "The index that was given is older than what the app has met (version \(news.version))."
  }

  private var behind: String? {
    guard let refused = standing.refusedUndeletion else { return nil }
    return """
      By its index the server has deleted version \(standing.news.version), of which this device does not know: kept there, its upload \
      is sent as version \(refused), at which the framework stops. Decided here, the container's outbox has the request that fits.
      """
  }

  private var pending: String? {
    let count = standing.rows.files.count
    if standing.isAcceptedByHalf {
      return """
        The app has accepted version \(standing.news.version) and was ended before its round was: the deletion that it asked about is \
        gone, and the upload from before that is left. It goes over the accepted version, whose text is lost, unless that is accepted \
        here.
        """
    }
    switch standing.pending {
    case .both where standing.news.isDeletion:
      return """
        An upload was asked for here, and then the deletion; the server has deleted the file as well. The framework takes that for \
        deleted on both sides: it asks nothing, drops the deletion, and keeps the upload, which stops every later sync.
        """
    case .both:
      return """
        An upload was asked for here, and then the deletion. The app tells of the deletion alone: accept there, and the upload still \
        goes, over the version that was accepted.
        """
    case .upload where count > 1: return "\(count) uploads of it wait; the client is the last of them."
    case .upload, .deletion: return nil
    }
  }

  private var uncommitted: String? {
    standing.rows.uploads.contains { $0.place == .prepared }
      ? "It is not committed: the app sends nothing of it before it calls commit." : nil
  }

  private var belonging: String? {
    guard let owner = related.owner else { return nil }
    let words = "It belongs to another file, which its appMetaData names (\(owner.key))"
    return owner.waits ? words + " and for which something waits too: decide both alike." : words + "."
  }

  private var shares: String? {
    guard let first = related.owned.first else { return nil }
    let (count, waiting) = (related.owned.count, related.owned.count(where: \.waits))
    let words = count == 1 ? "Another file belongs to it" : "\(count) other files belong to it"
    return words + " (\(first.key))"
      + (waiting > 0
        ? ", and \(waiting == 1 ? "one of them waits" : "\(waiting) of them wait"): decide them alike." : ".")
  }

  private var ancestor: String? {
    guard let folder = surroundings.ancestors else { return nil }
    let versions = folder.versions(of: standing.rows.uuid)
    if folder.bytes(of: standing.rows, version: standing.ancestor) != nil { return taken(from: versions) }
    if versions.isEmpty { return nil }
    let there = "Of the file the folder that was named has \(words(versions))"
    return standing.ancestor == nil
      ? """
      \(there), and none is taken: of the ancestor only that it is \(standing.ancestorWords) is known. If one of them is it, call it by the \
      UUID alone.
      """
      : "\(there), and none is taken: the ancestor is \(standing.ancestorWords)."
  }

  /// - Parameter versions: those that lie in the folder under their numbers.
  private func taken(from versions: [Int64]) -> String {
    let isNamed = standing.ancestor.map(versions.contains) ?? false
    let others = versions.filter { $0 != standing.ancestor }
    let told = isNamed ? "only its name tells" : "nothing proves"
    return
      "The ancestor's text is from --ancestors; \(told) that it is \(standing.ancestorWords)."
      + (others.isEmpty
        ? "" : " The folder has \(words(others)) of the file, too, and nothing of it is used.")
  }

  private func words(_ versions: [Int64]) -> String {
    "version\(versions.count == 1 ? "" : "s") " + versions.map { "\($0)" }.joined(separator: ", ")
  }
}
