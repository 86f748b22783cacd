/// What was found wrong with files of attachments while one document was looked at. Many of its attachments may share a file,
/// and a few megabytes of gzip hold gigabytes: each is read and decoded once.
final class CheckedFiles {
  private struct Claim: Hashable {
    let key: [UInt8]
    let length: Int64
    let isCompressed: Bool
  }

  private var problems: [Claim: String?] = [:]

  /// nil if there is none; `find` is called for what was not looked at yet.
  func problem(of attachment: Attachment, _ find: () throws -> String?) rethrows -> String? {
    let claim = Claim(
      key: attachment.key, length: attachment.length, isCompressed: attachment.isCompressed)
    if let known = problems[claim] { return known }
    let found = try find()
    problems[claim] = .some(found)
    return found
  }
}
