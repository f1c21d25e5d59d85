// Statements that suspend a coroutine count once, however they go on; heads of
// coroutines count once for each call.
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
    std::suspend_always initial_suspend() { return {}; } // 12
    std::suspend_always final_suspend() noexcept { return {}; } // 10
    std::suspend_always yield_value(int v) {
      value = v; // 30
      return {}; // 30
    }
    void return_void() {}
    void unhandled_exception() {} // 0
  };
  std::coroutine_handle<promise_type> handle;
  bool next() {
    handle.resume(); // 40
    return !handle.done(); // 40
  }
};

/// Is there at once or not, and resumes with a number.
struct Wait {
  int n;
  bool await_ready() const { return n % 2 == 0; } // 12
  void await_suspend(std::coroutine_handle<>) const {} // 6
  int await_resume() const { return n; } // 12
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
{ // 8
  if (n > 2) // 8
    co_return; // 2
  if (n == 0) // 6
    *sum += co_await Wait{n + 1} - // 2
            co_await Wait{n + 2}; // 2
  co_yield 1; // 6
  *sum += n; // 4
  for (int i = 0; i < 3; i++) co_yield i; // 4
  if (co_await Wait{n}) // 2
    *sum += 1; // 0
}

int main() {
  int sum = 0; // 1
  for (int j = 0; j < 4; j++) { // 5
    Numbers numbers = count(j, &sum); // 4
    while (numbers.next()) // 19
      sum += numbers.handle.promise().value; // 15
    numbers.handle.destroy(); // 4
  }
  return sum > 1000; // 1
}
