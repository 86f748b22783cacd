import Merging

// What a support ticket may show: names of tables and fields, times and counts, but no value. Titles and keys become the
// first digits of their SHA-256, so that the same record is recognised in two reports. The texts of a finding hold no values.

/// `#` and eight hexadecimal digits.
func redacted(_ text: String) -> String {
  text.isEmpty ? "" : "#" + hexadecimal(Array(Blob(bytes: Array(text.utf8)).sha256.prefix(4)))
}

extension Finding {
  /// A finding about a table, a queue or the whole store names nobody's record.
  var redacted: Finding {
    guard isAboutRecord else { return self }
    var copy = self
    copy.record = parley.redacted(record)
    copy.title = parley.redacted(title)
    copy.id = id.prefix { $0 != ":" } + ":" + copy.record
    copy.related = related.map(redactedName)
    return copy
  }

  /// Of these the id holds the record's name.
  private var isAboutRecord: Bool {
    !record.isEmpty && id.hasSuffix(table.isEmpty ? record : "\(record):\(table)")
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
