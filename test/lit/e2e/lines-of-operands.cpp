// As lines-of-operands.c, with operands that are objects: control joins without a
// value, and between cleanups.
// RUN: for level in -O0 -O2 -O3; do \
// RUN:   %arcline-c++ $level -g %s -o %t && rm -f gmon.out* && %t && \
// RUN:   %arcline export --format=lcov -o lines.info %t && \
// RUN:   sed -n '/^SF:.*operands/,/^end/p' lines.info > own.info && \
// RUN:   sed -n 's,.*// \([0-9]*\)$,\1,p' %s > expected && \
// RUN:   grep -n '// [0-9]*$' %s | cut -d: -f1 | while read -r line; do \
// RUN:     sed -n "s/^DA:$line,//p" own.info; done > counts && \
// RUN:   diff expected counts || exit 1; \
// RUN: done
#include <string>

static volatile int seen;

struct Pair {
  int a, b;
};

__attribute__((noinline)) static std::string name(int i) {
  return i > 2 // 6
             ? std::string("more") // 2
             : std::string("less"); // 4
}

__attribute__((noinline)) static Pair pair(int i) {
  return (i & 1) // 5
             ? Pair{i, 2}  // 2
             : Pair{2, i}; // 3
}

static void up() { seen = seen + 1; } // 2
static void down() { seen = seen - 1; } // 3

int main() {
  for (int i = 0; i < 5; i++) { // 6
    std::string s = name(i) +  // 5
                    (i == 3 ? name(1) // 5
                            : "x"); // 4
    seen = (int)s.size() + pair(i).a; // 5
    i & 2 // 5
        ? up() // 2
        : down(); // 3
  }
  return 0; // 1
}
