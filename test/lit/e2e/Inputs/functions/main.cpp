// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shapes.h"
#include <cstdio>

// Variants: C1, C2, D0, D1, D2, thunks; implicit members beside them.
struct Named {
  std::string name;
  explicit Named(const char *n = "none") : name(n) {}
  virtual ~Named();
  virtual int length() const {
    return (int)name.size();
  }
};

Named::~Named() {
  name.clear();
}

struct Left : virtual Named {
  explicit Left(int n);
  ~Left() override {}
  int left;
};

Left::Left(int n) : Named("left"), left(n) {
}

struct Right : virtual Named {
  int right = 3;
  virtual int sum(int n) { return right + n; }
  virtual ~Right() = default;
};

struct Both : Left, Right {
  Both();
  int sum(int n) override {
    return left + right + n;
  }
};

Both::Both() : Named("both"), Left(4) {
}

struct Heir : Named {
  using Named::Named;
  int more = 1;
};

struct Price {
  std::string currency = "EUR";
  int cents = 0;
  bool operator==(const Price &other) const = default;
};

// Initialisers are no functions; what they call is one.
static int start() {
  return 5;
}

static Named global_one("one");
static int global_number = start();
thread_local std::string of_thread = std::to_string(start());
static std::string words[2] = {"a", "b"};

static inline __attribute__((artificial)) int marked(int n) {
  return n + 1;
}

#define MAKE(name, n) \
  static int name##_of(int x) { return x + n; } \
  static int name##_off(int x) { return x - n; }
MAKE(first, 1)
MAKE(second, 2)

static int overloaded(int n) { return n; } static int overloaded(long n) { return (int)n + 1; }

static int never(int n) {
  return n + 1;
}

template <typename T> int through_lambda(T x) {
  auto add = [x](int n) { return (int)x + n; };
  return add(1);
}

int main(int argc, char **) {
  Both both;
  Right *right = new Both(both);
  int sum = right->sum(1) + both.length();
  delete right;
  Heir heir("heir");
  sum += (int)heir.name.size() + heir.more;
  Price price, copy(price);
  sum += price == copy ? price.cents : 1;
  auto plain = [](int x) { return x + 1; };
  auto unused = [](int x) { return x + 2; };
  int (*pointer)(int) = plain;
  auto generic = [](auto x) { return (int)x + 1; };
  sum += pointer(1) + generic(1) + generic(2L) + generic('c');
  sum += twice(1) + (int)twice(2L) + (int)twice(1.5) + rank_of(1) + rank_of(2L);
  sum += count_of() + count_of(1) + count_of(1, 2L, 'c');
  Box<int> box(1);
  Box<long> large(2);
  box.put(3);
  sum += box.get() + (int)large.get() + (int)box.as<long>() + box.as<char>();
  sum += through_lambda(1) + through_lambda(2L) + marked(1);
  sum += first_of(1) + second_off(2) + overloaded(3);
  sum += in_both_units(1) + of_each_unit(2) + other(argc) + global_number;
  if (argc > 7)
    sum += never(sum) + unused(1);
  std::printf("%d %zu %s\n", sum, of_thread.size(), words[1].c_str());
  return 0;
}
