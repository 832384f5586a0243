/* Preloaded into a server, makes every sync take SLOW_SYNC_MICROS longer, as on a volume over the network. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void wait_longer(void) {
  static long micros = -1;
  if (micros < 0) {
    const char *text = getenv("SLOW_SYNC_MICROS");
    micros = text == NULL ? 0 : atol(text);
  }
  struct timespec time = {.tv_sec = micros / 1000000, .tv_nsec = micros % 1000000 * 1000};
  nanosleep(&time, NULL);
}

int fdatasync(int file) {
  wait_longer();
  return (int)syscall(SYS_fdatasync, file);
}

int fsync(int file) {
  wait_longer();
  return (int)syscall(SYS_fsync, file);
}
