// A coroutine counts a call when it starts: its resume, destroy and cleanup
// parts are not separate functions. Its lines count however often it is
// resumed.
// RUN: env ARCLINE_PASS_OPTIONS=calls=mcount %clangxx -std=c++20 -O1 -g -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
#include <coroutine>
struct Task {
  struct promise_type {
    Task get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};
int total;
Task count(int n) {
  for (int i = 0; i < n; i++) {
    total += i;
    co_await std::suspend_always{};
  }
}
// CHECK-LABEL: define {{.*}} @_Z5counti(
// CHECK: call void @__arcline_mcount(
// CHECK-LABEL: define internal {{.*}} @_Z5counti.resume(
// CHECK-NOT: call void @__arcline_mcount(
// CHECK: store i64
// CHECK-NOT: call void @__arcline_mcount(
