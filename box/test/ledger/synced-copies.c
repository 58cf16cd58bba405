/*
 * Keeps a copy of the ledger and of its write-ahead log as they were last synced, beside them with the ending ".synced": what a disk
 * has after a power cut for certain. Loaded with LD_PRELOAD; compiled by `power-cut.ts`.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int ends(const char *path, const char *with) {
  const size_t length = strlen(path), end = strlen(with);
  return length >= end && strcmp(path + length - end, with) == 0;
}

static void keep(int fd) {
  char link[64], path[4096], part[4200], copy[4200], bytes[65536];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return;
  path[length] = 0;
  if (!ends(path, "/ledger.db") && !ends(path, "/ledger.db-wal")) return;
  snprintf(copy, sizeof copy, "%s.synced", path);
  snprintf(part, sizeof part, "%s.%d", copy, gettid());
  const int to = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (to < 0) return;
  off_t at = 0;
  for (ssize_t got; (got = pread(fd, bytes, sizeof bytes, at)) > 0; at += got)
    if (write(to, bytes, got) != got) break;
  close(to);
  rename(part, copy);
}

int fsync(int fd) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  const int result = real(fd);
  if (result == 0) keep(fd);
  return result;
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  const int result = real(fd);
  if (result == 0) keep(fd);
  return result;
}

/* SQLite removes the log when its last connection closes; the next log begins without a copy. */
int unlink(const char *path) {
  static int (*real)(const char *);
  if (!real) real = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
  if (ends(path, "/ledger.db-wal")) {
    char copy[4200];
    snprintf(copy, sizeof copy, "%s.synced", path);
    real(copy);
  }
  return real(path);
}
