#define _XOPEN_SOURCE 700
#define _DARWIN_C_SOURCE 1
#define _DEFAULT_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include "CTerminal.h"

static const int heard[] = {SIGWINCH, SIGTSTP, SIGCONT};
enum { count = sizeof heard / sizeof *heard };

static int ends[2] = {-1, -1};
static struct sigaction old[count];
static int is_listening;

static void note(int signal) {
  int error = errno;
  char byte = (char)signal;
  // A full pipe means that hundreds wait already: one more would say nothing new.
  ssize_t written = write(ends[1], &byte, 1);
  (void)written;
  errno = error;
}

static int make_pipe(void) {
  if (ends[0] >= 0) return 0;
  if (pipe(ends) != 0) return -1;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  }
  return 0;
}

int ct_signals_listen(void) {
  if (make_pipe() != 0) return -1;
  struct sigaction action = {0};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < count && !is_listening; i++) sigaction(heard[i], &action, &old[i]);
  is_listening = 1;
  return ends[0];
}

void ct_signals_ignore(void) {
  for (int i = 0; i < count && is_listening; i++) sigaction(heard[i], &old[i], NULL);
  is_listening = 0;
}
