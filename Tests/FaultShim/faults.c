// Counts the calls by which a program changes files, and lets the N-th of them go wrong. Preloaded into the built parley by
// FaultTests (LD_PRELOAD), so only on Linux; it sees what goes through the C library, and so all that SQLite does but the
// -shm, which no crash outlives.
//
//   FAULTS_FOLDER  only files below it
//   FAULTS_AT      the number of the call, from 1; without it calls are only counted
//   FAULTS_DO      kill: the process ends before the call
//                  power: the same, and what was not synced is lost
//                  short: half of the bytes are written, then EIO
//                  stop: the process stops before the call, until it is told to go on
//                  a number: the call fails with it as errno
//   FAULTS_ON      the calls after it go wrong, too
//   FAULTS_COUNT   the file that gets the number of calls at the end
#if defined(__linux__)
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { most_files = 1024, most_path = 1024 };

// What has to be done to a file to have it as it was when it was last synced.
struct change {
  struct change *older;
  enum { written, resized, created, removed } kind;
  char path[most_path];
  off_t offset;
  off_t size;
  size_t count;
  char bytes[];
};

enum fate { goes_on, fails, half };

static char paths[most_files][most_path];
static struct change *unsynced;
static long calls;

static const char *file_of(int fd) { return fd >= 0 && fd < most_files && paths[fd][0] ? paths[fd] : NULL; }

// What lies in the folder, and the folder itself, which is named with a slash at its end.
static int is_watched(const char *path) {
  const char *folder = getenv("FAULTS_FOLDER");
  if (!folder || !path || !*folder) return 0;
  size_t name = strlen(folder) - 1;
  return strncmp(path, folder, name + 1) == 0 || (strlen(path) == name && strncmp(path, folder, name) == 0);
}

static void put(const char *path, const char *bytes, size_t count, off_t offset) {
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  while (count > 0) {
    long done = syscall(SYS_pwrite64, fd, bytes, count, offset);
    if (done <= 0) break;
    bytes += done;
    count -= (size_t)done;
    offset += done;
  }
  syscall(SYS_close, fd);
}

static void take_back(const struct change *change) {
  if (change->kind == created) {
    syscall(SYS_unlink, change->path);
    return;
  }
  put(change->path, change->bytes, change->count, change->offset);
  syscall(SYS_truncate, change->path, change->size);
}

static void lose_what_is_unsynced(void) {
  for (struct change *change = unsynced; change; change = change->older) take_back(change);
}

// The bytes that a change is about to replace: from `offset` on, at most `count`.
// Not for any other deed: to close a file that was only read from takes away the locks that SQLite has on it.
static void keep(int kind, const char *path, off_t offset, size_t count) {
  const char *deed = getenv("FAULTS_DO");
  if (!deed || strcmp(deed, "power") != 0) return;
  struct stat status = {0};
  if (kind != created && stat(path, &status) != 0) return;
  size_t there = status.st_size > offset ? (size_t)(status.st_size - offset) : 0;
  if (count > there) count = there;
  struct change *change = calloc(1, sizeof *change + count);
  if (!change) abort();
  change->kind = kind;
  change->offset = offset;
  change->size = status.st_size;
  snprintf(change->path, sizeof change->path, "%s", path);
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  long got = fd < 0 ? 0 : syscall(SYS_pread64, fd, change->bytes, count, offset);
  change->count = got < 0 ? 0 : (size_t)got;
  if (fd >= 0) syscall(SYS_close, fd);
  change->older = unsynced;
  unsynced = change;
}

// A sync of a file keeps the file, with its name; one of a folder keeps that names in it are gone.
static void synced(const char *path) {
  for (struct change **link = &unsynced; *link;) {
    struct change *change = *link;
    const char *slash = strrchr(change->path, '/');
    int is_in = slash && strlen(path) == (size_t)(slash - change->path)
      && strncmp(path, change->path, strlen(path)) == 0;
    if (change->kind == removed ? is_in : strcmp(change->path, path) == 0) {
      *link = change->older;
      free(change);
    } else {
      link = &change->older;
    }
  }
}

static enum fate next_call(const char *path) {
  if (!is_watched(path)) return goes_on;
  calls++;
  const char *at = getenv("FAULTS_AT");
  const char *deed = getenv("FAULTS_DO");
  long hit = at ? atol(at) : 0;
  if (!hit || !deed || calls < hit || (calls > hit && !getenv("FAULTS_ON"))) return goes_on;
  if (strcmp(deed, "power") == 0) lose_what_is_unsynced();
  if (strcmp(deed, "power") == 0 || strcmp(deed, "kill") == 0) syscall(SYS_kill, getpid(), SIGKILL);
  if (strcmp(deed, "stop") == 0) syscall(SYS_kill, getpid(), SIGSTOP);
  if (strcmp(deed, "stop") == 0) return goes_on;
  if (strcmp(deed, "short") == 0) return half;
  errno = atoi(deed);
  return fails;
}

// By this Parley ends, and without what else is done at an end.
void _exit(int status) {
  const char *path = getenv("FAULTS_COUNT");
  char text[24];
  if (path) put(path, text, (size_t)snprintf(text, sizeof text, "%ld", calls), 0);
  for (;;) syscall(SYS_exit_group, status);
}

static int open_watched(int folder, const char *path, int flags, mode_t mode) {
  struct stat status;
  int is_new = (flags & O_CREAT) && stat(path, &status) != 0 && is_watched(path);
  if (is_new && next_call(path) != goes_on) return -1;
  int fd = (int)syscall(SYS_openat, folder, path, flags, mode);
  if (fd >= 0 && is_new) keep(created, path, 0, 0);
  if (fd >= 0 && fd < most_files) snprintf(paths[fd], most_path, "%s", is_watched(path) ? path : "");
  return fd;
}

static mode_t mode_of(int flags, va_list rest) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; }

#define OPEN(name)                                        \
  int name(const char *path, int flags, ...) {            \
    va_list rest;                                         \
    va_start(rest, flags);                                \
    mode_t mode = mode_of(flags, rest);                   \
    va_end(rest);                                         \
    return open_watched(AT_FDCWD, path, flags, mode);     \
  }
OPEN(open)
OPEN(open64)

static ssize_t write_watched(int fd, const void *bytes, size_t count, off_t offset) {
  const char *path = file_of(fd);
  enum fate fate = next_call(path);
  if (fate == fails) return -1;
  if (path) keep(written, path, offset, count);
  ssize_t done = syscall(SYS_pwrite64, fd, bytes, fate == half ? count / 2 : count, offset);
  if (fate == half) errno = EIO;
  return fate == half ? -1 : done;
}
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) { return write_watched(fd, bytes, count, offset); }
ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t offset) {
  return write_watched(fd, bytes, count, offset);
}

static int resize_watched(int fd, off_t size) {
  const char *path = file_of(fd);
  if (next_call(path) != goes_on) return -1;
  if (path) keep(resized, path, size, SIZE_MAX);
  return (int)syscall(SYS_ftruncate, fd, size);
}
int ftruncate(int fd, off_t size) { return resize_watched(fd, size); }
int ftruncate64(int fd, off_t size) { return resize_watched(fd, size); }

static int sync_watched(int fd, long call) {
  const char *path = file_of(fd);
  if (next_call(path) != goes_on) return -1;
  int result = (int)syscall(call, fd);
  if (path && result == 0) synced(path);
  return result;
}
int fsync(int fd) { return sync_watched(fd, SYS_fsync); }
int fdatasync(int fd) { return sync_watched(fd, SYS_fdatasync); }

int unlink(const char *path) {
  struct stat status;
  int is_there = is_watched(path) && lstat(path, &status) == 0;
  if (is_there && next_call(path) != goes_on) return -1;
  if (is_there) keep(removed, path, 0, SIZE_MAX);
  return (int)syscall(SYS_unlink, path);
}

int close(int fd) {
  if (fd >= 0 && fd < most_files) paths[fd][0] = 0;
  return (int)syscall(SYS_close, fd);
}
#endif
