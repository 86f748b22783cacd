#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/mman.h>
#include <sys/resource.h>
#endif
#include "CTerminal.h"

int ct_memory_open(void) {
#if defined(__linux__)
  struct rlimit limit;
  // A limit for files (`ulimit -f`) counts for these, too, and would cut off what is written.
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    errno = EFBIG;
    return -1;
  }
  return memfd_create("frame", MFD_CLOEXEC);
#else
  errno = ENOSYS;
  return -1;
#endif
}

int ct_lead(int descriptor, int to) {
  int result;
  do {
#if defined(__linux__)
    result = dup3(to, descriptor, O_CLOEXEC);
#else
    result = dup2(to, descriptor);
#endif
  } while (result < 0 && (errno == EINTR || errno == EBUSY));
#if !defined(__linux__)
  if (result >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
#endif
  return result < 0 ? -1 : 0;
}
