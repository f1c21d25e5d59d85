/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/** Cookie of an escaping stream. */
struct terminal {
  int fd;
  struct terminal_text text;
};

/** Number of bytes after the first one of a UTF-8 sequence. */
static int count_continuing(unsigned char first) {
  if (first >= 0xc2 && first <= 0xdf)
    return 1;
  if (first >= 0xe0 && first <= 0xef)
    return 2;
  return first >= 0xf0 && first <= 0xf4 ? 3 : 0;
}

static size_t put_escaped(unsigned char byte, char *out) {
  return (size_t)snprintf(out, TERMINAL_MAX_ESCAPED, "\\x%02x", byte);
}

static bool is_control(unsigned char byte) {
  return byte < 0x20 || byte == 0x7f || (byte >= 0x80 && byte < 0xa0);
}

size_t terminal_escape(struct terminal_text *text, unsigned char byte,
                       char *out) {
  enum { C1_LEAD = 0xc2 };
  const unsigned char pending = text->pending;
  const bool is_continuing =
      text->n_continuing > 0 && byte >= 0x80 && byte < 0xc0;
  size_t n = 0;

  text->pending = 0;
  text->n_continuing =
      is_continuing ? text->n_continuing - 1 : count_continuing(byte);
  if (pending == '\r' && byte != '\n')
    n = put_escaped(pending, out);
  else if (pending == C1_LEAD && is_continuing && byte < 0xa0)
    return put_escaped(byte, out); // both: the terminal takes them as one
  else if (pending)
    out[n++] = (char)pending;
  if (byte == '\r' || byte == C1_LEAD) {
    text->pending = byte;
    return n;
  }
  if (is_continuing || !is_control(byte) || byte == '\t' || byte == '\n' ||
      byte == '\f')
    out[n++] = (char)byte;
  else
    n += put_escaped(byte, out + n);
  return n;
}

/** Write all of it. Returns false, with errno set, if that fails. */
static bool write_all(int fd, const char *bytes, size_t n_bytes) {
  while (n_bytes > 0) {
    const ssize_t n = write(fd, bytes, n_bytes);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return false;
    bytes += n;
    n_bytes -= (size_t)n;
  }
  return true;
}

static ssize_t write_escaped(void *cookie, const char *bytes, size_t n_bytes) {
  struct terminal *const terminal = cookie;
  char escaped[4096];
  size_t n_escaped = 0;

  for (size_t i = 0; i < n_bytes; i++) {
    if (n_escaped > sizeof(escaped) - TERMINAL_MAX_ESCAPED) {
      if (!write_all(terminal->fd, escaped, n_escaped))
        return 0;
      n_escaped = 0;
    }
    n_escaped += terminal_escape(&terminal->text, (unsigned char)bytes[i],
                                 escaped + n_escaped);
  }
  return write_all(terminal->fd, escaped, n_escaped) ? (ssize_t)n_bytes : 0;
}

void terminal_guard(FILE **stream) {
  // One for each stream; they last as long as the process.
  static struct terminal terminals[2];
  const bool is_stderr = *stream == stderr;
  struct terminal *const terminal = &terminals[is_stderr];

  terminal->fd = fileno(*stream);
  if (!isatty(terminal->fd))
    return;
  FILE *const guarded = fopencookie(
      terminal, "w", (cookie_io_functions_t){.write = write_escaped});
  if (!guarded)
    return;
  setvbuf(guarded, NULL, is_stderr ? _IONBF : _IOLBF, 0);
  *stream = guarded;
}

/** Is a variable of the environment set to something? */
static bool is_set(const char *name) {
  const char *const value = getenv(name);

  return value && *value;
}

bool terminal_has_color(const char *when) {
  const char *const term = getenv("TERM");

  if (when && strcmp(when, "auto") != 0)
    return strcmp(when, "always") == 0;
  if (is_set("NO_COLOR"))
    return false;
  if ((is_set("FORCE_COLOR") && strcmp(getenv("FORCE_COLOR"), "0") != 0) ||
      (is_set("CLICOLOR_FORCE") && strcmp(getenv("CLICOLOR_FORCE"), "0") != 0))
    return true;
  return isatty(STDOUT_FILENO) && !(term && strcmp(term, "dumb") == 0);
}

unsigned terminal_width(void) {
  enum { MAX_WIDTH = 10000 };
  struct winsize size;
  const char *const columns = getenv("COLUMNS");

  if (!isatty(STDOUT_FILENO))
    return 0;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  const long width = columns ? strtol(columns, NULL, 10) : 0;
  return width > 0 && width <= MAX_WIDTH ? (unsigned)width : 0;
}
