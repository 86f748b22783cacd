import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where everything lies in the archives of one table's records: in most of them at the same numbers, in objects of the same bytes.
/// Of an archive that has the layout of one before, only those objects are read in which two archives may differ.
///
/// ```
/// fixed   dictionaries, arrays, references, keys, names of classes       what decides which object is read as what
/// free    texts, data, numbers                                           what is read
/// ```
///
/// Reading goes by nothing but the fixed objects, up to the free ones at its ends. So an archive with the same fixed objects at the
/// same numbers is read as the one before was, and what it holds at the ends is read and checked by the same functions. Whatever
/// goes wrong with it there is left to the reading of the whole, which tells of it. Fixed objects hold no values of the record.
final class ArchiveLayout: Sendable {
  /// Objects that lie one after the other.
  struct Run {
    let first: Int
    let count: Int
    /// Where they begin in ``ArchiveLayout/bytes``.
    let start: Int
    let length: Int
    /// Where its objects begin in ``ArchiveLayout/distances``.
    let passed: Int
  }

  /// What was read under a key of the record.
  struct Site {
    let key: RecordKey
    let index: Int
  }

  /// A value, and its key.
  struct ValueSite {
    /// The object that is the key, and where in it its text begins.
    let key: Int
    let keyStart: Int
    let keyCount: Int
    let index: Int
    /// Of an encrypted value its kind, and where its data is referred to.
    let encrypted: (payload: EncryptedPayload, data: Int)?
  }

  let sizes: BinaryPropertyList.Sizes
  let runs: [Run]
  /// How far each object of a run lies behind the first, one run after the other.
  let distances: [Int]
  /// The fixed objects.
  let bytes: [UInt8]
  let sites: [Site]
  let values: [ValueSite]
  let places: [String: Int]?
  let hasValueStores: Bool
  /// How many references are followed when all of it is read, and how many bytes of keys there are.
  let visits: Int
  let keyBytes: Int
  /// The run in which the last archive differed: most others of its kind do, too.
  private let suspect = Atomic(0)
  private let meaning = Mutex<Meaning?>(nil)

  /// What somebody made of the keys.
  private struct Meaning: Sendable {
    let asker, made: any AnyObject & Sendable
  }

  /// - Returns: nil for an archive with something that no layout tells of.
  ///
  /// - Parameter archive: as it is after all of it was read.
  init?(_ archive: KeyedArchive, of record: ArchivedRecord) {
    var reader = archive
    // What was set twice is in none, and of what was changed an app's own archives tell alone.
    guard let found = try? ArchiveSites(&reader), found.values.count == record.values.count,
      record.originalValues.isEmpty, record.changedKeys.isEmpty,
      let fixed = try? FixedObjects(archive.list, keys: found.values.map(\.key))
    else { return nil }
    (sizes, sites, values) = (archive.list.sizes, found.system, found.values)
    (runs, distances, bytes) = (fixed.runs, fixed.distances, fixed.bytes)
    (places, hasValueStores, visits) = (record.values.places, record.hasValueStores, archive.visits)
    keyBytes = found.values.reduce(0) { $0 + $1.keyCount }
  }

  /// The last that was made of the keys, if it was made for this one.
  func remembered<Made: AnyObject & Sendable>(
    for asker: some AnyObject & Sendable, _ make: () -> Made
  ) -> Made {
    let known = meaning.withLock { $0?.asker === asker ? $0?.made : nil }
    if let known = known as? Made { return known }
    let made = make()
    meaning.withLock { $0 = Meaning(asker: asker, made: made) }
    return made
  }

  /// Whether the fixed objects of an archive are these.
  func fits(_ list: BinaryPropertyList) -> Bool {
    guard list.sizes == sizes else { return false }
    return distances.withUnsafeBufferPointer { distances in
      bytes.withUnsafeBytes { bytes in
        let first = suspect.load(ordering: .relaxed)
        if !list.has(runs[first], distances, bytes) { return false }
        let other = runs.indices.first { $0 != first && !list.has(runs[$0], distances, bytes) }
        guard let other else { return true }
        suspect.store(other, ordering: .relaxed)
        return false
      }
    }
  }
}

extension BinaryPropertyList {
  @inline(__always)
  fileprivate func has(
    _ run: ArchiveLayout.Run, _ distances: UnsafeBufferPointer<Int>, _ known: UnsafeRawBufferPointer
  ) -> Bool {
    guard let place = part(of: run.first, length: run.length) else { return false }
    let start = offset(run.first)
    for number in 1..<run.count where offset(run.first &+ number) != start &+ distances[run.passed &+ number]
    {
      return false
    }
    // Both are there, as no run is empty.
    guard let left = place.baseAddress, let right = known.baseAddress else { return false }
    return memcmp(left, right + run.start, run.length) == 0
  }
}

extension KeyedArchive {
  /// Reads an archive of this layout.
  ///
  /// - Returns: whether nothing is wrong with it.
  mutating func read(_ layout: ArchiveLayout, into record: inout ArchivedRecord) -> Bool {
    visits += layout.visits
    record.hasValueStores = layout.hasValueStores
    do throws(ArchiveError) { try readSites(of: layout, into: &record) } catch { return false }
    return true
  }

  private mutating func readSites(
    of layout: ArchiveLayout, into record: inout ArchivedRecord
  ) throws(ArchiveError) {
    for site in layout.sites { try read(site.key, site.index, into: &record) }
    try reserve(layout.keyBytes)
    record.values = ArchivedValues(layout)
    for site in layout.values {
      let key = Extent(start: list.offset(site.key) + site.keyStart, count: site.keyCount)
      record.values.append(key, try value(site))
    }
  }

  private mutating func value(_ site: ArchiveLayout.ValueSite) throws(ArchiveError) -> ValueInPlace {
    if let (payload, data) = site.encrypted, let value = try encrypted(payload, data: data) { return value }
    return try valueInPlace(site.index)
  }
}
