export module shape;
export import :parts;

export template <class T> T twice(T x) { // 3
  if (x > 3)                             // 3
    return x * 2;                        // 1
  return x + x;                          // 2
}

export inline int odd(int x) { // 10
  return x & 1 ? x : 0;        // 10
}

export class Shape {
public:
  explicit Shape(int n) : n_(n) {} // 3
  int area() const {               // 3
    int sum = 0;                   // 3
    for (int i = 0; i < n_; i++)   // 33
      sum += half(i);              // 30
    return sum;                    // 3
  }
  ~Shape();

private:
  int n_;
};

int made();
int n_left = made(); // 1
