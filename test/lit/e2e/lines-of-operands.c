// Operands of ?:, && and || on separate lines count as often as they are
// evaluated, including constants, which have no code. The line with the rest of
// the expression is not entered again after them.
// RUN: for level in -O0 -O2 -O3; do \
// RUN:   %arcline-cc $level -g %s -o %t && rm -f gmon.out* && %t && \
// RUN:   %arcline export --format=lcov -o lines.info %t && \
// RUN:   sed -n 's,.*// \([0-9]*\)$,\1,p' %s > expected && \
// RUN:   grep -n '// [0-9]*$' %s | cut -d: -f1 | while read -r line; do \
// RUN:     sed -n "s/^DA:$line,//p" lines.info; done > counts && \
// RUN:   diff expected counts || exit 1; \
// RUN: done
static volatile int seen;

__attribute__((noinline)) static int call(int x) {
  seen = x;
  return x;
}

__attribute__((noinline)) static int choose(int a, int b) {
  int sum = a > b // 6
                ? a - b // 2
                : 0;    // 4
  sum += a > b // 6
             ? 1      // 2
             : b - a; // 4
  sum += a == 3 /* Is it: 3? */ // 6
             ? call(')' + ':')  // 1
         : a == 4               // 5
             ? call(4)          // 1
             : ((0));           // 4
  sum += (a > 2   // 6
          && b) ? // 3
             7 : 8;
  const int no = sum > 9 && !(a == 5 && (b < 3 || (b == 3 && a > 5))); // 6
  if (no) // 6
    sum--; // 3
  return call(sum  // 6
              + (a > b || // 6
                 call(b) > 1)); // 4
}

int main(void) {
  int sum = 0; // 1
  for (int i = 0; i < 6; i++) // 7
    sum += choose(i + (i == 1), i < 4 // 6
                                    ? 2 // 4
                                    : i == 4 ? 9 : 0); // 2
  seen = sum; // 1
  return 0;   // 1
}
