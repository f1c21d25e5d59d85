/* A program that is started through a link, as /proc/self/exe of a process that
   starts itself again, has the path of its file in the side file, also if it is
   static: reports find it. */
// RUN: ln -s prog link
// RUN: for options in '' -no-pie -static '-static-pie -fPIE'; do \
// RUN:   %arcline-cc -g $options %s -o prog || exit 1; \
// RUN:   for file in ./prog ./link /proc/self/exe; do \
// RUN:     rm -rf p; ARCLINE_OPTIONS=out=p/%%p ./prog $file || exit 1; \
// RUN:     cat p/*.arcline | grep '^object 0 ' > objects; \
// RUN:     grep -c " $PWD/prog$" objects | grep -x 2 || exit 1; \
// RUN:     %arcline report p | FileCheck %s || exit 1; \
// RUN:   done; \
// RUN: done
// CHECK: 13 {{.*}}work
#include <unistd.h>

static __attribute__((noinline)) void work(void) { __asm__ volatile(""); }

int main(int argc, char **argv) {
  for (int i = 0; argc == 1 && i < 13; i++)
    work();
  if (argc > 1)
    execl(argv[1], argv[1], (char *)NULL);
  return argc > 1;
}
