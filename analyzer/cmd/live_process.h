/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Checks a running program by /proc: whether it accepts commands, and which
 * threads a signal that carries one does not harm.
 */
#ifndef ARCLINE_LIVE_PROCESS_H
#define ARCLINE_LIVE_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

struct err;

/** Read the id of a process from the command line of a command, digits only.
 * Returns 0, or -1 with *err set. */
int live_process_parse(const char *text, const char *command, pid_t *out,
                       struct err *err);

/**
 * Make sure that the process accepts commands and that it will survive a
 * SIGPROF.
 *
 * is_forced  also if it has filtered its system calls since it started.
 *
 * Returns 0, or -1 with *err set to the reason against it.
 */
int live_process_check(pid_t pid, bool is_forced, struct err *err);

/** Whether the process has ended: all of its threads. */
bool live_process_has_ended(pid_t pid);

/**
 * Find threads that a signal disturbs least.
 *
 * out  ids of at most n_room threads that are running, so that no system call
 *      of theirs is interrupted, and do not block SIGPROF.
 *
 * Returns how many there are; 0 if some waiting thread would receive a signal
 * to the process; -1 if all block it.
 */
int live_process_find_threads(pid_t pid, pid_t *out, int n_room);

/** Whether the process sees another network than we do. */
bool live_process_is_elsewhere(pid_t pid);

/** Make the path of a file of the process in /proc, such as "exe". */
void live_process_path(pid_t pid, const char *name, char *out, size_t room);

/** Read a link in /proc/PID, such as "exe". Returns false and "?" if it cannot
 * be read. */
bool live_process_link(pid_t pid, const char *name, char *out, size_t room);

#endif
