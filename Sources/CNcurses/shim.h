// What Swift's importer cannot see in ncurses: macros that cast, and globals that Swift 6 refuses.
#ifndef CNCURSES_SHIM_H
#define CNCURSES_SHIM_H
// Without these, ncurses.h leaves out cchar_t and get_wch.
#define NCURSES_WIDECHAR 1
#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#include <ncurses.h>
#include <term.h>
// term.h defines hundreds of lower-case macros (columns, lines, tab ...). Swift does not import those, but a C file that
// includes this header would meet them.

static const attr_t nc_bold = WA_BOLD;
static const attr_t nc_dim = WA_DIM;
static const attr_t nc_underline = WA_UNDERLINE;
static const attr_t nc_reverse = WA_REVERSE;
static const attr_t nc_italic = WA_ITALIC;

static inline WINDOW *nc_stdscr(void) { return stdscr; }
static inline TERMINAL *nc_current_terminal(void) { return cur_term; }
static inline int nc_colours(void) { return COLORS; }

/// The names of terminfo's capabilities in the order of a compiled entry; null after the last.
static inline const char *nc_boolean_name(int index) { return boolnames[index]; }
static inline const char *nc_number_name(int index) { return numnames[index]; }
static inline const char *nc_string_name(int index) { return strnames[index]; }

#endif
