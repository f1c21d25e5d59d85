// With -Og, clang 22 extends the liveness of variables: the end of a scope that
// jumps leave stores the target at the closing brace. That is no code of the
// line, and an else if behind the brace is not entered by it.
// RUN: for level in -O0 -O1 -Og; do \
// RUN:   %arcline-cc $level -g %s -o prog && rm -f gmon.out* && ./prog && \
// RUN:   %arcline annotate prog | FileCheck %s || exit 1; \
// RUN: done
static int seen;

static void visit(int n) {
  for (int i = 0; i < n; i++) {
    if (i % 3) {
      int y = i * n;
      if (y & 1)
        continue;
      seen += y;
    } else if (i & 1)
      seen--;
  }
}
// CHECK: {{^ +10 +[0-9]+\|.*}} if (i % 3) {
// CHECK-NEXT: {{^ +6 +[0-9]+\|.*}} int y = i * n;
// CHECK-NEXT: {{^ +6 +[0-9]+\|.*}} if (y & 1)
// CHECK-NEXT: {{^ +3 +[0-9]+\|.*}} continue;
// CHECK-NEXT: {{^ +3 +[0-9]+\|.*}} seen += y;
// CHECK-NEXT: {{^ +4 +[0-9]+\|.*}} } else if (i & 1)
// CHECK-NEXT: {{^ +1 +[0-9]+\|.*}} seen--;
// CHECK-NEXT: {{^ +[0-9]+\| }$}}

int main(void) {
  visit(9);
  visit(1);
  return 0;
}
