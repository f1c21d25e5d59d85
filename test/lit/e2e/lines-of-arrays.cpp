// A line on which the lifetime of an array of objects begins or ends is entered
// once, not once for each element; so is one whose elements are on other lines.
// RUN: for level in -O0 -O2 '-O1 -fno-exceptions'; do \
// RUN:   %arcline-c++ $level -std=c++17 -g %s -o %t && rm -f gmon.out* && %t && \
// RUN:   %arcline export --format=lcov -o lines.info %t && \
// RUN:   sed -n 's,.*// \([0-9]*\)$,\1,p' %s > expected && \
// RUN:   grep -n '// [0-9]*$' %s | cut -d: -f1 | while read -r line; do \
// RUN:     sed -n "s/^DA:$line,//p" lines.info; done > counts && \
// RUN:   diff expected counts || exit 1; \
// RUN: done
#include <initializer_list>

static volatile int seen;

struct Item {
  Item(int x = 1) : x(x) { seen = seen + 1; }
  Item(const Item &other) : x(other.x) { seen = seen + 1; }
  ~Item() { seen = seen - 1; }
  int x;
};

struct List {
  List(std::initializer_list<Item> items) : n((int)items.size()) {}
  ~List() { seen = 0; }
  int n;
};

static int call(int x) { return seen + x; }

List global = { // 1
    1,          // 1
    call(2),    // 1
    Item(3),    // 1
};
static thread_local List local = { // 1
    call(1),                       // 1
    2,                             // 1
};

struct Holder {
  static inline List list = { // 1
      1,                      // 1
      2,                      // 1
  };
};

static int once() {
  static const List list = { // 2
      1,
      call(2),
  };
  return list.n; // 2
}

int main() {
  int sum = once() + once() + local.n; // 1
  sum += global.n + Holder::list.n;               // 1
  Item many[5];                                   // 1
  for (int i = 0; i < 3; i++) {                   // 4
    Item two[2];                                  // 3
    sum += two[1].x;                              // 3
  }
  Item *items = new Item[3]; // 1
  delete[] items;            // 1
  Item three[] = {           // 1
      1,                     // 1
      call(2),               // 1
      3,                     // 1
  };
  return sum + many[0].x + three[1].x < 0; // 1
}
