import ExactJSON
import Merging
import StoreInterface

// What a support ticket may show: names of tables and fields, times and counts, but no value. Titles, keys and revisions
// become the first digits of their SHA-256, so that the same record is recognised in two reports. What a finding's texts may
// show to anybody, and what not, its store has said: see ``Evidence``.

/// `#` and eight hexadecimal digits.
func redacted(_ text: String) -> String {
  text.isEmpty ? "" : "#" + Hexadecimal.text(Blob(bytes: Array(text.utf8)).sha256.prefix(4))
}

extension Finding {
  /// A finding about a table, a queue or the whole store has no record; its title and id name nobody's.
  var redacted: Finding {
    var copy = self
    copy.shown = shown.redacted(parley.redacted)
    copy.related = related.map(redactedName)
    if record.isEmpty { return copy }
    copy.record = parley.redacted(record)
    copy.title = parley.redacted(title)
    copy.id = id.prefix { $0 != ":" } + ":" + copy.record
    return copy
  }
}

/// `KEY:TABLE` without the key.
private func redactedName(_ name: String) -> String {
  guard let colon = name.lastIndex(of: ":") else { return redacted(name) }
  return redacted(String(name[..<colon])) + name[colon...]
}

extension UploadQueue {
  var redacted: UploadQueue {
    var copy = self
    for index in copy.waiting.indices {
      copy.waiting[index].record = parley.redacted(copy.waiting[index].record)
    }
    return copy
  }
}
