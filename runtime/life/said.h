/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** What one of many processes has said need not be said by all. */
#ifndef ARCLINE_RT_SAID_H
#define ARCLINE_RT_SAID_H

#include <stdbool.h>

/** Is this process the first one of its process group to say this of that file,
 * or pattern of names? A shell with a terminal gives each command line a group
 * of its own, of which the first process always says it; a test suite is one
 * group, whatever runs it, or the children of one process, each with a session
 * of its own. The others know by an empty file in /tmp, which means nothing to
 * another group of that number an hour later. Runs: handler-safe. */
bool rt_said_first(const char *file, const char *what);

#endif
