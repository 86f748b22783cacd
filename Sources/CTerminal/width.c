// wcwidth is behind _XOPEN_SOURCE, which Swift's importer does not define.
#define _XOPEN_SOURCE 700
#include <locale.h>
#include <wchar.h>
#include "CTerminal.h"

int ct_width(uint32_t scalar) {
  return wcwidth((wchar_t)scalar);
}
