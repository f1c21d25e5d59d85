/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Prints the program's steps, line by line on standard output, for `arcline
 * gprof -d`. If a topic is off, a call of TRACE() is one test of a bit.
 */
#ifndef ARCLINE_TRACE_H
#define ARCLINE_TRACE_H

#include <stdbool.h>

/** Topics: the bits of -d, as GNU gprof numbers them. */
enum trace_topic {
  TRACE_RUN = 1,          /* the steps of the run; always with another one */
  TRACE_ORDER = 2,        /* topological sort of the call graph */
  TRACE_CYCLES = 4,       /* cycles and their members */
  TRACE_ARCS = 8,         /* arcs of the call graph, with both names */
  TRACE_TALLY = 16,       /* arc records, and the arcs that they add to */
  TRACE_SORT = 32,        /* order of entries, and of arcs in them */
  TRACE_READ = 64,        /* records of profiles */
  TRACE_SYMBOLS = 128,    /* symbol table */
  TRACE_STATIC = 256,     /* calls found in the code */
  TRACE_LOOKUP = 512,     /* symbols at the ends of arcs */
  TRACE_PROPAGATE = 1024, /* time that goes from functions to callers */
  TRACE_BLOCKS = 2048,    /* counts of basic blocks */
  TRACE_SPECS = 4096,     /* selections, and the symbols that they match */
  TRACE_SOURCE = 8192,    /* source files, and how they are found */
};

/** Topics that are on. Set by trace_enable(). */
extern unsigned trace_topics;

/** Turn topics on. */
void trace_enable(unsigned topics);

/** Is a topic on? For loops that only trace. */
static inline bool trace_is_on(enum trace_topic topic) {
  return (trace_topics & (unsigned)topic) != 0;
}

/** Print "[topic] text" and a newline. Call TRACE(). */
void trace_print(enum trace_topic topic, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));

/** Trace, if the topic is on; otherwise the arguments are not evaluated. */
#define TRACE(topic, ...)                                                      \
  do {                                                                         \
    if (trace_is_on(topic))                                                    \
      trace_print(topic, __VA_ARGS__);                                         \
  } while (0)

#endif
