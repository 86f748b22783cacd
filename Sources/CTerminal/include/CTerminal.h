#ifndef CTERMINAL_H
#define CTERMINAL_H
#include <stdint.h>

/// The columns of one code point by the C library, in a UTF-8 locale whatever the process has; -1 for control characters.
int ct_width(uint32_t scalar);

#endif
