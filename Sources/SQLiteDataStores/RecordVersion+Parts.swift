import Merging

/// A version of which parts are left out, or are known better.
extension RecordVersion {
  /// The same version, without these fields.
  func without(_ names: Set<String>) -> RecordVersion {
    guard case .present(let fields) = self, !names.isEmpty else { return self }
    return .present(fields.filter { !names.contains($0.key) })
  }

  /// The same version, with these in place of its own.
  func replacing(_ others: [String: FieldVersion<Value>]) -> RecordVersion {
    guard case .present(var fields) = self, !others.isEmpty else { return self }
    for (name, version) in others { fields[name] = version }
    return .present(fields)
  }

  /// The same version, with the bytes of each blob that is among `blobs`; archives know only their SHA-256.
  func recognizing(_ blobs: [Blob]) -> RecordVersion {
    guard case .present(let fields) = self, !blobs.isEmpty else { return self }
    return .present(
      fields.mapVersions { field in
        guard case .blob(let blob) = field.value, blob.bytes == nil else { return field }
        return FieldVersion(.blob(blobs.first { $0 == blob } ?? blob), time: field.time)
      })
  }
}
