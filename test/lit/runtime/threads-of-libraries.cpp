/* Threads that libraries without the runtime create, libstdc++ for one, reach
   counted code through virtual functions only. They call the executable's
   pthread_create(), also if options of the linker hide it from them, and no
   count is lost. Half of the threads begin before the constructors of the
   executable. */
// RUN: %cc -O2 -fPIC -shared -x c -DLIBRARY %s -o libplain.so
// RUN: %cc -O2 -fPIC -shared -x c -DLIBRARY %s -Wl,-z,relro,-z,now -o libnow.so
// RUN: echo '{ global: main; local: *; };' > hidden.map
// RUN: for level in -O0 -O2; do \
// RUN:   %arcline-c++ $level -g -pthread -c %s -o prog.o || exit 1; \
// RUN:   for linker in bfd %if lld %{ lld %}; do \
// RUN:   for mode in '-lplain' '-lplain -Wl,--exclude-libs,ALL' \
// RUN:     '-lnow -Wl,--exclude-libs,ALL -no-pie' \
// RUN:     '-lplain -Wl,--version-script=hidden.map' \
// RUN:     '-lnow -Wl,--version-script=hidden.map -Wl,-z,now'; do \
// RUN:     %arcline-c++ -pthread -fuse-ld=$linker prog.o -L. $mode \
// RUN:       -Wl,-rpath,$PWD -o prog || exit 1; \
// RUN:     ./prog > truth && %check-truth ./prog %s truth gmon.out \
// RUN:       || { echo "$level $linker $mode"; exit 1; }; \
// RUN:   done; done; done
// RUN: llvm-nm -D --defined-only prog | not grep pthread_create
#ifdef LIBRARY
#include <pthread.h>
#include <semaphore.h>

static void (*wanted)(void *);
static void *wanted_argument;
static sem_t is_wanted;
static pthread_t early, late;

static void *serve(void *argument) {
  if (argument)
    while (sem_wait(&is_wanted))
      continue;
  wanted(wanted_argument);
  return NULL;
}

__attribute__((constructor)) static void begin(void) {
  sem_init(&is_wanted, 0, 0);
  pthread_create(&early, NULL, serve, &is_wanted);
}

void plain_run(void (*function)(void *), void *argument) {
  wanted = function;
  wanted_argument = argument;
  sem_post(&is_wanted);
  pthread_create(&late, NULL, serve, NULL);
}

void plain_wait(void) {
  pthread_join(early, NULL);
  pthread_join(late, NULL);
}
#else
#include <cstdio>
#include <memory>
#include <thread>

extern "C" void plain_run(void (*function)(void *), void *argument);
extern "C" void plain_wait(void);

enum { N_CALLS = 2000000, N_THREADS = 5 };

enum { LEAF_LINE = __LINE__ + 2 };
extern "C" __attribute__((noinline)) int leaf(int i) {
  __asm__ volatile("");
  return i & 1;
}

struct Task {
  virtual ~Task() = default;
  virtual void run() = 0;
};

struct Work : Task {
  void run() override {
    for (int i = 0; i < N_CALLS; i++)
      leaf(i);
  }
};

// Not counted: the thread's first counted function is virtual.
extern "C" __attribute__((no_instrument_function)) void start(void *task) {
  static_cast<Task *>(task)->run();
}

int main() {
  Work work;
  plain_run(start, &work);
  std::thread first(&Task::run, &work);
  std::thread second([&] { work.run(); });
  work.run();
  first.join();
  second.join();
  plain_wait();
  std::printf("calls leaf %d\nline %d %d\n", N_CALLS * N_THREADS, LEAF_LINE + 1,
              N_CALLS * N_THREADS);
  return 0;
}
#endif
