/* A process with persist=mmap that is killed at any step of its start, or of
   the start of a child, leaves a file from which `arcline recover` either makes
   profiles or finds that it has not counted. */
// REQUIRES: strace
// RUN: %arcline-cc -O1 -g %s -o program
// RUN: for call in openat fallocate mmap close munmap; do \
// RUN:   n=0 rc=1; \
// RUN:   while test $rc != 0 -a $n -lt 1000; do \
// RUN:     n=$((n + 1)) rc=0; \
// RUN:     ARCLINE_OPTIONS=persist=mmap:hz=0:out=$call.$n/%%m \
// RUN:       strace -f -o log -e trace=$call -e inject=$call:signal=KILL:when=$n \
// RUN:       ./program || rc=$?; \
// RUN:   done; test $rc = 0 || exit 1; \
// RUN: done 2> messages
// RUN: for file in */*.live.*; do \
// RUN:   %arcline recover $file > $file.printed 2>&1 || \
// RUN:     grep -x "arcline: $file: nothing to recover: no object was loaded" \
// RUN:       $file.printed || exit 1; done > none
// RUN: grep -l . */*.printed | wc -l | grep -x '[1-9][0-9]'
// RUN: grep -c . none | grep -x '[1-9][0-9]'
// RUN: grep -l '^openat.*[.]arcline$' */*.printed
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  if (!fork())
    _exit(0);
  wait(NULL);
  return 0;
}
