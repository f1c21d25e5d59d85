// Counters and markers of indirect calls do not keep a function from being
// inlined: the counting build has the same functions as the plain build. LLVM
// 16 accepts no inline advisor from a plugin.
// UNSUPPORTED: llvm-16
// RUN: %clang -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=COUNTS
// CHECK-NOT: define {{.*}}@branches(
// CHECK-NOT: define {{.*}}@calls(
// CHECK-NOT: define {{.*}}@recursive(
// CHECK:     define {{.*}}@large(
// What was taken out for the inliner to look at is back.
// COUNTS-LABEL: define {{.*}}@use(
// COUNTS-COUNT-12: store i64 {{.*}}!nosanitize
int consume(int), produce(void);

static int branches(int x) {
  if (x > 1)
    x += produce();
  if (x > 2)
    x += produce();
  if (x > 3)
    x += produce();
  if (x > 4)
    x += produce();
  return consume(x);
}

static int calls(int (*f)(int), int (*g)(int), int x) {
  return f(x) + g(x) + f(x + 1) + g(x + 1);
}

static int recursive(int x) { return x < 2 ? consume(x) : recursive(x - 1); }

// Not even the plain build inlines this one, which is called twice.
static int large(int x) {
#define TEN(what) what what what what what what what what what what
  TEN(x += consume(x ^ produce());)
  TEN(x -= consume(x ^ produce());)
  return x;
}

int use(int (*f)(int), int (*g)(int), int x) {
  return branches(x) + branches(produce()) + calls(f, g, x) +
         calls(g, f, produce()) + recursive(x) + large(x) + large(x + 1);
}
