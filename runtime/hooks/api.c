/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Defines the functions that a program may call itself; see arcline.h. Each
   object has its own, and all of them act on the whole process. */
#include "arcline/arcline.h"
#include "life/process.h"

int arcline_dump(void) {
  const struct rt_process_ops *ops = rt_ops();

  return ops ? ops->dump() : 0;
}

void arcline_reset(void) {
  const struct rt_process_ops *ops = rt_ops();

  if (ops)
    ops->reset();
}

static void want_samples(bool is_wanted) {
  const struct rt_process_ops *ops = rt_ops();

  if (ops)
    ops->sample(is_wanted);
}

void arcline_start(void) { want_samples(true); }

void arcline_stop(void) { want_samples(false); }

void monstartup(unsigned long low_pc, unsigned long high_pc) {
  (void)low_pc;
  (void)high_pc;
  want_samples(true); // again, after _mcleanup()
}

void moncontrol(int mode) { want_samples(mode != 0); }

void _mcleanup(void) {
  const struct rt_process_ops *ops = rt_ops();

  if (ops)
    ops->cleanup();
}
