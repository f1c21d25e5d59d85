/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Prints a message once for a group of processes. */
#ifndef ARCLINE_RT_MESSAGE_ONCE_H
#define ARCLINE_RT_MESSAGE_ONCE_H

#include <stdbool.h>

/** Is this process the first one of its process group to print this message
 * about that file, or pattern of names? A shell with a terminal gives each
 * command line a group of its own, whose first process always prints it. A test
 * suite is one group, or the children of one process, each with a session of
 * its own. An empty file in /tmp marks a message as printed. It is ignored
 * after an hour, and if it is older than the group or that process: then the
 * number was that of another one. Runs: handler-safe. */
bool rt_message_is_first(const char *file, const char *message);

#endif
