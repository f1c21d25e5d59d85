/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Defines the protocol between `arcline ctl` and a running program. Layout
 * only; valid C and C++.
 *
 * A program that accepts commands has a mark, which every process that may read
 * /proc/PID/maps can see: an anonymous mapping without access rights and
 * without other use. Its size is ARCLINE_CTL_MARK_BYTES, or
 * ARCLINE_CTL_FILTERED_BYTES if system calls were filtered (seccomp) when the
 * program started. A command is a SIGPROF queued with a value:
 *
 *   bits 63..48   ARCLINE_CTL_MAGIC
 *   bits 47..40   enum arcline_ctl_command
 *   bits 39..0    a number that the sender chooses
 *
 * A signal may be lost or late, so a command is sent to several threads, and
 * again until it is answered. Of several with the same number only the first
 * one is executed.
 *
 * The answer is one datagram to the Unix socket with the abstract name
 * ARCLINE_CTL_SOCKET, followed by the number in decimal; or, if there is none
 * (other network namespace), to the one of the path ARCLINE_CTL_PATH, followed
 * by the same. It is text: "ok" or "no", then lines, each one with a newline
 * before it.
 */
#ifndef ARCLINE_CTL_FORMAT_H
#define ARCLINE_CTL_FORMAT_H

#include <stdint.h>

/* Whole pages on every machine; others when this page changes. */
#define ARCLINE_CTL_MARK_BYTES (11u << 16)
#define ARCLINE_CTL_FILTERED_BYTES (13u << 16)
#define ARCLINE_CTL_MAGIC 0xa5c7u
#define ARCLINE_CTL_MAGIC_SHIFT 48
#define ARCLINE_CTL_COMMAND_SHIFT 40
#define ARCLINE_CTL_NUMBER_MASK (((uint64_t)1 << 40) - 1)
#define ARCLINE_CTL_SOCKET "arcline-ctl-"
#define ARCLINE_CTL_PATH "/tmp/.arcline-ctl-"
#define ARCLINE_CTL_MAX_ANSWER 65536

enum arcline_ctl_command {
  ARCLINE_CTL_STATUS = 1, /* answer: "key value" lines */
  ARCLINE_CTL_DUMP = 2,   /* answer: names of files, or the error */
  ARCLINE_CTL_RESET = 3,
  ARCLINE_CTL_START = 4,
  ARCLINE_CTL_STOP = 5,
  ARCLINE_CTL_DUMP_AND_RESET = 6, /* nothing counts in between */
};

#endif
