// What must happen between a crash and the end of the process. C, because nothing here may allocate, lock or start a
// lazy global: only write(2), tcsetattr(3) and their like are safe inside a signal handler.
#define _XOPEN_SOURCE 700
#define _DARWIN_C_SOURCE 1
#define _DEFAULT_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>
#include "CTerminal.h"

// Every signal is guarded but these: those that cannot be caught, those that stop the process or let it go on, and those
// that do nothing by themselves. All others end it. Ctrl-C arrives as a key, so SIGINT comes only from
// outside, as SIGTERM does.
static const int harmless[] = {
    SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGCHLD, SIGURG, SIGWINCH,
#if defined(__APPLE__)
    SIGIO, SIGINFO,
#endif
};

static const char reset[] =
    "\033[?1006l\033[?1003l\033[?1002l\033[?1000l"  // mouse off
    "\033[?2004l"                                   // bracketed paste off
    "\033[0m\033[?25h"                              // no colour, cursor shown
    "\033[?1l\033>"                                 // arrow keys and keypad as they were
    "\033[?1049l";                                  // the screen from before

static volatile sig_atomic_t active;
// Whether who asks the process to end has to wait, and the signal that does.
static volatile sig_atomic_t held;
static volatile sig_atomic_t waiting;
static int terminal = -1;
static struct termios modes;
static struct sigaction old[NSIG];
static char stack[64 * 1024];

// Standard error while the screen is on: an unlinked file, and the terminal it belongs to.
static int kept = -1;
static int standard_error = -1;

// Whether a terminal that does not block, and is full, has room again within a second.
static int has_room(int fd) {
  struct pollfd polled = {fd, POLLOUT, 0};
  return poll(&polled, 1, 1000) > 0 && (polled.revents & POLLOUT);
}

static void write_all(int fd, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t written = write(fd, bytes, size);
    if (written < 0 && (errno == EINTR || (errno == EAGAIN && has_room(fd)))) continue;
    if (written <= 0) return;
    bytes += written;
    size -= (size_t)written;
  }
}

static void show_standard_error(void) {
  if (kept < 0) return;
  dup2(standard_error, STDERR_FILENO);
  char bytes[4096];
  off_t offset = 0;
  ssize_t size;
  while ((size = pread(kept, bytes, sizeof bytes, offset)) > 0) {
    write_all(STDERR_FILENO, bytes, (size_t)size);
    offset += size;
  }
  close(kept);
  close(standard_error);
  kept = standard_error = -1;
}

static int is_same_file(int one, int other) {
  struct stat a, b;
  return fstat(one, &a) == 0 && fstat(other, &b) == 0 && a.st_rdev == b.st_rdev && a.st_ino == b.st_ino;
}

static void keep_standard_error(void) {
  if (!isatty(STDERR_FILENO) || !is_same_file(STDERR_FILENO, terminal)) return;
  char path[] = "/tmp/parley-errors-XXXXXX";
  kept = mkstemp(path);
  if (kept < 0) return;
  unlink(path);
  fcntl(kept, F_SETFD, FD_CLOEXEC);
  standard_error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (standard_error < 0 || dup2(kept, STDERR_FILENO) < 0) {
    close(kept);
    kept = -1;
  }
}

static void restore_terminal(void) {
  if (!active) return;
  active = 0;
  write_all(terminal, reset, sizeof reset - 1);
  tcsetattr(terminal, TCSANOW, &modes);
  show_standard_error();
}

static int ends_the_process(int signal) {
  for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
    if (harmless[i] == signal) return 0;
  }
  return 1;
}

// A few numbers are the C library's own; it refuses them here as it did in install_handlers.
static void put_back_handlers(void) {
  for (int signal = 1; signal < NSIG; signal++) {
    if (ends_the_process(signal)) sigaction(signal, &old[signal], NULL);
  }
}

// Swift's backtracer, which may be the old handler, asks at a terminal and waits for a key. A dying program has nothing
// left to read, so it is given nothing: the report is printed and the process ends.
static void close_input(void) {
  int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
}

static int only_asks(int signal) {
  return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
}

static void handle(int signal, siginfo_t *info, void *context) {
  (void)context;
  if (held && only_asks(signal)) {
    waiting = signal;
    return;
  }
  int error = errno;
  restore_terminal();
  put_back_handlers();
  close_input();
  errno = error;
  // A fault happens again as soon as we return, and meets the old handler with all it wants to know. What was sent
  // (kill, abort), and a breakpoint, which is behind us, must be raised; it arrives when this handler returns.
  int happens_again = signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE;
  if (!happens_again || info == NULL || info->si_code <= 0) raise(signal);
}

static void install_handlers(void) {
  struct sigaction action = {0};
  action.sa_sigaction = handle;
  // What is held has interrupted a call that goes on.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigfillset(&action.sa_mask);
  for (int signal = 1; signal < NSIG; signal++) {
    if (!ends_the_process(signal) || sigaction(signal, NULL, &old[signal]) != 0) continue;
    // nohup and scripts ignore signals on purpose: so do we.
    if (old[signal].sa_handler != SIG_IGN) sigaction(signal, &action, NULL);
  }
}

int ct_guard_install(int fd) {
  static int is_registered;
  if (active) return 0;
  if (tcgetattr(fd, &modes) != 0) return -1;
  terminal = fd;
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack, .ss_flags = 0};
  sigaltstack(&alternate, NULL);
  if (!is_registered) is_registered = atexit(restore_terminal) == 0;
  keep_standard_error();
  active = 1;
  install_handlers();
  return 0;
}

void ct_guard_remove(void) {
  if (!active) return;
  active = 0;
  put_back_handlers();
  show_standard_error();
}

void ct_guard_hold(void) { held = 1; }

int ct_guard_has_heard(void) { return waiting != 0; }

void ct_guard_let_go(void) {
  held = 0;
  int signal = waiting;
  waiting = 0;
  // To the process, as this thread may have it blocked, like those of libdispatch.
  if (signal) kill(getpid(), signal);
}
