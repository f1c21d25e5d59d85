// A variable that is the function's result is in the caller's memory or in the
// result's. With -Og, clang gives the return the location of the closing brace,
// and the statement that returns the variable has no code of its own. Nor has
// one that returns an address, if the lifetime of an object ends after it.
// RUN: for level in -O0 -O1 -O2 -Og; do \
// RUN:   %arcline-c++ $level -g %s -o %t && rm -f gmon.out* && %t && \
// RUN:   %arcline export --format=lcov -o lines.info %t && \
// RUN:   sed -n 's,.*// \([0-9]*\)$,\1,p' %s > expected && \
// RUN:   grep -n '// [0-9]*$' %s | cut -d: -f1 | while read -r line; do \
// RUN:     sed -n "s/^DA:$line,//p" lines.info; done > counts && \
// RUN:   diff expected counts || exit 1; \
// RUN:   for line in $(grep -n '// none$' %s | cut -d: -f1); do \
// RUN:     ! grep "^DA:$line," lines.info || exit 1; done; \
// RUN: done
struct Item {
  explicit Item(long x) : x(x) {}
  long x;
};
struct Empty {};
struct Pair {
  float x, y;
};
struct Large {
  explicit Large(int k) { x[0] = k; }
  int x[9];
};
struct Owner {
  explicit Owner(int x) : x(x) {}
  Owner(const Owner &other) : x(other.x) {}
  ~Owner() { x = 0; }
  int x;
};

static Item item(int k) {
  Item result(k); // 4
  result.x++;     // 4
  return result;  // 4
}

static Pair pair(int k) {
  Pair result{1, 2}; // 4
  if (k > 1)         // 4
    result.x = 3;    // 2
  return (result);   // 4
}

static Large large(int k) {
  Large result(k); // 4
  result.x[1] = 2; // 4
  return result;   // 4
}

static Owner owner(int k) {
  Owner result(k); // 6
  result.x++;      // 6
  return result;   // 6
}

static Item early(int k) {
  Item result(k);  // 4
  if (k > 2)       // 4
    return result; // 1
  result.x++;      // 3
  return result;   // 3
}

static Item unnamed(int k) {
  k++;            // 4
  return Item(k); // 4
}

// Both ways lead to a branch at the `return`.
static Owner either(int k) {
  if (k < 1)          // 4
    return Owner(0);  // 1
  return k == 1       // 3
             ? Owner(1)  // 1
             : owner(2); // 2
}

static Owner on_two_lines(int k) {
  if (k < 1)          // 4
    return Owner(0);  // 1
  return k == 1 ? Owner(1) // 3
                : Owner(2); // 2
}

static Empty empty(int &k) {
  k++;       // 4
  return {}; // 4
}

static long total;
static int counts[4];

struct Sum {
  Sum &add(int k) {
    Owner owner(k); // 4
    x += owner.x;   // 4
    return *this;   // 4
  }
  Sum *get(int k) {
    Owner owner(k); // 4
    if (k > 2)      // 4
      return (this); // 1
    x++;            // 3
    return this;    // 3
  }
  Sum &on_one_way(int k) {
    Owner owner(k); // 4
    if (k > 5)      // 4
      __builtin_abort(); // 0
    return *this;   // 4
  }
  int x = 0;
};

// The last return is dead, as it follows a call that does not return.
static int dead(int k) {
  Owner owner(k); // 4
  if (k < 5)      // 4
    return 0;
  __builtin_abort(); // 0
  return 0; // none
}

static long &sum_of(int k) {
  Owner owner(k); // 4
  total += k;     // 4
  return total;   // 4
}

static int *all(int k) {
  Owner owner(k); // 4
  counts[k]++;    // 4
  return counts;  // 4
}

static const char *name(int k) {
  Owner owner(k); // 4
  if (k > 4)      // 4
    return "large"; // 0
  counts[k]++;    // 4
  return "";      // 4
}

static const char *other_name(int k) {
  Owner owner(k); // 4
  counts[k]++;    // 4
  return "other"; // 4
}

int main() {
  float sum = 0;              // 1
  for (int k = 0, n; k < 4; k++) { // 5
    n = k;    // 4
    empty(n); // 4
    Sum().add(k).get(k)->on_one_way(k); // 4
    sum += sum_of(k) + all(k)[0] + name(k)[0] + other_name(k)[0] + dead(k); // 4
    sum += item(k).x + pair(k).x + large(k).x[0] + owner(k).x + early(k).x + unnamed(k).x + either(k).x + on_two_lines(k).x; // 4
  }
  return sum == 0; // 1
}
