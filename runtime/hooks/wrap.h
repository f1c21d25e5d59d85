/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Wraps functions of libc in objects that are linked with --wrap=NAME, as
 * arcline-cc does. `real` is the function that the object would call without
 * that, be it libc's or a sanitizer's. Each is in a file of its own: a library
 * that calls one of them must not refer to the others.
 *
 * Weak, for programs that wrap them, too. They refer to no other part of the
 * runtime, so that a program without instrumented code is linked with these
 * only. */
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
