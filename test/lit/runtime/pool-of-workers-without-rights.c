/* A pool in a folder with the sticky bit, as /tmp: a worker that has changed to
   another user may not replace root's file, and writes its own one beside it.
   Whatever the umask, other users may not write to a profile. Needs root. */
// RUN: test $(id -u) = 0 || exit 0
// RUN: %arcline-cc -O2 -g1 %s -o %t
// RUN: dir=$(mktemp -d /tmp/arcline-XXXXXX) && chmod 755 $dir && mkdir -m 1777 $dir/pool \
// RUN:   && echo $dir > dir
// RUN: env ARCLINE_OPTIONS=out=$(cat dir)/pool/%%m %t
// RUN: find $(cat dir)/pool -type f -perm /022 | count 0
// RUN: %arcline export --format=lcov $(cat dir)/pool > info; rm -r $(cat dir)
// RUN: grep -x FNDA:1000,serve info && grep -x FNDA:1,main info
#define _GNU_SOURCE
#include <grp.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534 };

__attribute__((noinline)) static void serve(void) { __asm__ volatile(""); }

static void wait_for_all(void) {
  while (wait(NULL) > 0)
    continue;
}

int main(void) {
  umask(0);
  if (!fork())
    exit(0);
  wait_for_all();
  if (!fork()) {
    if (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY))
      _Exit(1);
    for (int i = 0; i < 1000; i++)
      serve();
    exit(0);
  }
  wait_for_all();
  return 0;
}
