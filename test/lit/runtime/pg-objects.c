/* Objects of plain -pg, by gcc and clang, linked in every mode: the calls of
   all threads are counted, in recursion and before and after main, and a child
   of fork() counts its own. GNU gprof and arcline read the same. */
// RUN: mkdir child
// RUN: echo "%cc -O0 -pg" > modes
// RUN: echo "%cc -O2 -pg" >> modes
// RUN: echo "%cc -O2 -pg -no-pie -fno-pie" >> modes
// RUN: echo "%cc -O2 -pg -mfentry -fPIC" >> modes
// RUN: echo "%cc -O2 -pg -fuse-ld=gold" >> modes
// RUN: echo "%cc -O2 -pg -static" >> modes
// RUN: echo "%cc -O2 -pg -mfentry -static-pie -fPIE" >> modes
// RUN: echo "%clang -O0 -pg" >> modes
// RUN: echo "%clang -O2 -pg" >> modes
// RUN: echo "%clang -O2 -pg -mfentry" >> modes
// RUN: echo "%clang -O2 -pg -static" >> modes
// RUN: while read mode; do echo "mode: $mode"; \
// RUN:   rm -f gmon.out child/gmon.out; \
// RUN:   $mode %s -o %t -L%libdir -larcline -lpthread && \
// RUN:   %t && \
// RUN:   %python %S/Inputs/gmon.py llvm-nm %t gmon.out > arcs && \
// RUN:   FileCheck %s < arcs && \
// RUN:   %python %S/Inputs/gmon.py llvm-nm %t child/gmon.out > arcs && \
// RUN:   FileCheck --check-prefix=CHILD %s < arcs && \
// RUN:   %gprof -b %t gmon.out > gnu && \
// RUN:   %arcline gprof -b --no-side %t gmon.out > ours && \
// RUN:   diff gnu ours || exit 1; done < modes
// CHECK: marked
// CHECK: arc at_exit leaf 1
// CHECK: arc down down 1000{{$}}
// CHECK: arc first leaf 1
// CHECK: arc handle leaf 10
// CHECK: arc last leaf 1
// CHECK: arc main down 1
// CHECK-DAG: arc {{outside|start_thread}} work 16
// CHECK-DAG: arc resolve leaf {{[1-9]}}
// CHECK: arc work leaf 1600000
// CHILD-NOT: down
// CHILD: arc main work 1
// CHILD: arc work leaf 100000
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

enum { N_THREADS = 16, N_CALLS = 100000 };

static sigjmp_buf again;

static NOINLINE void leaf(void) { __asm__ volatile(""); }

static NOINLINE int down(int n) {
  const int below = n ? down(n - 1) : 0;

  __asm__ volatile("");
  return below + 1;
}

static NOINLINE void *work(void *arg) {
#pragma GCC unroll 1
  for (int i = 0; i < N_CALLS; i++)
    leaf();
  return arg;
}

static void chosen(void) {}

static void (*resolve(void))(void) {
  leaf();
  return chosen;
}

void call(void) __attribute__((ifunc("resolve")));

__attribute__((constructor)) static void first(void) {
  leaf();
  __asm__ volatile("");
}

__attribute__((destructor)) static void last(void) {
  leaf();
  __asm__ volatile("");
}

static void at_exit(void) {
  leaf();
  __asm__ volatile("");
}

static void handle(int number) {
  leaf();
  siglongjmp(again, number);
}

int main(void) {
  pthread_t threads[N_THREADS];
  static volatile int n_jumps;

  atexit(at_exit);
  call();
  signal(SIGUSR1, handle);
  sigsetjmp(again, 1);
  if (n_jumps++ < 10)
    raise(SIGUSR1);
  down(1000);
  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  const pid_t child = fork();
  if (child == 0) {
    if (chdir("child"))
      return 2;
    work(NULL);
    exit(0);
  }
  int status;
  return waitpid(child, &status, 0) != child || status;
}
