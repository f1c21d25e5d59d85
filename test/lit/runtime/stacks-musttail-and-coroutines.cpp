// Chains of ten million tail calls and of as many transfers between coroutines
// need no more stack than without counting, at every level, and are counted.
// RUN: for level in 0 1 2 3; do \
// RUN:   %arcline-c++ -std=c++20 -O$level %s -o %t && \
// RUN:   bash -c 'ulimit -s 256; exec "$0"' %t > truth && \
// RUN:   %check-truth %t %s truth gmon.out || exit 1; done
// REQUIRES: x86_64
#include <coroutine>
#include <cstdint>
#include <cstdio>

static const unsigned long LENGTH = 10'000'000;

static unsigned long n_even, n_odd;
static int Line;

extern "C" {
[[gnu::noinline]] unsigned long is_even(unsigned long n);
[[gnu::noinline]] unsigned long is_odd(unsigned long n) {
  n_odd++;
  if (n == 0)
    return 0;
  [[clang::musttail]] return is_even(n - 1);
}
unsigned long is_even(unsigned long n) {
  n_even++, Line = __LINE__;
  if (n == 0)
    return 1;
  [[clang::musttail]] return is_odd(n - 1);
}
}

struct Task {
  struct promise_type {
    std::coroutine_handle<> Next;
    Task get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> Handle;
};

struct Transfer {
  std::coroutine_handle<> To;
  bool await_ready() noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<>) noexcept {
    return To;
  }
  void await_resume() noexcept {}
};

static unsigned long Turns;

static Task bounce(std::coroutine_handle<> *Other) {
  while (Turns < LENGTH) {
    Turns++;
    co_await Transfer{*Other};
  }
}

int main() {
  std::coroutine_handle<> One, Two;
  const unsigned long Even = is_even(LENGTH);
  Task A = bounce(&Two), B = bounce(&One);
  One = A.Handle;
  Two = B.Handle;
  // At -O0 clang has no transfer in constant space, counted or not.
#ifdef __OPTIMIZE__
  One.resume();
#endif
  std::printf("line %d %lu\n", Line, n_even);
  std::printf("calls is_even %lu\ncalls is_odd %lu\n", n_even, n_odd);
  return Even == 1 ? 0 : 1;
}
