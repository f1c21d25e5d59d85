/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "life/losses.h"
#include "os/os.h"
#include "sample/sampler.h"
#include "threads/threads.h"

static void report_number(const char *what, uint64_t value) {
  char digits[24];
  struct rt_str number = {.text = digits, .room = sizeof(digits)};

  rt_str_add_number(&number, value);
  rt_message(what, digits, NULL);
}

void rt_report_losses(const struct rt_object *object, bool is_main) {
  if (object->suffix[0] == '\0')
    rt_sampler_report();
  if (is_main && rt_threads_n_sharing())
    report_number("threads share counters and may lose counts, for lack of "
                  "memory or of a segment base: ",
                  rt_threads_n_sharing());
  if (*object->image.n_lost)
    report_number("calls were not counted, for lack of memory: ",
                  *object->image.n_lost);
}
