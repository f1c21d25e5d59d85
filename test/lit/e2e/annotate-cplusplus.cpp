// Counts of C++: templates summed over their instances, lambdas, destructors,
// exceptions; the same at all levels of optimisation.
// RUN: for level in -O0 -O2 -O3; do %arcline-c++ -std=c++17 -g $level %s -o prog && rm -f gmon.out && ./prog && %arcline annotate prog -- annotate-cplusplus.cpp > annotated && FileCheck --input-file=annotated %s && %python %S/Inputs/check_counts.py %s annotated || exit 1; done
// RUN: %arcline annotate prog | FileCheck --check-prefix=HIDDEN %s
// RUN: %arcline annotate --all -s prog | FileCheck --check-prefix=ALL %s
#include <stdexcept>
#include <string>
#include <vector>

struct Guard {
  int &n;
  explicit Guard(int &n) : n(n) {
    n++; // count: 23
  }
  ~Guard() {
    n--; // count: 23
  }
};

static int live;

// CHECK: |-- double largest<double>(std::vector<double, {{.*}}: called 1 time{{$}}
// CHECK-NEXT: |-- int largest<int>(std::vector<int, {{.*}}: called 2 times
template <typename T>
static T largest(const std::vector<T> &v) {
  T best = v[0]; // count: 3
  for (unsigned i = 1; i < v.size(); i++)
    if (best < v[i]) {
      best = v[i]; // count: 3
    }
  return best; // count: 3
}

static int risky(int n) {
  Guard guard(live); // count: 12
  if (n % 3 == 0)
    throw n; // count: 4
  if (n % 5 == 0)
    throw std::string("five"); // count: 2
  return n; // count: 6
}

static int through(int n) {
  Guard guard(live);
  int value = risky(n);
  return value + live; // count: 6
}

static int catcher(int n) {
  try {
    return through(n);
  } catch (int i) {
    return -i; // count: 3
  } catch (const std::string &s) {
    return s.size() == 4; // count: 2
  }
}

int main() {
  std::vector<int> a{1, 5, 2};
  std::vector<double> b{0.5, 1.5, 1};
  int sum = 0;
  auto add = [&sum](int x) {
    sum += x; // count: 14
  };
  add(largest(a) + largest(a));
  add(static_cast<int>(largest(b)));
  for (int i = 1; i <= 11; i++) // count: 12
    add(catcher(i));
  try {
    risky(0);
  } catch (...) {
    add(1); // count: 1
  }
  if (live != 0 || sum == 0) // count: 1
    throw std::logic_error("never"); // count: 0
  return 0;
}
// CHECK: Functions called:

// HIDDEN-NOT: {{^}}/usr/
// HIDDEN: not shown; see --all
// ALL: /usr/{{.*}}vector
