// Declarations that the two units of C++ share.
#include <functional>
#include <vector>

template <class T> struct Box {
  T value;
  explicit Box(T v) : value(v) {}
  Box(const Box &other) : value(other.value + 1) {}
  ~Box() { value = T(); }
  T get() const { return value; }
};

template <class T> T largest(const std::vector<T> &values) {
  T result = values.front();
  for (const T &value : values)
    if (result < value)
      result = value;
  return result;
}

inline int counted() {
  static int n = largest(std::vector<int>{1, 2});
  return ++n;
}

struct Shape {
  virtual ~Shape() {}
  virtual int area(int x) { return x; }
};
struct Named {
  virtual ~Named() {}
  virtual int name(int x) { return x; }
};
struct Base {
  virtual int depth(int x) { return x; }
};
struct Left : virtual Base {
  int left = 1;
};
struct Right : virtual Base {
  int right = 2;
};
struct Diamond : Left, Right {
  int depth(int x) override;
};
struct Both : Shape, Named {
  int area(int x) override;
  int name(int x) override; // through a thunk
};

int other_unit(int n);
int thrower(int n);
std::function<int(int)> adder(int n);
