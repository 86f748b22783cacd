import Foundation

@testable import KeyedArchives

extension EngineState {
  /// An archive as the engine writes it.
  static func encoded(
    pending: [PendingZoneChange], inFlight: [PendingZoneChange] = [], zoneChanges: Int = 0,
    mustFetch: Bool = false
  ) -> [UInt8] {
    KeyedArchiveWriter.archive(
      root: .object(
        classes: ["CKSyncEngineState", "NSObject"],
        fields: [
          .init("pendingRecordModifications", .members(pending.map { .engineChange($0) })),
          .init("inFlightRecordModifications", .members(inFlight.map { .engineChange($0) })),
          .init("pendingZoneChanges", .members((0..<zoneChanges).map { .text("zone \($0)") })),
          .init("needsToFetchDatabaseChanges", .inline(.bool(mustFetch))),
        ]))
  }

  static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  static func json(_ bytes: [UInt8]) -> String { "{\"data\":\"\(base64(bytes))\"}" }
}

extension CodedObject {
  static func engineChange(_ change: PendingZoneChange) -> CodedObject {
    .object(
      classes: ["CKSyncEnginePendingRecordZoneChange", "NSObject"],
      fields: [
        .init("type", .inline(.integer(change.kind == .save ? 0 : 1))),
        .init(
          "recordID",
          .recordID(change.recordName, zone: .zoneID(change.zoneName, ownerName: change.ownerName))),
      ])
  }

  fileprivate static func members(_ members: [CodedObject]) -> CodedObject {
    .object(
      classes: ["NSMutableOrderedSet", "NSOrderedSet", "NSObject"],
      fields: members.enumerated().map { .init("NS.object.\($0.offset)", $0.element) })
  }
}
