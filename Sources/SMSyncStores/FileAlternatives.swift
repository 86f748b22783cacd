import Merging

/// The ways to decide a file as a whole, each with its name.
struct FileAlternatives {
  private let standing: FileStanding
  private let versions: ThreeWay<RecordVersion>
  /// What each upload that waits would send, in their order.
  private let uploads: [RecordVersion]

  static let accept = "accept"
  static let upload = "upload"
  static let both = "sendBoth"

  init(_ standing: FileStanding, _ versions: ThreeWay<RecordVersion>, uploads: [RecordVersion]) {
    (self.standing, self.versions, self.uploads) = (standing, versions, uploads)
  }

  var all: [Alternative] {
    if !standing.isConflict { return [] }
    return standing.news.isDeletion ? deletedThere : standing.clientHasText ? edited : deletedHere
  }

  /// A text of a person's own goes in the place of the upload. Of a file that is deleted here no answer of the framework's sends one.
  var own: OwnValue? {
    guard standing.isConflict, standing.pending == .upload else { return nil }
    return OwnValue(
      field: FileConflict.content,
      words: standing.news.isDeletion
        ? "send an edited text, which undeletes the file \(next(after: 1))"
        : "send an edited text, \(next(after: 1))",
      ownLosses: unread + unseen + earlier())
  }

  /// What the file is in the end, where each upload that waits is sent, one version after the other.
  private var next: String { next(after: standing.rows.files.count) }

  private var noun: String { FileContent.noun(versions.client.fields?[FileConflict.content]?.value) }

  /// Nobody can tell the number behind one that is damage.
  private func next(after uploads: Int) -> String {
    standing.news.isCountable
      ? "as version \(standing.news.version + Int64(uploads))" : "as its next version"
  }

  private var deletedThere: [Alternative] {
    let isBoth = standing.isUploadOfDeletedFile
    return kept(
      "keep the client's \(noun), which undeletes the file \(next)"
        + (isBoth ? ", and drop the deletion here" : ""),
      losing: isBoth ? [.deletion(by: "the client")] : [])
      + [
        Alternative(
          id: Side.server.rawValue,
          words: "accept the deletion" + (isBoth ? ", and drop the upload" : ""), outcome: .delete,
          ownLosses: unread + earlier())
      ]
  }

  private var edited: [Alternative] {
    [accepting] + kept("keep the client's \(noun), \(next)")
  }

  private var deletedHere: [Alternative] {
    let isBoth = standing.pending == .both
    let delete = Alternative(
      id: Side.client.rawValue,
      words: "keep the deletion of version \(standing.news.version)"
        + (isBoth ? ", and drop the upload" : ""),
      outcome: .delete, ownLosses: unseen + earlier())
    return [accepting, delete] + (isBoth ? uploadFirst : [])
  }

  private func kept(_ words: String, losing losses: [Alternative.Loss] = []) -> [Alternative] {
    versions.client.isPresent
      ? [
        Alternative(
          id: Side.client.rawValue, words: words, outcome: .save(versions.client),
          ownLosses: unseen + losses)
      ] : []
  }

  /// What the server has and nobody here can look at.
  private var unseen: [Alternative.Loss] {
    versions.server.isUnknown ? [value(of: .server)] : []
  }

  /// What waits here, and whose file cannot be read or is not there.
  private var unread: [Alternative.Loss] {
    versions.client.isUnknown ? [value(of: .client)] : []
  }

  private func value(of side: Side) -> Alternative.Loss {
    .value(
      of: "the \(side.rawValue)", side: side, field: FileConflict.content,
      content(side == .client ? versions.client : versions.server))
  }

  private func content(_ version: RecordVersion) -> Value? { version.fields?[FileConflict.content]?.value }

  /// What is not downloaded cannot be shown, and still be accepted.
  private var accepting: Alternative {
    let words = "accept the server's version \(standing.news.version)"
    if versions.server.isPresent {
      return Alternative(
        id: Side.server.rawValue, words: words, outcome: .save(versions.server),
        ownLosses: unread + earlier(but: content(versions.server)))
    }
    let loss: Alternative.Loss =
      standing.pending == .upload ? value(of: .client) : .deletion(by: "the client")
    return Alternative(
      id: FileAlternatives.accept, words: words + ", unseen", outcome: .own, ownLosses: [loss] + earlier())
  }

  /// What waits before the client, and no version tells of.
  ///
  /// - Parameter kept: a text that stays, whoever has it.
  private func earlier(but kept: Value? = nil) -> [Alternative.Loss] {
    let earlier = standing.clientHasText ? Array(uploads.dropLast()) : uploads
    let told = [kept, content(versions.client)].compactMap(\.self)
    return earlier.enumerated().compactMap { index, upload in
      let text = content(upload)
      if let text, told.contains(text) { return nil }
      let name = earlier.count == 1 ? "the earlier upload" : "earlier upload \(index + 1)"
      return .value(of: name, side: .client, field: FileConflict.content, text)
    }
  }

  private var uploadFirst: [Alternative] {
    let saved = uploads.last.flatMap { upload in
      upload.isPresent
        ? Alternative(
          id: FileAlternatives.upload, words: "keep the upload, \(next), and drop the deletion",
          outcome: .save(upload), ownLosses: unseen) : nil
    }
    let both = Alternative(
      id: FileAlternatives.both, words: "send both: the upload \(next), then its deletion",
      outcome: .own,
      ownLosses: [
        value(of: .server), .other("the file itself, which ends deleted"),
      ])
    return [saved, both].compactMap(\.self)
  }
}
