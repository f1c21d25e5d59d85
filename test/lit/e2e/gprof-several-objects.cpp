// One call graph of an executable, two libraries and a plugin that call one
// another in all directions: by name, by pointer, by virtual functions, back
// from the system's library; and counts add up.
// RUN: %arcline-c++ -O1 -fPIC -shared -DLIBONE %s -o libone.so
// RUN: %arcline-c++ -O1 -fPIC -shared -DLIBTWO %s -o libtwo.so
// RUN: %arcline-c++ -O1 -fPIC -shared -DPLUGIN %s -o plugin.so
// RUN: %arcline-c++ -O1 %s -L. -lone -ltwo -ldl -Wl,-rpath,$PWD -o prog
// RUN: ./prog && %arcline gprof -b gmon.out.arcline > report
// RUN: %python %S/Inputs/check_graph.py %s report
//
// The same of images and profiles in any order, with the side file beside the
// first one; of the executable and a library, without the others.
// RUN: %arcline gprof -b prog gmon.out plugin.so gmon.out.plugin.so \
// RUN:   libtwo.so gmon.out.libtwo.so libone.so gmon.out.libone.so > pairs
// RUN: %python %S/Inputs/check_graph.py %s pairs
// RUN: %arcline gprof -b prog gmon.out libone.so gmon.out.libone.so > part
// RUN: %python %S/Inputs/check_graph.py %s part PART
//
// Without it, calls between objects are by nobody known.
// RUN: mv gmon.out.arcline away
// RUN: %arcline gprof -b prog gmon.out libone.so gmon.out.libone.so > alone
// RUN: %python %S/Inputs/check_graph.py %s alone ALONE
//
// Several runs are summed; one image alone is read as ever.
// RUN: mv away gmon.out.arcline && mkdir two && cd two && ../prog && cd ..
// RUN: %arcline gprof -b gmon.out.arcline two/gmon.out.arcline > twice
// RUN: %python %S/Inputs/check_graph.py %s twice TWICE
// RUN: %arcline gprof -b prog gmon.out two/gmon.out \
// RUN:   libone.so gmon.out.libone.so two/gmon.out.libone.so \
// RUN:   libtwo.so gmon.out.libtwo.so two/gmon.out.libtwo.so \
// RUN:   plugin.so gmon.out.plugin.so two/gmon.out.plugin.so > twice
// RUN: %python %S/Inputs/check_graph.py %s twice TWICE
// RUN: %arcline gprof -b --no-side prog gmon.out > one
// RUN: not grep -qE 'one_entry|[0-9] +<spontaneous>' one
//
// ARC: * -> main 1
// ARC: main -> one_entry 3
// ARC: plugin_entry -> one_entry 4
// ARC: one_entry -> two_entry 35
// ARC: main -> two_entry 2
// ARC: two_entry -> back 37
// ARC: plugin_entry -> back 4
// ARC: main -> plugin_entry 1
// ARC: main -> helper(int) 1
// ARC: one_entry -> helper(int) 7
// ARC: two_entry -> helper(int) 37
// ARC: sum_areas -> Shape::area(int) 10
// ARC: sum_areas -> Square::area(int) 20
// ARC: main -> sum_areas 2
// ARC: two_entry -> shared_inline(int) 111
// ARC: one_entry -> shared_inline(int) 7
// ARC: compare(void const*, void const*) -> compare_numbers 1
// ARC: * -> compare(void const*, void const*) 1
//
// PART: main -> one_entry 3
// PART: * -> one_entry 4
// PART: * -> back 41
// PART: sum_areas -> Shape::area(int) 10
//
// ALONE: * -> one_entry 7
// ALONE: * -> back 41
// ALONE: * -> Shape::area(int) 10
// ALONE: main -> sum_areas 2
//
// TWICE: * -> main 2
// TWICE: main -> one_entry 6
// TWICE: plugin_entry -> one_entry 8
// TWICE: two_entry -> back 74
// TWICE: plugin_entry -> back 8
#define KEEP __attribute__((noinline))

struct Shape {
  virtual int area(int n);
};

extern "C" {
int back(int n);
int one_entry(int n);
int two_entry(int n);
int compare_numbers(const int *left, const int *right);
static KEEP int helper(int n) {
  __asm__ volatile("");
  return n + 1;
}
}

// Both libraries have it; the dynamic linker takes the first one.
inline KEEP int shared_inline(int n) {
  __asm__ volatile("");
  return 2 * n;
}

#if defined(LIBONE)
int Shape::area(int n) { return n; }

int one_entry(int n) {
  int sum = helper(n) + shared_inline(n);
  for (int i = 0; i < 5; i++)
    sum += two_entry(i);
  return sum;
}

int compare_numbers(const int *left, const int *right) {
  return *left - *right;
}
#elif defined(LIBTWO)
int two_entry(int n) {
  int sum = helper(n);
  for (int i = 0; i < 3; i++)
    sum += shared_inline(i);
  return sum + back(n);
}
#elif defined(PLUGIN)
extern "C" int plugin_entry(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += one_entry(i) + back(i);
  return sum;
}
#else
#include <dlfcn.h>
#include <stdlib.h>

struct Square : Shape {
  int area(int n) override { return n * n; }
};

extern "C" {
KEEP int back(int n) { return n - 1; }

KEEP int sum_areas(Shape *shape, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += shape->area(i);
  return sum;
}

static int compare(const void *left, const void *right) {
  return compare_numbers((const int *)left, (const int *)right);
}

int main(void) {
  int numbers[] = {3, 1};
  Shape shape;
  Square square;
  int sum = helper(0) + sum_areas(&shape, 10) + sum_areas(&square, 20);
  for (int i = 0; i < 3; i++)
    sum += one_entry(i);
  for (int i = 0; i < 2; i++)
    sum += two_entry(i);
  qsort(numbers, 2, sizeof(numbers[0]), compare);
  void *plugin = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL);
  if (!plugin)
    plugin = dlopen("../plugin.so", RTLD_NOW | RTLD_LOCAL);
  int (*entry)(int) = (int (*)(int))dlsym(plugin, "plugin_entry");
  return entry(4) + sum == 0;
}
}
#endif
