/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/trace.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

static const struct {
  enum trace_topic topic;
  const char *name;
} names[] = {
    {TRACE_RUN, "run"},          {TRACE_ORDER, "order"},
    {TRACE_CYCLES, "cycles"},    {TRACE_ARCS, "arcs"},
    {TRACE_TALLY, "tally"},      {TRACE_SORT, "sort"},
    {TRACE_READ, "read"},        {TRACE_SYMBOLS, "symbols"},
    {TRACE_STATIC, "static"},    {TRACE_LOOKUP, "lookup"},
    {TRACE_PROPAGATE, "time"},   {TRACE_BLOCKS, "blocks"},
    {TRACE_SPECS, "selections"}, {TRACE_SOURCE, "source"},
};

unsigned trace_topics;

void trace_enable(unsigned topics) {
  trace_topics |= topics;
  TRACE(TRACE_RUN, "tracing topics 0x%x", trace_topics);
}

void trace_print(enum trace_topic topic, const char *format, ...) {
  va_list args;

  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    if (names[i].topic == topic)
      printf("[%s] ", names[i].name);
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  putchar('\n');
}
