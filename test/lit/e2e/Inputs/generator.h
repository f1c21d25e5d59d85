/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A coroutine that yields numbers: handle resumes and destroys it. */
#ifndef GENERATOR_H
#define GENERATOR_H

#include <coroutine>

struct Generator {
  struct promise_type {
    int value = 0;
    Generator get_return_object() {
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

#endif
