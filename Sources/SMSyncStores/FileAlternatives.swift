import Merging

/// The ways to decide a file as a whole, each with its name.
struct FileAlternatives {
  private let standing: FileStanding
  private let versions: ThreeWay<RecordVersion>
  private let earlier: RecordVersion?

  static let accept = "accept"
  static let upload = "upload"
  static let both = "both"

  init(_ standing: FileStanding, _ versions: ThreeWay<RecordVersion>, earlier: RecordVersion?) {
    (self.standing, self.versions, self.earlier) = (standing, versions, earlier)
  }

  var all: [Alternative] {
    if !standing.isConflict { return [] }
    return standing.news.isDeletion ? deletedThere : standing.pending == .upload ? edited : deletedHere
  }

  /// A text of a person's own goes in the place of the upload. Of a file that is deleted here no answer of the framework's sends one.
  var own: OwnValue? {
    guard standing.isConflict, standing.pending == .upload else { return nil }
    return OwnValue(
      field: FileConflict.content,
      words: standing.news.isDeletion
        ? "send an edited text, which undeletes the file \(next(after: 1))"
        : "send an edited text, \(next(after: 1))",
      ownLosses: unread + unseen)
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
    kept("keep the client's \(noun), which undeletes the file \(next)")
      + [
        Alternative(
          id: Side.server.rawValue, words: "accept the deletion", outcome: .delete, ownLosses: unread)
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
      outcome: .delete, ownLosses: unseen + upload)
    return [accepting, delete] + (isBoth ? uploadFirst : [])
  }

  private func kept(_ words: String) -> [Alternative] {
    versions.client.isPresent
      ? [
        Alternative(
          id: Side.client.rawValue, words: words, outcome: .save(versions.client), ownLosses: unseen)
      ] : []
  }

  /// What the server has and nobody here can look at.
  private var unseen: [Alternative.Loss] {
    versions.server.isUnknown ? [.values(of: "the server", fields: [FileConflict.content])] : []
  }

  /// What waits here, and whose file cannot be read or is not there.
  private var unread: [Alternative.Loss] {
    versions.client.isUnknown ? [.values(of: "the client", fields: [FileConflict.content])] : []
  }

  /// What is not downloaded cannot be shown, and still be accepted.
  private var accepting: Alternative {
    let words = "accept the server's version \(standing.news.version)"
    if versions.server.isPresent {
      return Alternative(
        id: Side.server.rawValue, words: words, outcome: .save(versions.server),
        ownLosses: unread + upload)
    }
    let loss: Alternative.Loss =
      standing.pending == .upload
      ? .values(of: "the client", fields: [FileConflict.content]) : .deletion(by: "the client")
    return Alternative(
      id: FileAlternatives.accept, words: words + ", unseen", outcome: .own, ownLosses: [loss] + upload)
  }

  /// What waits behind a deletion, and no version tells of.
  private var upload: [Alternative.Loss] {
    standing.pending == .both ? [.values(of: "the earlier upload", fields: [FileConflict.content])] : []
  }

  private var uploadFirst: [Alternative] {
    let saved = earlier.flatMap { earlier in
      earlier.isPresent
        ? Alternative(
          id: FileAlternatives.upload, words: "keep the upload, \(next), and drop the deletion",
          outcome: .save(earlier), ownLosses: unseen) : nil
    }
    let both = Alternative(
      id: FileAlternatives.both, words: "send both: the upload \(next), then its deletion",
      outcome: .own,
      ownLosses: [
        .values(of: "the server", fields: [FileConflict.content]), .other("the file ends deleted"),
      ])
    return [saved, both].compactMap(\.self)
  }
}
