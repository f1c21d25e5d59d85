/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Every message begins with it; no caller passes it.
static const char *program = "arcline";
static void (*before_message)(void);
static void (*after_message)(void);

void err_set_program(const char *name) { program = name; }

const char *err_program(void) { return program; }

void err_set_around_message(void (*before)(void), void (*after)(void)) {
  before_message = before;
  after_message = after;
}

/** Names in a message may contain any byte: make the message one line, and
 * harmless to the terminal that shows it. */
static void make_plain(char *text) {
  for (; *text; text++)
    if ((unsigned char)*text < ' ' || *text == '\177')
      *text = '?';
}

int err_set(struct err *err, enum err_code code, const char *format, ...) {
  va_list args;

  err->code = code;
  va_start(args, format);
  vsnprintf(err->text, sizeof(err->text), format, args);
  va_end(args);
  make_plain(err->text);
  return -1;
}

int err_prefix(struct err *err, const char *format, ...) {
  char old[ERR_TEXT_BYTES];
  va_list args;

  memcpy(old, err->text, sizeof(old));
  va_start(args, format);
  vsnprintf(err->text, sizeof(err->text), format, args);
  va_end(args);
  // Text that does not fit is cut, as in err_set().
  size_t used = strlen(err->text);
  size_t room = sizeof(err->text) - used;
  snprintf(err->text + used, room, ": %.*s", (int)room, old);
  make_plain(err->text);
  return -1;
}

int err_no_memory(struct err *err) {
  return err_set(err, ERR_SYSTEM, "out of memory");
}

/** Print one line to stderr. kind: that of the message. */
static void print(const char *kind, const char *format, va_list args) {
  char text[ERR_TEXT_BYTES];

  vsnprintf(text, sizeof(text), format, args);
  make_plain(text);
  if (before_message)
    before_message();
  fprintf(stderr, "%s: %s%s\n", program, kind, text);
  if (after_message)
    after_message();
}

void warn(const char *format, ...) {
  va_list args;

  va_start(args, format);
  print("warning: ", format, args);
  va_end(args);
}

void note(const char *format, ...) {
  va_list args;

  va_start(args, format);
  print("", format, args);
  va_end(args);
}
