/* A preloaded library defines _exit() and _Exit(), as tools do that watch a
   program: the program calls these, and so does an instrumented library. Counts
   are written before. */
// RUN: %clang -O1 -fPIC -shared -DPRELOADED %s -o preloaded.so
// RUN: %arcline-cc -O1 -fPIC -shared -DLIBRARY %s -o libend.so
// RUN: %arcline-cc -O1 -c -DLIBRARY %s -o end.o
// RUN: for options in '-O0 end.o' '-O2 end.o' '-O2 -no-pie end.o' \
// RUN:   '-O2 -Wl,-z,now end.o' '-O2 ./libend.so'; do \
// RUN:   %arcline-cc -g $options %s -o prog || exit 1; \
// RUN:   for how in posix iso; do rm -f gmon.out*; \
// RUN:     env LD_PRELOAD=$PWD/preloaded.so ./prog $how > out; \
// RUN:     test $? = 4 && grep -x "$how 3" out || exit 1; \
// RUN:     %arcline gprof -b -p prog gmon.out | FileCheck %s || exit 1; \
// RUN:     ./prog $how > out; test $? = 3 && test -s gmon.out || exit 1; \
// RUN:   done; \
// RUN: done
// CHECK: {{ }}5 {{.*}} called{{$}}
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef PRELOADED
#include <stdio.h>
#include <sys/syscall.h>

static void end(const char *name, int status) {
  printf("%s %d\n", name, status);
  fflush(stdout);
  syscall(SYS_exit_group, status + 1);
}

void _exit(int status) {
  for (;;)
    end("posix", status);
}

void _Exit(int status) {
  for (;;)
    end("iso", status);
}
#elif defined(LIBRARY)
void finish(int is_iso);

void finish(int is_iso) {
  if (is_iso)
    _Exit(3);
  _exit(3);
}
#else
void finish(int is_iso);

__attribute__((noinline)) static void called(void) { __asm__ volatile(""); }

int main(int argc, char **argv) {
  for (int i = 0; i < 5; i++)
    called();
  finish(argc > 1 && strcmp(argv[1], "iso") == 0);
  return 0;
}
#endif
