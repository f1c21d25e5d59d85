/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Functions that stand for some of libc's in objects that are linked with
 * --wrap=NAME, as arcline-cc does. What the linker calls real is what the
 * object would call without that, be it libc's or a sanitizer's. Each lies in a
 * file of its own: a library that calls one of them is to refer to no other.
 *
 * Weak, for programs that wrap them, too. They ask for nothing else of the
 * runtime: a program without instrumented code gets only this. */
#ifndef ARCLINE_RT_WRAP_H
#define ARCLINE_RT_WRAP_H

#include <signal.h>

#include "life/process.h"

#define RT_WRAPS __attribute__((weak, visibility("hidden")))

extern __typeof__(rt_ops) rt_ops __attribute__((weak));

static inline const struct rt_process_ops *rt_ops_if_any(void) {
  return rt_ops ? rt_ops() : NULL;
}

#endif
