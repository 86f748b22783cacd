import CSQLite

/// SQLite counts each piece of memory that it takes, under a lock that all threads share, for whoever asks how much that is. Nobody
/// here does, and it is a thirtieth of a write.
package enum SQLiteMemory {
  /// It holds for the whole process, so it is for a program to say, and before it opens its first database: after that nothing changes.
  package static func leaveUncounted() { _ = csqlite_count_memory(0) }
}
