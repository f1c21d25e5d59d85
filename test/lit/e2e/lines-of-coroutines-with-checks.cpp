// Checks of sanitizers where a coroutine copies its parameters are not the
// line of its first statement.
// REQUIRES: sanitizers
// RUN: %arcline-c++ -std=c++20 -O2 -g -fsanitize=object-size %s -o %t
// RUN: %t && %arcline annotate --function=numbers %t | FileCheck %s
#include <coroutine>

struct Numbers {
  struct promise_type {
    int value = 0;
    Numbers get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int v) {
      value = v;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

struct Text {
  int n;
  Text(int n) : n(n) {}
  Text(const Text &other) : n(other.n) {}
  ~Text() { n = 0; }
};

static Numbers numbers(Text text) {
  co_yield text.n + 1; // CHECK: {{^ +1 +[0-9]+ +}}[[#@LINE]]|
  co_yield text.n + 2; // CHECK: {{^ +1 +[0-9]+ +}}[[#@LINE]]|
}

int main() {
  Numbers two = numbers(Text(1));
  two.handle.resume();
  two.handle.resume();
  two.handle.destroy();
}
