// Initial values of members of an aggregate are code of the function that makes
// the object, once for each object, though no code of the function's own text
// decides on it. So is text that a function includes twice.
// RUN: echo 'sum += twice(9); // 24' > part.inc
// RUN: for level in -O0 -O1 -O2 -Og; do \
// RUN:   %arcline-c++ $level -std=c++17 -I. -g %s -o %t && rm -f gmon.out* && %t && \
// RUN:   %arcline export --format=lcov -o lines.info %t && rm -f counts expected || exit 1; \
// RUN:   for file in %s part.inc; do \
// RUN:     sed -n 's,.*// \([0-9]*\)$,\1,p' $file >> expected; \
// RUN:     sed -n "/^SF:.*${file##*/}/,/^end_of_record/p" lines.info > file.info; \
// RUN:     grep -n '// [0-9]*$' $file | cut -d: -f1 | while read -r line; do \
// RUN:       sed -n "s/^DA:$line,//p" file.info; done >> counts; \
// RUN:   done; \
// RUN:   diff expected counts || exit 1; \
// RUN: done
static int twice(int n) { return 2 * n; }

struct Size {
  int x;
  int y = twice(1); // 31
  int z = x         // 31
          + twice(2 // 31
                  + 1);
};

struct Choice {
  int x;
  int y = twice(x) > 2 // 8
              ? twice(2)  // 5
              : twice(3); // 3
  int z = x > 1 &&        // 8
          twice(x) > 4;   // 5
};

struct Explicit {
  int x = twice(1) > 4 // 7
              ? twice(2)  // 0
              : twice(3); // 7
  Explicit() { // 7
    x++;       // 7
  }
};

static int make(int n) {
  Size first{n};        // 4
  Size second{n + 1};   // 4
  Size all[] = {{1},    // 4
                {n}};   // 4
  if (n > 0)            // 4
    first = {.x = n};   // 3
  for (int i = 0; i < 3; i++) { // 16
    Size inner{i};      // 12
    n += inner.y;       // 12
  }
  return first.z + second.y + all[1].z; // 4
}

static int choose(int n) {
  Choice first{n};      // 4
  Choice second{n + 1}; // 4
  Explicit object;      // 4
  if (n > 0)            // 4
    object = Explicit(); // 3
  return first.y + second.z + object.x; // 4
}

static int include(int n) {
  int sum = n; // 4
#include "part.inc"
  sum++; // 4
#include "part.inc"
  for (int i = 0; i < 4; i++) // 20
#include "part.inc"
  return sum; // 4
}

int main() {
  int sum = 0;                // 1
  for (int n = 0; n < 4; n++) // 5
    sum += make(n) + choose(n) + include(n); // 4
  return sum == 0;            // 1
}
