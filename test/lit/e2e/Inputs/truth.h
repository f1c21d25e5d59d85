/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lets a test program keep an account of its work. check_truth.py compares that
   account with the profile.

     MARK(i);     alone on a line: how often that line runs
     CALLED(i);   in a function that is never inlined: how often it is called
     tell_truth() prints the account; code that runs afterwards must not
     count */
#ifndef TRUTH_H
#define TRUTH_H

#include <stdio.h>

#define N_TRUTHS 64
#define NEVER_INLINED __attribute__((noinline))

static unsigned long long truth_count[N_TRUTHS];
static int truth_line[N_TRUTHS];
static const char *truth_function[N_TRUTHS];

#define TRUTH_ADD(i)                                                           \
  __atomic_fetch_add(&truth_count[i], 1, __ATOMIC_RELAXED)
#define MARK(i) (truth_line[i] = __LINE__, (void)TRUTH_ADD(i))
#define CALLED(i) (truth_function[i] = __func__, (void)TRUTH_ADD(i))

__attribute__((no_profile_instrument_function)) static void tell_truth(void) {
  for (int i = 0; i < N_TRUTHS; i++) {
    if (truth_function[i])
      printf("calls %s %llu\n", truth_function[i], truth_count[i]);
    else if (truth_line[i])
      printf("line %d %llu\n", truth_line[i], truth_count[i]);
  }
  fflush(stdout);
}

#endif
