/* A program executes itself, with the same process id, and the second one is
   killed. The profile that is recovered from its live file has a name of its
   own, as if it had ended normally, and the counts of the first one remain. In
   a pool, each count is added once. */
// RUN: %arcline-cc -O1 -g %s -o prog
// RUN: env ARCLINE_OPTIONS=persist=mmap:out=own/%%p %python -c \
// RUN:   "import subprocess; print(subprocess.Popen('./prog').wait())" \
// RUN:   | grep -x -e -9
// RUN: for file in own/*.live.*; do %arcline recover $file || exit 1; done
// RUN: rm own/*.live.* && ls own > names && FileCheck %s < names
// CHECK: [[PID:^[0-9]+]]{{$}}
// CHECK-NEXT: [[PID]].2{{$}}
// CHECK-NEXT: [[PID]].2.arcline{{$}}
// CHECK-NEXT: [[PID]].arcline{{$}}
// RUN: %arcline export --format=lcov own | FileCheck %s --check-prefix=SUM
// SUM: FNDA:10,first
// SUM: FNDA:20,second
//
// RUN: env ARCLINE_OPTIONS=persist=mmap:out=pool/%%m %python -c \
// RUN:   "import subprocess; print(subprocess.Popen('./prog').wait())"
// RUN: for file in pool/*.live.*; do %arcline recover $file || exit 1; done
// RUN: %arcline export --format=lcov pool | FileCheck %s --check-prefix=SUM
#include <signal.h>
#include <unistd.h>

__attribute__((noinline)) static void first(void) { __asm__ volatile(""); }

__attribute__((noinline)) static void second(void) { __asm__ volatile(""); }

int main(int argc, char **argv) {
  if (argc == 1) {
    for (int i = 0; i < 10; i++)
      first();
    execl(argv[0], argv[0], "again", (char *)NULL);
    return 1;
  }
  for (int i = 0; i < 20; i++)
    second();
  return kill(getpid(), SIGKILL);
}
