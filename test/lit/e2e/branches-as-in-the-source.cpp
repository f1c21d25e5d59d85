// Branches are the conditions of the source, both ways of each, at any -O and
// in both formats of lcov; those of clang for cleanups, guards, delete, casts
// and handlers are left out. The expected counts after each line are sorted,
// and those of clang's source-based coverage, except that it lists instances of
// templates one by one.
// RUN: for level in -O0 -O1 -O2 -O3 "-O2 -fPIC"; do for form in legacy 2.2; do %arcline-c++ -std=c++17 -g $level %s -o %t && rm -f gmon.out && %t > %t.out && %arcline export --format=lcov --lcov-format=$form -o %t.info %t && %python %S/Inputs/check_branches.py %t.info %s || exit 1; done; done
#include <cstdio>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

struct Base {
  virtual ~Base() {}
};
struct D : virtual Base {
  int v = 3;
  ~D() override {
    if (v > 2) // ways: 0 5
      std::printf(".");
  }
};

static bool positive(int n) { return n > 0; }
static bool tail(int a, int b) {
  return a > 2 && positive(b); // ways: 1 1 1 2
}
static bool three(int a, int b, int c) {
  return (a || b) && c; // ways: 2 2 3 3 4 4
}
static int value(int a, int b) {
  int r = a && (b || a == 3); // ways: 1 2 2 3 3 6
  return r;
}
static int opposite(int a, int b) {
  return !(a && b) || !a; // ways: 0 2 2 2 4 4
}
static int choice(bool x) {
  return x ? 1 : 2; // ways: 2 6
}
static int argument(int n) {
  return choice(n == 3 || n > 6); // ways: 1 1 6 7
}
static int loop(int n) {
  int s = 0;
  for (int i = 0; i < n && i != 5; i++) // ways: 1 1 8 9
    s += i;
  return s;
}
static int colon(const char *p) {
  int n = 0;
  while (*p && *p != ':') // ways: 1 1 9 10
    p++, n++;
  do
    n--;
  while (n > 3 || n == 1); // ways: 0 2 2 2
  return n;
}
static int until(int n) {
  while (!(n > 5 && (n % 2 == 0 || n > 9))) // ways: 0 0 0 1 1 6
    n++;
  return n;
}
static int digits(const char *p) {
  int n = 0;
  for (; *p; p++)                // ways: 1 5
    n += *p >= '0' && *p <= '9'; // ways: 0 2 3 5
  return n;
}
static const char *size(int n) {
  return n > 3   ? "big" // ways: 1 2
         : n > 1 ? "mid" // ways: 1 1
                 : "small";
}
static int expected(int a, int b) {
  if (__builtin_expect(a > 0, 1) && b) // ways: 0 1 1 1
    return 1;
  return 0;
}
static double number(double x) {
  return x < 0 ? -1.5 : 2.5; // ways: 1 1
}
static int odd(const std::vector<int> &v) {
  int s = 0;
  for (int x : v)          // ways: 1 3
    s += (x & 1) ? x : -x; // ways: 1 2
  return s;
}
static int temporary(const std::string &s) {
  return s == "x" || std::string(s + "y") == "xy" ? 1 : 0; // ways: 0 1 1 1
}
static std::unique_ptr<D> make(int n) {
  if (n) // ways: 1 1
    return std::make_unique<D>();
  return nullptr;
}
static int fixed() {
  static D d;
  return d.v;
}
static int cast(Base *b) {
  if (D *d = dynamic_cast<D *>(b)) // ways: 1 1
    return d->v;
  return 0;
}
static Base *convert(D *d) { return d; }
static int lambda(int n) {
  auto l = [n](int x) { return x > n || x == 0; }; // ways: 1 1 1 2
  return l(1) + l(5) + l(0);
}
static int caught(int n) {
  try {
    D d;
    if (n > 1) // ways: 1 2
      throw std::runtime_error("two");
    if (n) // ways: 1 1
      throw 3;
  } catch (const std::exception &) {
    return 1;
  } catch (int i) {
    return i;
  }
  return 0;
}
template <class T> static bool within(T x) {
  return x > 1 && x < 4; // ways: 1 1 1 2
}

int main() {
  int r = tail(3, 1) + tail(1, 2) + tail(9, -1);
  for (int i = 0; i < 8; i++) // ways: 1 8
    r += three(i & 1, i & 2, i & 4) + value(i & 3, i & 4) +
         opposite(i & 1, i & 2) + argument(i);
  r += loop(3) + loop(9) + colon("abc:d") + colon("xyzzyx") + until(0);
  r += digits("a1b22") + size(0)[0] + size(9)[0] + size(2)[0];
  r += expected(1, 0) + expected(0, 1) + (int)(number(-1) + number(1));
  r += odd({1, 2, 3}) + temporary("x") + temporary("z") + lambda(2);
  auto p = make(0), q = make(1);
  Base *none = nullptr;
  r += cast(q.get()) + cast(none) + fixed() + fixed();
  r += convert(q.get()) != nullptr;
  delete none;
  delete[] new (std::nothrow) std::string[3];
  r += caught(0) + caught(1) + caught(2);
  r += within(1) + within(2L) + within(9.0);
  std::printf("%d\n", r);
}
