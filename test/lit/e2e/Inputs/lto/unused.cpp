// Code that nothing calls, beside code that runs before main().

int in_no_object(int x);

inline int add_one(int x) { return x + 1; }

inline int lose(int x) {
  static int n;
  n += x;
  return in_no_object(x) + n;
}

template <class T> struct Box {
  T value;
  T lose() const { return in_no_object(value); }
};

static int local(int x) { return add_one(x) + Box<int>{x}.lose(); }

int unused(int x) {
  return local(x) + lose(x);
}

static struct Set {
  int set;
  Set() { set = add_one(1); }
} volatile global;
