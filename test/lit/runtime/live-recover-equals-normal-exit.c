/* The profile that `arcline recover` makes of a killed program's live file is
   the same, byte for byte, as the one that it wrote itself when all its threads
   had stopped: histogram, arcs, blocks, cells. With two libraries, one of which
   was loaded twice and unloaded; with indirect calls, resets, a build-id that
   ends in zero. A normal end removes the live file. */
// RUN: %arcline-cc -O2 -g1 -DLIBRARY=1 -fPIC -shared %s -o libone.so
// RUN: %arcline-cc -O2 -g1 -DLIBRARY=2 -fPIC -shared %s -Wl,-soname,libtwo.so \
// RUN:   -o libtwo.so
// RUN: %arcline-cc -O2 -g1 -I%include %s libtwo.so -Wl,-rpath,'$ORIGIN' \
// RUN:   -Wl,--build-id=0x0123456789abcdef0123456789abcdef01234500 \
// RUN:   -lpthread -ldl -o %t.cwd/program
// RUN: env ARCLINE_OPTIONS=persist=mmap:hz=10000:stacks=off ./program
// RUN: ls | not grep live
// RUN: rm gmon.out*
// RUN: env ARCLINE_OPTIONS=persist=mmap:hz=10000:stacks=off not --crash ./program kill
// RUN: mkdir out
// RUN: %arcline recover -o out gmon.out.live.* | sort | FileCheck %s
// RUN: cmp gmon.out out/gmon.out
// RUN: cmp gmon.out.libone.so out/gmon.out.libone.so
// RUN: cmp gmon.out.libtwo.so out/gmon.out.libtwo.so
// RUN: grep -v -e ^cpu -e ^time -e ^kernel -e ^thread -e ^target -e ^resolved \
// RUN:   -e '^object.* - ' gmon.out.arcline > expected
// RUN: diff expected out/gmon.out.arcline
// CHECK: {{^}}out/gmon.out{{$}}
// CHECK-NEXT: {{^}}out/gmon.out.arcline{{$}}
// CHECK-NEXT: {{^}}out/gmon.out.libone.so{{$}}
// CHECK-NEXT: {{^}}out/gmon.out.libtwo.so{{$}}

// Images in another folder, not stripped; and -o with a name.
// RUN: mkdir moved && mv program libone.so libtwo.so moved
// RUN: %arcline recover -o other gmon.out.live.* moved/program \
// RUN:   moved/libone.so moved/libtwo.so
// RUN: cmp gmon.out other && cmp gmon.out.libtwo.so other.libtwo.so
// RUN: not %arcline recover gmon.out.live.* moved/program 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MISSING
// MISSING: arcline: {{.*}}lib{{one|two}}.so: cannot open: No such file or directory
// RUN: %arcline recover --force -o forced gmon.out.live.* moved/program 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FORCED
// FORCED: arcline: warning: {{.*}}.so: cannot open: No such file or directory
// RUN: cmp gmon.out forced && not ls forced.libone.so

// Into pipes, to which later writes are impossible.
// RUN: mkfifo pipe pipe.libone.so pipe.libtwo.so pipe.arcline
// RUN: cat pipe > piped & cat pipe.libone.so > /dev/null & \
// RUN:   cat pipe.libtwo.so > piped.two & cat pipe.arcline > /dev/null & \
// RUN:   %arcline recover -o pipe gmon.out.live.* moved/program \
// RUN:     moved/libone.so moved/libtwo.so && wait
// RUN: cmp gmon.out piped && cmp gmon.out.libtwo.so piped.two
// RUN: mkdir full && ln -s /dev/full full/gmon.out
// RUN: not %arcline recover -o full gmon.out.live.* moved/program \
// RUN:   moved/libone.so moved/libtwo.so 2>&1 | FileCheck %s -check-prefix=FULL
// FULL: arcline: /dev/full: cannot write: No space left on device

// The wrong image under the old name.
// RUN: cp moved/libone.so program
// RUN: not %arcline recover gmon.out.live.* moved/libone.so moved/libtwo.so \
// RUN:   2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: build ID differs from that of {{.*}}program; name the image that ran, or use --force
#if LIBRARY
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

static __attribute__((noinline)) void PASTE(leaf, LIBRARY)(int n) {
  __asm__ volatile("" : : "r"(n));
}

static void (*volatile pointer)(int) = PASTE(leaf, LIBRARY);

void PASTE(entry, LIBRARY)(int n) {
  for (int i = 0; i < n; i++) {
    PASTE(leaf, LIBRARY)(i);
    pointer(i);
  }
}
#else
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "arcline/arcline.h"

#define NOT_COUNTED __attribute__((no_instrument_function, noinline))

void entry2(int n);

static __attribute__((noinline)) void a(int n) {
  __asm__ volatile("" : : "r"(n));
}

static __attribute__((noinline)) void b(int n) {
  if (n & 1)
    a(n);
}

static __attribute__((noinline)) void c(int n) {
  a(n);
  b(n);
}

static void (*volatile pointers[])(int) = {a, b, c, entry2};

__attribute__((constructor(101))) static void early(void) { a(1); }

static void *work(void *arg) {
  for (int i = 0; i < 1000; i++)
    pointers[i % 7 % 4](i);
  return arg;
}

static void run_threads(void) {
  pthread_t threads[3];

  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
}

static void load(int n) {
  void *library = dlopen("./libone.so", RTLD_NOW);
  void (*entry)(int) = NULL;

  *(void **)&entry = dlsym(library, "entry1");
  entry(n);
  // Mappings there, so that each load has another address.
  mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  dlclose(library);
  mmap(NULL, 200 << 10, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Uses enough CPU time for some samples. */
static __attribute__((noinline)) void burn(void) {
  const clock_t end = clock() + CLOCKS_PER_SEC / 50;

  while (clock() < end)
    c(1);
}

/* No count or sample is added between the dump and the end. */
static NOT_COUNTED void on_alarm(int number) {
  (void)number;
  arcline_stop();
  arcline_dump();
  kill(getpid(), SIGKILL);
}

int main(int argc, char **argv) {
  (void)argv;
  run_threads();
  load(10);
  arcline_reset();
  run_threads();
  load(100);
  load(1000);
  entry2(50);
  burn();
  if (argc > 1) {
    arcline_stop();
    signal(SIGALRM, on_alarm);
    raise(SIGALRM);
  }
  return 0;
}
#endif
