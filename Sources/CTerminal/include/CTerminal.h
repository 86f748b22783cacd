#ifndef CTERMINAL_H
#define CTERMINAL_H
#include <stdint.h>

/// The columns of one code point by the C library, in a UTF-8 locale whatever the process has; -1 for control characters
/// and for what the library does not know. Any thread may ask.
int ct_width(uint32_t scalar);

/// From now on the terminal open at `fd` is put back as it is now, whatever ends the process: a Swift trap, a bad
/// pointer, abort, exit(), or any signal whose default does.
///
/// The guard leaves the alternate screen, shows the cursor, turns mouse and bracketed paste off, resets colours and
/// restores the tty modes; then it lets happen what would have happened, so the exit status is what it was. What was
/// written to standard error meanwhile, if that is this terminal, is kept and shown afterwards.
///
/// Call it before ncurses starts: ncurses leaves signals alone that have a handler. Returns 0, or -1 with errno.
int ct_guard_install(int fd);

/// Takes the guard away without touching the screen, puts the old handlers back and shows what standard error said.
void ct_guard_remove(void);

/// From now on a signal that asks the process to end (SIGINT, SIGTERM, SIGHUP, SIGQUIT) waits where the guard would let it.
/// Any thread may call it.
void ct_guard_hold(void);

/// Whether one waits. Any thread may ask.
int ct_guard_has_heard(void);

/// Lets a signal end the process that has waited, and those that come.
void ct_guard_let_go(void);

/// Makes SIGWINCH, SIGTSTP and SIGCONT readable: each arrives as one byte with its number.
///
/// A flag in a handler would be missed if it came just before poll(2) fell asleep; a byte in a pipe is not. Returns the
/// file descriptor to read (it never blocks), or -1 with errno. Called again, it puts the handlers back in place.
int ct_signals_listen(void);

/// Puts back what the three signals did before.
void ct_signals_ignore(void);

/// An empty file that is nowhere but in memory, and gone once it is closed. Returns its file descriptor, or -1 with errno:
/// not every system has such files, and one that may not grow is none.
int ct_memory_open(void);

/// From now on `descriptor` leads where `to` does. No child inherits it. Returns 0, or -1 with errno.
int ct_lead(int descriptor, int to);

#endif
