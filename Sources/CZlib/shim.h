// What Swift's importer cannot see in zlib: macros.
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H
#include <zlib.h>

/// Begins to decode a gzip file (RFC 1952), and nothing else: 16 beside the largest window.
static inline int z_inflate_gzip(z_stream *stream) { return inflateInit2(stream, MAX_WBITS + 16); }

/// Begins to pack as a gzip file, with zlib's own memory level and strategy.
static inline int z_deflate_gzip(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
