// Statements that suspend a coroutine count once, however they go on, also on
// several lines; heads of coroutines count once for each call.
// RUN: for level in -O0 -O2; do \
// RUN:   %arcline-c++ -std=c++20 $level -g %s -o %t && rm -f gmon.out* && %t && \
// RUN:   %arcline export --format=lcov -o lines.info %t && \
// RUN:   sed -n 's,.*// \([0-9]*\)$,\1,p' %s > expected && \
// RUN:   grep -n '// [0-9]*$' %s | cut -d: -f1 | while read -r line; do \
// RUN:     sed -n "s/^DA:$line,//p" lines.info; done > counts && \
// RUN:   diff expected counts || exit 1; \
// RUN: done
#include <coroutine>

struct Numbers {
  struct promise_type {
    int value = 0;
    Numbers get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; } // 16
    std::suspend_always final_suspend() noexcept { return {}; } // 16
    std::suspend_always yield_value(int v) {
      value = v; // 30
      return {}; // 30
    }
    void return_void() {}
    void unhandled_exception() {} // 0
  };
  std::coroutine_handle<promise_type> handle;
  bool next() {
    handle.resume(); // 98
    return !handle.done(); // 98
  }
};

/// Is ready at once or not, and resumes with a number.
struct Wait {
  int n;
  bool await_ready() const { return n % 2 == 0; } // 93
  void await_suspend(std::coroutine_handle<>) const {} // 52
  int await_resume() const { return n; } // 93
};

/// Has a destructor, which runs at the end of the statement.
struct Kept : Wait {
  Kept(int n) : Wait{n} {}
  ~Kept() { n = 0; }
};

static Numbers count(int n, int *sum) { // 4
  for (int i = 0; i < n; i++) // 10
    co_yield i; // 6
  int k = n; // 4
  while (k > 0) { // 10
    k--; // 6
    *sum += co_await Wait{k} + 1; // 6
    co_yield k; // 6
  }
}

static Numbers odd(int n, int *sum)
{
  if (n > 2) // 4
    co_return; // 1
  if (n == 0) // 3
    *sum += co_await Wait{n + 1} - // 1
            co_await Wait{n + 2}; // 1
  co_yield 1; // 3
  *sum += n; // 3
  for (int i = 0; i < 3; i++) co_yield i; // 12
  if (co_await Wait{n}) // 3
    *sum += 1; // 2
}

static int one(int a) { return a; }

/// Objects whose destructors run after a suspension.
struct Text {
  int n;
  Text(const char *text) : n(*text) {}
  ~Text() { n = 0; }
};

static Numbers operands(int n, int *sum) { // 4
  for (int i = 0; i < n; i++) // 10
    *sum += co_await Kept{i} == 2 ? 1 : 0; // 6
  for (int i = 0; i < n; i++) // 10
    co_yield co_await Kept{i} == 1 ? 1 : 2; // 6
  Text text = "a"; // 4
  for (int i = 0; i < n; i++) // 10
    text = co_await Kept{i} == 1 ? "x" : "y"; // 6
  for (int i = 0; i < n; i++) // 10
    text = co_await Kept{i} == 1 ? "x" // 6
                                 : "y"; // 4
}

static Numbers returns(int n, int *sum) { // 4
  for (int i = 0; i < n; i++) // 10
    *sum += co_await Kept{i} == 1 ? 1 : co_await Kept{i} == 2 ? 2 : 3; // 6
  for (int i = 0; i < n; i++) // 10
    if (co_await Kept{i} == 1 || // 6
        co_await Kept{i + 1} == 3) // 4
      *sum += 1; // 3
  for (int i = 0; i < n; i++) // 10
    if (one(i) == 1 && co_await Kept{i + 1} == 2) // 6
      *sum += 1; // 2
  for (int i = 0; i < n; i += co_await Kept{1}) // 10
    *sum += one(co_await Wait{1}) + // 6
            one(i) * // 6
                Text("t").n; // 6
  for (int i = 0; i < n; i++) // 10
    *sum += one(i) == 1 ? co_await Kept{1} // 6
                        : co_await Kept{2} + Text("t").n; // 4
  for (int i = 0; i < n; i++) *sum += co_await Wait{1} + co_await Wait{3}; // 10
  while (n-- > 0 && co_await Kept{1} == 1) // 10
    *sum += 1; // 6
}

static void finish(Numbers numbers) { // 8
  while (numbers.next()) {}
  numbers.handle.destroy(); // 8
}

int main() {
  int sum = 0; // 1
  int other = 0; // 1
  for (int j = 0; j < 4; j++) { // 5
    Numbers numbers = count(j, &sum); // 4
    while (numbers.next()) // 18
      sum += numbers.handle.promise().value; // 14
    numbers.handle.destroy(); // 4
    Numbers odds = odd(j, &sum); // 4
    while (odds.next()) // 18
      if (sum++ > 40) // 14
        break; // 0
    odds.handle.destroy(); // 4
    finish(operands(j, &other)); // 4
    finish(returns(j, &other)); // 4
  }
  return sum + other > 10000; // 1
}
