// What of SQLite's interface takes as many arguments as one likes, which Swift cannot call.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H
#include <sqlite3.h>

static inline int csqlite_count_memory(int is_counted) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, is_counted);
}
#endif
