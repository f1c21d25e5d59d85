// Operators that are declared as defaulted have calls, but no branches: those by
// which clang compares or assigns members one by one are not in the source.
//
// RUN: grep -n '// [b]ranch$' %s | sed 's/:.*//' > expected && count 2 < expected
// RUN: grep -n '// [0-9]$' %s | sed 's,^\([0-9]*\):.* \([0-9]\)$,DA:\1\,\2,' > counts && count 3 < counts
// RUN: for options in -O0 -O2 '-O0 --arcline-mcdc'; do \
// RUN:   %arcline-c++ -std=c++20 -g $options %s -o prog && ./prog && \
// RUN:   %arcline export --lcov-format=2.2 prog > prog.info && \
// RUN:   sed -n 's/^BRDA:\([0-9]*\),.*/\1/p' prog.info | sort -u | diff expected - && \
// RUN:   grep -xF -f counts prog.info | diff counts - || \
// RUN:   { echo $options; exit 1; }; done
// RUN: sed -n 's/^MCDC:\([0-9]*\),.*/\1/p' prog.info | sort -u | diff - expected > only; not grep '^<' only
#include <compare>

struct Defaulted {
  int x, y;
  bool operator==(const Defaulted &) const = default; // 2
  friend std::strong_ordering operator<=>(const Defaulted &, // 1
                                          const Defaulted &) = default;
};

struct Text {
  Text &operator=(const Text &) { return *this; }
};

static bool operator==(const Text &, const Text &) { return true; }

struct Assigned {
  Text texts[2];
  int n = 0;
  bool operator==(const Assigned &) const;
  Assigned &operator=(const Assigned &);
};

bool Assigned::operator==(const Assigned &) const =
    default;
Assigned &Assigned::operator=(const Assigned &) = default;

struct Written {
  int x, y;
  bool operator==(const Written &other) const { // 1
    return x == other.x    // branch
           && y == other.y // branch
        ;
  }
};

int main() {
  Defaulted a{1, 2}, b{1, 3};
  const int found = (a == b) + 2 * (a == a) + 4 * (a < b);
  Assigned c, d;
  c = d;
  return found + 8 * (c == d) + 16 * (Written{1, 2} == Written{1, 2}) - 30;
}
