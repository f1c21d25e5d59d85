// A statement before a closing brace counts as often as it ran, not as often as
// its function returned; and the first line of a loop's head over several lines
// is not entered in each iteration, whatever converts the condition. A brace
// alone has the count of the return.
// RUN: for level in -O0 -O2 -O3; do \
// RUN:   %arcline-cc $level -g %s -o %t && rm -f gmon.out* && %t && \
// RUN:   %arcline export --format=lcov -o lines.info %t && \
// RUN:   sed -n 's,.*// \([0-9]*\)$,\1,p' %s > expected && \
// RUN:   grep -n '// [0-9]*$' %s | cut -d: -f1 | while read -r line; do \
// RUN:     sed -n "s/^DA:$line,//p" lines.info; done > counts && \
// RUN:   diff expected counts || exit 1; \
// RUN: done
static volatile int seen;

__attribute__((noinline)) static int below(int x) { return x < 5; } // 8

__attribute__((noinline)) static void rescale(int n) { // 9
  if (n > 5) { // 9
    for (int i = 0; i < n; i++) // 24
      if (i == n) { // 21
        seen++;     // 0
        seen--; } } } // 0

__attribute__((noinline)) static int grow(int n) { // 3
  if (n <= 2) // 3
    return n; // 1
  for (int i = 0; i < n; i++) seen++; // 9
  return n + seen; } // 2

__attribute__((noinline)) static void turn(int a) { // 3
  int x;
  for (x = a; // 3
       below(x); x = x + 1) { // 8
    seen = x; // 5
  }
} // 3

int main(void) {
  for (int i = 0; i < 9; i++) // 10
    rescale(i); // 9
  grow(1); // 1
  grow(3); // 1
  grow(4); // 1
  turn(1); // 1
  turn(4); // 1
  turn(9); // 1
  return 0; // 1
}
