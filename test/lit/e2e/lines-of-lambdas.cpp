// The line on which a lambda begins has the lambda's calls as its count, as in
// gcov and llvm-cov: making the closure does not count. A call of which a lambda
// is an argument, or a condition, does.
// RUN: for level in -O0 -Og -O1 -O2; do \
// RUN:   %arcline-c++ $level -std=c++17 -g %s -o %t && rm -f gmon.out* && %t && \
// RUN:   %arcline export --format=lcov -o lines.info %t && \
// RUN:   sed -n 's,.*// \([0-9]*\)$,\1,p' %s > expected && \
// RUN:   grep -n '// [0-9]*$' %s | cut -d: -f1 | while read -r line; do \
// RUN:     sed -n "s/^DA:$line,//p" lines.info; done > counts && \
// RUN:   diff expected counts || exit 1; \
// RUN: done
static volatile int sum;

template <class Function> static void thrice(Function function) { // 2
  for (int i = 0; i < 3; i++)                                     // 8
    function(i);                                                  // 6
}

static auto adder(int base) {  // 2
  return [=](int a) {          // 5
    return a + base;           // 5
  };
}

static int counted(int n) {                                // 1
  int seen = 0;                                            // 1
  auto plain = [](int a) { return a + 1; };                // 7
  auto by_reference = [&seen](int a) { return a + seen; }; // 7
  auto own = [k = 0]() mutable { return ++k; };            // 7
  auto generic = [](auto a) { return a + 1; };             // 7
  auto later = [&](int a) {                                // 7
    seen += a;                                             // 7
    return seen;                                           // 7
  };
  auto idle = [&](int a) { return a + seen; };             // 0
  auto before_a_loop = [&](int a) {                        // 7
    return a - seen;                                       // 7
  };
  while (n-- > 0)                                          // 8
    sum += plain(n) + by_reference(n) + own() + generic(n) + later(n) + before_a_loop(n); // 7
  if (seen < 0)                                            // 1
    sum += idle(n);                                        // 0
  struct Local {
    int twice(int a) { return 2 * a; }                     // 1
  } local;
  return local.twice(seen);                                // 1
}

static int at_once(int n) {
  int a = [](int k) {                                      // 1
    return k + 1;                                          // 1
  }(n);
  if ([&](int k) { return k > a; }(n))                     // 2
    return 1;                                              // 0
  return a;                                                // 1
}

int main() {
  sum += counted(7);                                                      // 1
  thrice([](int a) { sum += a; });                                        // 4
  thrice([&](int a) {                                                     // 4
    sum += a;                                                             // 3
  });
  sum += at_once(2);                                                      // 1
  auto one = adder(1), two = adder(2);                                    // 1
  for (int i = 0; i < 2; i++)                                             // 3
    sum += one(i) + two(i);                                               // 2
  sum += one(5);                                                          // 1
  return sum > 0 ? 0 : 1;                                                 // 1
}
