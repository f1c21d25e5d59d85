// All code of a macro is on the line of its name, but that of its arguments is
// on theirs. The rest of the macro after an argument on another line does not
// enter the first line again; an iteration of a loop does.
// REQUIRES: lines-of-macro-arguments
// RUN: for level in -O0 -O1 -O2 -Og; do \
// RUN:   %arcline-c++ $level -g %s -o %t && rm -f gmon.out* && %t && \
// RUN:   %arcline export --format=lcov -o lines.info %t && \
// RUN:   sed -n 's,.*// \([0-9]*\)$,\1,p' %s > expected && \
// RUN:   grep -n '// [0-9]*$' %s | cut -d: -f1 | while read -r line; do \
// RUN:     sed -n "s/^DA:$line,//p" lines.info; done > counts && \
// RUN:   diff expected counts || exit 1; \
// RUN: done
#define TEST(x) if (x) passed++; else failed++
#define NEED(x) do { if (x) passed++; else { failed++; return; } } while (0)
#define ASSERT(x) ((x) ? (void)passed++ : fail())
#define BOTH(x, y) do { if (x) passed++; if (y) passed++; seen++; } while (0)
#define THROWS(x) do { try { x; failed++; } catch (int) { passed++; } } while (0)
#define PICK(x, y) switch (x) { case 0: seen = y; break; default: seen = x; }
#define APPEND(list, n, x) \
  do { \
    if (n % 4 == 0) { \
      if (n) \
        seen = same(n); \
      else \
        passed++; \
    } \
    list[n++] = (x); \
  } while (0)
#define TIMES(n, x) for (int i = 0; i < (n); i++) { x; seen++; }
#define UNTIL(x, y) for (;;) { if (x) break; y; seen++; }

static volatile int seen;
static int passed, failed;
__attribute__((noinline)) static void fail() { failed++; }
__attribute__((noinline)) static int same(int x) { return seen = x; }
__attribute__((noinline)) static int raise(int x) {
  if (x > 1)
    throw x;
  return x;
}

static void branch(int x) {
  TEST(x < 3 && // 4
       x > 0); // 3
  TEST(
      same(x) > 1); // 4
  ASSERT(same(x) == // 4
         same(x)); // 4
  BOTH(same(x), // 4
       same(x + 1)); // 4
  BOTH(x > 0 && // 4
           x > 1 && // 3
           x > 2 && // 2
           x > 3 && // 1
           same(x) && // 0
           same(x) && // 0
           same(x) && // 0
           same(x) && // 0
           same(x), // 0
       x); // 4
  PICK(same(x), // 4
       same(3)); // 1
  NEED(same(x) < 3 && // 4
       same(x) > 0); // 3
  seen = 1; // 2
}

static void append(int x) {
  static int list[4], n;
  if (x != 1) // 4
    APPEND(list, n, // 3
           same(x)); // 3
}

static void jump(int x) {
  THROWS(same(x) + // 4
         raise(x)); // 4
  THROWS(
      raise(x)); // 4
}

static void loop(int x) {
  for (int i = 0; i < 3; i++) { // 16
    TEST(x > 1 && // 12
         i != x); // 6
    if (i == x) // 12
      continue; // 3
    BOTH(i, // 9
         x); // 9
  }
  int k = 0; // 4
  while (k < 3) // 16
    TEST(x >= 0 && // 12
         same(k++)); // 12
  for (;;) {
    TEST(same(k) && // 16
         x); // 16
    if (k++ == 6) // 16
      break; // 4
  }
  TIMES(2, // 12
        same(x)); // 8
  UNTIL(k++ > 8, // 12
        same(x)); // 8
}

int main() {
  for (int x = 0; x < 4; x++) { // 5
    branch(x); // 4
    append(x); // 4
    jump(x); // 4
    loop(x); // 4
  }
  return 0; // 1
}
