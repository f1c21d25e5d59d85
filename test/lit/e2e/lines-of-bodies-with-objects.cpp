// A body without braces in which the lifetime of an object ends: the code for
// that has the location of the last statement of the body, which may not have
// run. For a jump that always leaves the scope of an object or a handler, clang
// keeps only the end of the scope.
// REQUIRES: sanitizers
// RUN: for level in -O0 -O2 '-O1 -fsanitize=address'; do \
// RUN:   %arcline-c++ $level -std=c++17 -g %s -o %t && rm -f gmon.out* && %t && \
// RUN:   %arcline export --format=lcov -o lines.info %t && \
// RUN:   sed -n 's,.*// \([0-9]*\)$,\1,p' %s > expected && \
// RUN:   grep -n '// [0-9]*$' %s | cut -d: -f1 | while read -r line; do \
// RUN:     sed -n "s/^DA:$line,//p" lines.info; done > counts && \
// RUN:   diff expected counts || exit 1; \
// RUN:   for line in $(grep -n '// none$' %s | cut -d: -f1); do \
// RUN:     ! grep "^DA:$line," lines.info || exit 1; done; \
// RUN: done
struct Item {
  explicit Item(int x) : x(x) {}
  Item(const Item &other) : x(other.x) {}
  ~Item() { x = 0; }
  explicit operator bool() const { return x > 0; }
  int x;
};

static Item items[4] = {Item(1), Item(2), Item(3), Item(4)};
static volatile int seen;

static int find(int x) {
  for (Item item : items)    // 12
    if (item.x == x)         // 11
      return item.x + 1;     // 3
  return 0;                  // 1
}

static void jump() {
  for (Item item : items)    // 5
    for (Item other : items) // 20
      continue;              // 16
  for (Item item : items)    // 5
    for (Item other : items) // 10
      if (other.x == item.x) // 10
        break;               // 4
      else
        continue;            // 6
  for (Item item : items)    // 5
    if (item.x == 2)         // 4
      continue;              // 1
}

static bool last(int x) {
  Item item(x);              // 4
  for (;;) {
    Item other(x);           // 4
    if (x > 1)               // 4
      seen = x;              // 2
    break;                   // 4
  }
  for (int i = 0; i < x; i++) { // 10
    try {
      if (i == 1)            // 6
        throw i;             // 2
      seen = i;              // 4
    } catch (int) {          // 2
      seen = -1;             // 2
      continue;              // 2
    }
    seen = 2;                // 4
  }
  return false; // 4
}

static int dead(int x) {
  {
    Item item(x);            // 1
    seen = item.x;           // 1
    return 0;                // 1
  }
  return 0; // none
}

/* Several returns, of which the last is dead since clang knows the condition.
   The others have code of their own. */
struct Large {
  long parts[4];
};
struct Nothing {};

template <class T> static T make(int x) {
  seen = x;                  // 9
  return T();                // 9
}

template <class T> static T dead_result(int x) {
  T result = make<T>(1);     // 4
  if (sizeof(T) > 0) {
    if (x == 1)              // 4
      return make<T>(2);     // 2
    return result;           // 2
  }
  return result; // none
}

template <class T> static T dead_call(int x) {
  Item item(x);              // 4
  if (sizeof(T) > 0) {
    if (x == 1)              // 4
      return T();            // 2
    return T(make<T>(2));    // 2
  }
  return make<T>(3); // none
}

static void dead_without_value(int x) {
  if (sizeof(x) > 0) {
    if (x == 1)              // 2
      return;                // 1
    seen = x;                // 1
    return;                  // 1
  }
  return; // none
}

static Large dead_after_one(int x) {
  Item item(x);              // 1
  if (sizeof(x) > 0) {
    return make<Large>(x);   // 1
  }
  return make<Large>(3); // none
}

static void dead_loop(int x) {
  while (Item item = Item(x)) { // 2
    break;                   // 1
    while (seen)
      break; // none
  }
}

static void dead_end(int x) {
  switch (Item item(x); x) { // 2
  case 1:
    seen = x;                // 1
    break;                   // 1
    while (seen)
      seen = 0;
    break; // none
  }
}

static void scope(int x) {
  if (Item item(x); item)    // 3
    seen = x;                // 2
  if (Item item(x); item)    // 3
    seen = x;                // 2
  else
    seen = -x;               // 1
  for (Item item(x); item;)  // 5
    item.x--;                // 2
}

/* The object of the loop's head ends on two ways, which meet in code without a
   line: one of them leaves the loop. */
static void head(int x, int y) {
  while (Item item = Item(x)) // 6
    x--;                     // 4
  for (; Item item = Item(y);) { // 5
    seen = item.x;           // 4
    if (--y == 2)            // 4
      break;                 // 1
  }
}

/* The object of the body of `do`, or of the head around a `do` without braces,
   also ends where the condition after the brace does not run. */
static void last_brace(int x) {
  do {
    Item item(x);            // 5
    if (x == 3)              // 5
      break;                 // 1
    if (x++ == 5)            // 4
      return;                // 1
  } while (x < 5);           // 3
  while (Item item = Item(4 - x)) // 3
    do {
      seen = x++;            // 1
    } while (x < 2);         // 1
}

int main() {
  seen = find(1) + find(2); // 1
  seen = find(4) + find(9); // 1
  jump();                   // 1
  last(0);                  // 1
  last(1);                  // 1
  last(2);                  // 1
  last(3);                  // 1
  dead(2);                  // 1
  for (int x = 0; x < 2; x++) { // 3
    dead_result<int>(x);    // 2
    dead_result<Large>(x);  // 2
    dead_call<Nothing>(x);  // 2
    dead_call<Large>(x);    // 2
    dead_without_value(x);  // 2
  }
  dead_after_one(1);        // 1
  dead_loop(0);             // 1
  dead_end(1);              // 1
  dead_end(2);              // 1
  dead_loop(1);             // 1
  scope(0);                 // 1
  scope(1);                 // 1
  scope(1);                 // 1
  head(1, 2);               // 1
  head(3, 4);               // 1
  last_brace(1);            // 1
  last_brace(4);            // 1
  last_brace(5);            // 1
}
