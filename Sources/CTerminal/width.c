// wcwidth and newlocale are behind these, which Swift's importer does not define.
#define _XOPEN_SOURCE 700
#define _DARWIN_C_SOURCE 1
#include <locale.h>
#include <pthread.h>
#include <wchar.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif
#include "CTerminal.h"

static locale_t utf8;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_utf8(void) {
  static const char *const names[] = {"C.UTF-8", "en_US.UTF-8", "UTF-8"};
  for (size_t i = 0; i < sizeof names / sizeof *names && !utf8; i++) {
    utf8 = newlocale(LC_CTYPE_MASK, names[i], (locale_t)0);
  }
}

int ct_width(uint32_t scalar) {
  if (scalar >= 0x20 && scalar < 0x7F) return 1;
  pthread_once(&once, make_utf8);
  // uselocale speaks of this thread only, so nobody else sees the change.
  locale_t before = utf8 ? uselocale(utf8) : (locale_t)0;
  int width = wcwidth((wchar_t)scalar);
  if (utf8) uselocale(before);
  return width;
}
