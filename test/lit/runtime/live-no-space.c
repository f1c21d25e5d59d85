/* If the live file cannot grow, or cannot be created, the program runs as
   without it: one line reports this, the profile at the end is complete, errno
   and descriptors are kept, and `arcline recover` reports that counts are
   missing. */
// RUN: %arcline-cc -O2 -g1 %s -lpthread -o %t.cwd/program
// RUN: bash -c 'ulimit -f 200; env ARCLINE_OPTIONS=persist=mmap ./program' \
// RUN:   > message 2>&1
// RUN: FileCheck %s < message && grep -c . message | grep -qx 1
// CHECK: {{^}}arcline: {{.*}}.live.{{[0-9]+}}: cannot write: File too large;
// CHECK-SAME: counts from now on are lost if the program is killed{{$}}
// RUN: %arcline dump gmon.out | grep -c 'count=8000$' | grep -qx 1
// RUN: rm gmon.out gmon.out.arcline && ls | not grep gmon

// RUN: bash -c 'ulimit -f 1000; env ARCLINE_OPTIONS=persist=mmap ./program' \
// RUN:   > message 2>&1
// RUN: FileCheck %s < message && grep -c . message | grep -qx 1
// RUN: %arcline dump gmon.out | grep -c 'count=8000$' | grep -qx 1
// RUN: rm gmon.out gmon.out.arcline && ls | not grep gmon

// RUN: bash -c 'ulimit -f 1000; env ARCLINE_OPTIONS=persist=mmap ./program x' \
// RUN:   || true
// RUN: %arcline recover gmon.out.live.* 2>&1 | FileCheck %s --check-prefix=LOST
// LOST: arcline: warning: {{.*}}: {{[0-9]+}} memory regions did not fit
// LOST-SAME: into the file; their counts are missing
// LOST: {{^}}gmon.out{{$}}
// RUN: rm gmon.out*

// In a folder that is a file, and with the file gone.
// RUN: touch no && env ARCLINE_OPTIONS=persist=mmap:out=no/such ./program 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FOLDER
// FOLDER: {{^}}arcline: {{.*}}/no/such.live.{{[0-9]+}}: cannot write: Not a
// FOLDER-SAME: directory; counts
// RUN: env ARCLINE_OPTIONS=persist=mmap ./program remove 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMOVED
// REMOVED: {{^}}arcline: {{.*}}.live.{{[0-9]+}}: cannot write: No such file or directory;
// RUN: %arcline dump gmon.out | grep -c 'count=8000$' | grep -qx 1
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N_THREADS = 8, N_CALLS = 1000 };

static pthread_barrier_t barrier;

static __attribute__((noinline)) void leaf(void) { __asm__ volatile(""); }

static void *work(void *arg) {
  errno = 77;
  for (int i = 0; i < N_CALLS; i++)
    leaf();
  if (errno != 77)
    abort();
  pthread_barrier_wait(&barrier); // all of them count at once
  return arg;
}

int main(int argc, char **argv) {
  pthread_t threads[N_THREADS];

  if (argc > 1 && strcmp(argv[1], "remove") == 0 &&
      system("rm gmon.out.live.*"))
    return 1;
  // The next free one is the same as without the option.
  const int fd = open("/dev/null", O_RDONLY);
  if (fd != 3)
    abort();
  pthread_barrier_init(&barrier, NULL, N_THREADS);
  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  if (argc > 1 && strcmp(argv[1], "x") == 0)
    kill(getpid(), SIGKILL);
  return 0;
}
