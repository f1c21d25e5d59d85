// Threads of an instrumented library that is opened later, in an executable
// whose pthread_create() is hidden: they reach the executable through virtual
// functions only, and are found in the first function of the library. Threads
// that the executable announces are not found again.
// RUN: %arcline-c++ -O2 -g -fPIC -shared -DLIBRARY %s -o libplugin.so
// RUN: %arcline-c++ -O2 -g -pthread %s -o prog -ldl -Wl,--exclude-libs,ALL
// RUN: for i in 1 2 3 4 5 6; do \
// RUN:   ./prog > truth && %check-truth ./prog %s truth gmon.out || exit 1; \
// RUN:   grep -x 'late-threads 4' gmon.out.arcline || exit 1; done
// RUN: %arcline-c++ -O2 -g -pthread %s -o prog -ldl
// RUN: ./prog > truth && %check-truth ./prog %s truth gmon.out
// RUN: not grep late-threads gmon.out.arcline
struct Task {
  virtual ~Task() = default;
  virtual void run() = 0;
};
#ifdef LIBRARY
#include <pthread.h>

static void *serve(void *task) {
  static_cast<Task *>(task)->run();
  return nullptr;
}

extern "C" __attribute__((visibility("default"))) void run_all(Task **tasks,
                                                               int n_tasks) {
  pthread_t threads[16];

  for (int i = 0; i < n_tasks; i++)
    pthread_create(&threads[i], nullptr, serve, tasks[i]);
  for (int i = 0; i < n_tasks; i++)
    pthread_join(threads[i], nullptr);
}
#else
#include <cstdio>
#include <dlfcn.h>

enum { TASKS = 4, STEPS = 1000000 };

static volatile long sink;

enum { STEP_LINE = __LINE__ + 1 };
extern "C" __attribute__((noinline)) void step(long i) { sink = i; }

struct Steps final : Task {
  void run() override;
};

void Steps::run() {
  for (long i = 0; i < STEPS; i++)
    step(i);
}

int main() {
  void *plugin = dlopen("./libplugin.so", RTLD_NOW);
  if (!plugin)
    return 1;
  auto run_all =
      reinterpret_cast<void (*)(Task **, int)>(dlsym(plugin, "run_all"));
  Steps steps[TASKS];
  Task *tasks[TASKS];
  for (int i = 0; i < TASKS; i++)
    tasks[i] = &steps[i];
  run_all(tasks, TASKS);
  std::printf("calls step %d\nline %d %d\n", TASKS * STEPS, STEP_LINE,
              TASKS * STEPS);
}
#endif
