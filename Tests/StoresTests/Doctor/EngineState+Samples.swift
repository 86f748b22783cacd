@testable import Stores

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
          .init("pendingRecordModifications", .engineChanges(pending)),
          .init("inFlightRecordModifications", .engineChanges(inFlight)),
          .init("pendingZoneChanges", .members((0..<zoneChanges).map { .text("zone \($0)") })),
          .init("needsToFetchDatabaseChanges", .inline(.bool(mustFetch))),
        ]))
  }
}

extension CodedObject {
  fileprivate static func engineChanges(_ changes: [PendingZoneChange]) -> CodedObject {
    .members(
      changes.map { change in
        .object(
          classes: ["CKSyncEnginePendingRecordZoneChange", "NSObject"],
          fields: [
            .init("type", .inline(.integer(change.kind == .save ? 0 : 1))),
            .init(
              "recordID",
              .recordID(change.recordName, zone: .zoneID(change.zoneName, ownerName: change.ownerName))),
          ])
      })
  }

  fileprivate static func members(_ members: [CodedObject]) -> CodedObject {
    .object(
      classes: ["NSMutableOrderedSet", "NSOrderedSet", "NSObject"],
      fields: members.enumerated().map { .init("NS.object.\($0.offset)", $0.element) })
  }
}
