/*
 * Makes a quick disk as slow as a card: loaded with LD_PRELOAD, each fsync and fdatasync takes at least BENCH_SYNC_MS,
 * counted from its beginning. The data is written by the real call first. Compiled by `slow-machine.ts`.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int slowly(int (*sync)(int), int fd) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  const char *ms = getenv("BENCH_SYNC_MS");
  until.tv_nsec += (ms ? atol(ms) : 0) * 1000000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  const int result = sync(fd);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL)) {}
  return result;
}

int fsync(int fd) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  return slowly(real, fd);
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  return slowly(real, fd);
}
