import KeyedArchives

/// How long an archive takes to read; for `Tests/benchmark`.
public enum ArchiveBenchmark {
  /// Reads a self-made archive of about 4 kB `count` times.
  ///
  /// - Returns: how many were read, the processor time that took on this thread in nanoseconds, and the size of one archive.
  public static func run(count: Int) -> (blobs: Int, nanoseconds: Int64, bytes: Int) {
    let archive = reminder.encoded()
    let start = ProcessorTime.ofThread()
    var blobs = 0
    for _ in 0..<count {
      if let record = try? ArchivedRecord(decoding: archive), record.values.count == reminder.values.count {
        blobs += 1
      }
    }
    return (blobs, ProcessorTime.ofThread() - start, archive.count)
  }

  /// Nine columns, each with its time, as SQLiteData archives a row.
  private static let reminder: ArchivedRecord = {
    let columns: [(String, ArchivedValue)] = [
      ("id", .string("2f6c1e8a-5d3b-4c1f-9a7e-0b8d6c4f2a10")),
      ("title", .string("Water the tomatoes")),
      ("notes", .string("Only in the evening, and not the leaves.\nThe can is behind the shed.")),
      ("dueDate", .date(secondsSince2001: 816_858_480.5)),
      ("isCompleted", .integer(0)),
      ("priority", .integer(3)),
      ("estimate", .real(0.25)),
      ("cover", .asset(ArchivedAsset(size: 48_213, uuid: "9435b674-df06-4166-8e52-87e2bb913814"))),
      ("remindersListID", .string("7b1d9c52-80e4-4a6f-b3c8-5e2f9a0d4c63")),
    ]
    var values: [String: ArchivedValue] = [
      ArchivedRecord.modificationTimeKey: .integer(1_795_165_680_000_000_000),
      ArchivedRecord.assetHashKey(of: "cover"): .data((0..<32).map { $0 &* 7 }),
    ]
    for (column, value) in columns {
      values[column] = value
      values[ArchivedRecord.modificationTimeKey(of: column)] = .integer(1_795_165_680_000_000_000)
    }
    return ArchivedRecord(
      recordType: "reminders", recordName: "2f6c1e8a-5d3b-4c1f-9a7e-0b8d6c4f2a10:reminders",
      zoneName: "co.pointfree.SQLiteData.defaultZone", changeTag: "c00d",
      createdAt: 1_795_079_280_000_000_000,
      modifiedAt: 1_795_165_680_000_000_000, modifiedByDevice: "Garden iPad",
      parentRecordName: "7b1d9c52-80e4-4a6f-b3c8-5e2f9a0d4c63:remindersLists", values: values)
  }()
}
