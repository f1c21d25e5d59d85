// A loop without braces after which control joins: clang's branch there is at the
// last token of the body. If that is on a line without other code, such as a
// literal, the line is not entered.
// RUN: for level in -O0 -O2 -O3; do \
// RUN:   %arcline-cc $level -g %s -o %t && rm -f gmon.out* && %t && \
// RUN:   %arcline export --format=lcov -o lines.info %t && \
// RUN:   sed -n 's,.*// \([0-9]*\)$,\1,p' %s > expected && \
// RUN:   grep -n '// [0-9]*$' %s | cut -d: -f1 | while read -r line; do \
// RUN:     sed -n "s/^DA:$line,//p" lines.info; done > counts && \
// RUN:   diff expected counts || exit 1; \
// RUN:   for line in $(grep -n '// none$' %s | cut -d: -f1); do \
// RUN:     ! grep "^DA:$line," lines.info || exit 1; done; \
// RUN: done
static volatile int seen;

__attribute__((noinline)) static int add(int a, int b) { return seen = a + b; }

static void run(int n) {
  if (n >= 0) // 4
    for (int i = 0; i < n; i++) // 10
      add(i, // 6
          7); // none
  if (n > 1) // 4
    while (n > add(1, 1)) // 3
      n -= add(n, // 1
               1) == 4 ? n // 1
                       : 0; // 0
  else
    do
      seen = n > 0 ? add(1, n) // 2
                   : 0; // 1
    while (seen > 9); // 2
  if (n > 0) // 4
    for (int i = 0; i < n; i++) // 5
      for (;;) // 3
        break; // 3
}

int main(void) {
  for (int n = 0; n < 4; n++) // 5
    run(n); // 4
}
