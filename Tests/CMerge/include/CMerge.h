#pragma once
#include <stdint.h>

// A field of a plain row as somebody would have it who merges in C: see merge.c.
typedef struct {
  const char *name;
  // Nanoseconds since 1970.
  int64_t time;
  // 1 integer, 2 real, 3 text
  int64_t kind;
  // The integer, or the bits of the real.
  int64_t number;
  const char *text;
  int64_t length;
} merge_field;

// Merges `rows` rows of `fields` fields each, which lie one after the other, and writes the merged ones to `merged`.
//
// Returns how many fields at least one side has changed.
int64_t merge_rows(
  const merge_field *ancestor, const merge_field *client, const merge_field *server, merge_field *merged,
  int64_t rows, int64_t fields);
