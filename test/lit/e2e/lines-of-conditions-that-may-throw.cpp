// Conditions that are calls, in functions with an object to destroy or a handler:
// the branch is in a block of its own, after the invoke. The statement's first
// line is not entered again when its operands join, and the branch is no code of
// the next operand's line.
// RUN: for level in -O0 -Og -O2; do \
// RUN:   %arcline-c++ $level -std=c++17 -g %s -o %t && rm -f gmon.out* && %t && \
// RUN:   %arcline export --format=lcov -o lines.info %t && \
// RUN:   sed -n 's,.*// \([0-9]*\)$,\1,p' %s > expected && \
// RUN:   grep -n '// [0-9]*$' %s | cut -d: -f1 | while read -r line; do \
// RUN:     sed -n "s/^DA:$line,//p" lines.info; done > counts && \
// RUN:   diff expected counts || exit 1; \
// RUN: done
struct Object {
  volatile int n = 0;
  ~Object() { n = 1; }
};

__attribute__((noinline)) static bool yes(int k) {
  if (k > 100)
    throw k;
  return k > 0;
}
__attribute__((noinline)) static int id(int k) { return yes(k) ? k : 0; }
static int sum(int a, int b) { return a + b; }

static int both(int k) {
  Object object;
  return yes(k)           // 4
         && yes(k - 1);   // 3
}

static int negated(int k) {
  Object object;
  return !(yes(k)         // 4
           || yes(k + 1)) // 1
         && yes(k);       // 0
}

static int choose(int k) {
  try {
    k = yes(k)            // 4
            ? id(1)       // 3
            : 2;          // 1
  } catch (int) {
    k = 0;                // 0
  }
  return k;               // 4
}

static int argument(int k) {
  Object object;
  return sum(id(k),       // 4
             id(k) > 1    // 4
                 ? id(3)  // 2
                 : 4);    // 2
}

int main() {
  int total = 0;
  for (int i = 0; i < 4; i++) // 5
    total += both(i) + negated(i) + choose(i) + argument(i); // 4
  return total == 0;
}
