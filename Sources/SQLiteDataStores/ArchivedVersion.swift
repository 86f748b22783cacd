import ExactJSON
import KeyedArchives
import Merging
import SQLiteFiles
import StoreInterface

/// A record's archive as one version of a row: the values converted to what the table's columns keep.
///
/// How SQLiteData maps columns to a CKRecord, learnt from f6bd67aa, CloudKit/CloudKit+StructuredQueries.swift
/// (FORMAT.md, "Columns and records"):
///
///     title                                            the value; a missing key is NULL, or unknown to that device
///     sqlitedata_icloud_userModificationTime_title     when it was set, in nanoseconds since 1970
///     cover_hash                                       a blob's SHA-256; the blob itself is an asset, its file is gone
///
/// A class, as what is made of a record has it in several places.
final class ArchivedVersion: Sendable {
  /// nil if nothing of it could be read.
  var record: ArchivedRecord? { hasRecord ? read : nil }
  let hasRecord: Bool
  // Empty where there is none. Not an optional one: of that, all that it has is copied, and counted, for each part that is asked for.
  private let read: ArchivedRecord
  let version: RecordVersion
  /// The record's fields that the table does not have.
  let unknownFields: [String]
  /// When the last of its fields was set that was saved as it is here, in nanoseconds since 1970; nil if none tells.
  let newestEdit: Int64?

  static let noFields = "the acknowledgement carried no fields"

  convenience init?(_ bytes: [UInt8]?, shape: TableShape?) {
    guard let bytes else { return nil }
    do throws(ArchiveError) {
      self.init(try ArchivedRecord(decoding: bytes), shape: shape)
    } catch {
      self.init(unreadable: "its archive cannot be read: \(error)")
    }
  }

  /// A record that came as CloudKit's JSON. Its fields' own times are there only if whoever asked for it may read encrypted
  /// values; else every field has the time of the record's last change.
  convenience init?(json: String?, shape: TableShape?) {
    guard let json else { return nil }
    do throws(JSONProblem) {
      let record = try CloudKitJSON.record(json).record
      self.init(record, shape: shape, otherTimes: record.modifiedAt)
    } catch {
      self.init(unreadable: "its JSON cannot be read: \(error.reason)")
    }
  }

  init(_ record: consuming ArchivedRecord, shape: TableShape?, otherTimes: Int64? = nil) {
    let found = RecordFields(record, shape, otherTimes: otherTimes)
    version = found.fields.isEmpty ? .unknown(reason: ArchivedVersion.noFields) : .present(found.fields)
    (unknownFields, newestEdit) = (found.unknown.sorted(), found.newestEdit)
    (hasRecord, read) = (true, record)
  }

  /// This version, if the server has it or may have it; nil for a record that was sent and never confirmed.
  var agreed: ArchivedVersion? { isUnconfirmed ? nil : self }

  /// Whether there is a record, and the server never answered with it.
  var isUnconfirmed: Bool { hasRecord && !stamp.isConfirmed }

  /// By what the server tells it apart; empty where there is no record.
  var stamp: ServerStamp { read.stamp }
  /// The name of the device that made it.
  var device: String? { read.modifiedByDevice }

  /// The same version, with the ancestor's blob for each asset that has the ancestor's checksum. CloudKit's JSON may tell
  /// nothing else of it: the SHA-256 is among the encrypted values.
  func recognizing(assetsOf ancestor: ArchivedVersion?) -> ArchivedVersion {
    guard case .present(var fields) = version, let known = ancestor?.version.fields else { return self }
    for (name, field) in fields {
      guard case .opaque = field.value, let checksum = record?.assetChecksum(name),
        checksum == ancestor?.record?.assetChecksum(name)
      else { continue }
      fields[name] = known[name]
    }
    return ArchivedVersion(self, with: fields)
  }

  /// The fields in which the app put its own value into the server's record, as it does with one that does not come with a
  /// later time. A time alone is no value: that of the record moves whenever it is taken in.
  var refusedFields: Set<String> {
    guard !isUnconfirmed, !read.changedKeys.isEmpty, let fields = version.fields else { return [] }
    return Set(
      fields.keys.filter { name in
        [name, ArchivedRecord.assetHashKey(of: name)].contains(where: read.changedKeys.contains)
      })
  }

  private init(_ other: ArchivedVersion, with fields: RecordVersion.Fields) {
    (hasRecord, read, version) = (other.hasRecord, other.read, .present(fields))
    (unknownFields, newestEdit) = (other.unknownFields, other.newestEdit)
  }

  private init(unreadable reason: String) {
    (hasRecord, read, version) = (false, ArchivedRecord.none, .unknown(reason: reason))
    (unknownFields, newestEdit) = ([], nil)
  }
}

extension ArchivedRecord {
  fileprivate static let none = ArchivedRecord(recordType: "", recordName: "", zoneName: "", ownerName: "")

  /// A value as the row keeps it.
  func value(_ value: ArchivedValue, of column: String, _ shape: TableShape?) -> Value {
    switch value {
    case .asset(let asset):
      assetHash(of: column).map { .blob(Blob(sha256: $0, count: asset.size.map { Int($0) })) } ?? value.stored
    case .reference(let record): shape?.key(of: record, in: column) ?? value.stored
    default: value.stored
    }
  }

  /// Whether the server ever answered with it.
  var isConfirmed: Bool { stamp.isConfirmed }

  fileprivate func assetChecksum(_ column: String) -> [UInt8]? {
    if case .asset(let asset)? = values[column] { asset.signature } else { nil }
  }
}

extension TableShape {
  /// The key that a CloudKit reference means in a foreign key's column: SQLiteData names a record `key:table`. nil if the
  /// record is of another table than the column refers to.
  fileprivate func key(of record: String, in column: String) -> Value? {
    guard let name = RecordName(record), let own = self[column] else { return nil }
    let refers = foreignKeys(of: column).contains {
      $0.columns.count == 1 && $0.table.lowercased() == name.table.lowercased()
    }
    return refers ? keyValue(name.primaryKey, own) : nil
  }
}

extension ArchivedValue {
  /// The value as a column would keep it.
  fileprivate var stored: Value {
    switch self {
    case .string(let text): .text(text)
    case .integer(let integer): .integer(integer)
    case .bool(let bool): .integer(bool ? 1 : 0)
    case .real(let real): .real(real)
    case .date(let seconds): StoredDate.text(secondsSince2001: seconds).map { .text($0) } ?? .real(seconds)
    case .data(let bytes): .blob(Blob(bytes: bytes))
    case .null: .null
    case .unsigned(let unsigned): .opaque(kind: "integer beyond 64 bits", bytes: Array("\(unsigned)".utf8))
    case .asset(let asset): .opaque(kind: asset.words, bytes: asset.signature ?? Array("\(self)".utf8))
    case .reference(let name): .opaque(kind: "reference", bytes: Array(name.utf8))
    case .location: .opaque(kind: "location", bytes: Array("\(self)".utf8))
    case .list: .opaque(kind: "list", bytes: Array("\(self)".utf8))
    case .opaque(let name, let bytes): .opaque(kind: name, bytes: bytes)
    }
  }
}

extension ArchivedAsset {
  /// What is known of an asset of which nobody told the SHA-256.
  fileprivate var words: String {
    let size = size.map { " of \($0) bytes" } ?? ""
    return "asset\(size), \(signature == nil ? "known by nothing else" : "known by its checksum only")"
  }
}
