/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reports errors and warnings of the analyzer. Every fallible function returns
 * 0 or -1 and, with -1, leaves one complete sentence in a struct err. Nothing
 * here exits: main() turns an error into a message and an exit code.
 */
#ifndef ARCLINE_ERR_H
#define ARCLINE_ERR_H

/** Category of an error; determines the exit code. */
enum err_code {
  ERR_NONE = 0,
  ERR_USAGE,  /* wrong options or operands */
  ERR_INPUT,  /* a file that is missing, unreadable or malformed */
  ERR_SYSTEM, /* no memory, output that cannot be written */
};

enum { ERR_TEXT_BYTES = 1024 };

/** One error. Of fixed size: it needs no memory and no release. */
struct err {
  enum err_code code;        /* ERR_NONE: no error */
  char text[ERR_TEXT_BYTES]; /* one line, printable, cut if too long */
};

/**
 * Record an error.
 *
 * format  "FILE: problem; remedy", with the offset or "FILE:LINE: " if there
 *         is one; "OPTION: problem" if there is no file. No capital, no period.
 *
 * Returns -1, so that it can be returned at once.
 */
int err_set(struct err *err, enum err_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Put context before the sentence of an error: "context: sentence". Returns
 * -1. */
int err_prefix(struct err *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Record that memory ran out. Returns -1. */
int err_no_memory(struct err *err);

/** Set the name that messages begin with, "arcline" at first. Borrowed. */
void err_set_program(const char *name);

/** The name that messages begin with. */
const char *err_program(void);

/** Set functions that are called before and after each remark and warning. */
void err_set_around_message(void (*before)(void), void (*after)(void));

/** Print a remark, one sentence, to stderr: usual, but of interest. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Print a warning, one sentence, to stderr: odd input that is still usable. */
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
