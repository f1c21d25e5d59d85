/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The index of a suite's tests, and changes of C sources for arcline select. By
   the first byte: 0: an index as it is; 1: records (kind, object, length of the
   name, two bytes of the length of the rest), which become an index; 2: two
   texts with a NUL between them, of which bodies are found and compared. */
#include "arcline/context_format.h"
#include "base/err.h"
#include "contexts/c_bodies.h"
#include "contexts/context_index.h"
#include "contexts/context_query.h"
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { HEAD = ARCLINE_CONTEXT_HEAD_BYTES, MAX_FILE = 1 << 20, MAX_LINES = 64 };

static int nothing(void *context, const struct context_run *run,
                   const uint8_t *bits, struct err *err) {
  (void)err;
  *(size_t *)context += run->i_object + bits[0];
  return 0;
}

static void read_index(const uint8_t *bytes, size_t n_bytes) {
  const char *const path = fuzz_file(0, bytes, n_bytes);
  struct context_index index;
  struct context_query query;
  struct context_hits hits;
  struct err err;
  size_t n = 0;

  if (context_index_read(path, &index, &err) != 0)
    return;
  context_index_visit(&index, nothing, &n, &err);
  if (context_query_begin(&index, &query, &err) == 0) {
    context_query_add_name(&query, "f*", &err);
    context_query_add_line(&query, "a.c", 3, &err);
    if (context_query_run(&query, &hits, &err) == 0)
      context_hits_release(&hits);
    context_query_release(&query);
  }
  if (context_find_stale(&index, &hits, &err) == 0)
    context_hits_release(&hits);
  context_index_release(&index);
}

static void put(uint8_t *at, uint64_t number, size_t n) {
  for (size_t i = 0; i < n; i++)
    at[i] = (uint8_t)(number >> 8 * i);
}

/** Append a record. Returns the end of the file. */
static size_t add_record(uint8_t *file, size_t end, const uint8_t **bytes,
                         size_t *n_bytes) {
  uint8_t *const head = file + end;
  const unsigned kind = fuzz_take(bytes, n_bytes);
  const unsigned object = fuzz_take(bytes, n_bytes);
  size_t n_name = fuzz_take(bytes, n_bytes);
  size_t n_plain = fuzz_take(bytes, n_bytes);
  n_plain |= (size_t)fuzz_take(bytes, n_bytes) << 8;
  uLongf n = MAX_FILE - end - HEAD - 256;

  n_name = n_name < *n_bytes ? n_name : *n_bytes;
  memcpy(head + HEAD, *bytes, n_name);
  *bytes += n_name;
  *n_bytes -= n_name;
  n_plain = n_plain < *n_bytes ? n_plain : *n_bytes;
  if (compress(head + HEAD + n_name, &n, *bytes, n_plain) != Z_OK)
    return end;
  *bytes += n_plain;
  *n_bytes -= n_plain;
  memset(head, 0, HEAD);
  put(head + 4, kind, 4);
  put(head + 8, object, 4);
  put(head + 12, n_name, 4);
  put(head + 16, n, 4);
  put(head + 20, n_plain, 4);
  put(head + 24, crc32_z(0, head + HEAD, n_name + n), 4);
  put(head, crc32_z(0, head + 4, HEAD - 4), 4);
  return end + HEAD + n_name + n;
}

static void read_records(const uint8_t *bytes, size_t n_bytes) {
  static uint8_t file[MAX_FILE];
  size_t end = ARCLINE_CONTEXT_START_BYTES;

  memset(file, 0, end);
  memcpy(file, ARCLINE_CONTEXT_MAGIC, sizeof(ARCLINE_CONTEXT_MAGIC));
  file[ARCLINE_CONTEXT_MAGIC_BYTES] = ARCLINE_CONTEXT_VERSION;
  while (n_bytes > 0 && end < MAX_FILE / 2)
    end = add_record(file, end, &bytes, &n_bytes);
  read_index(file, end);
}

static size_t list_lines(const char *text, size_t n, size_t *starts) {
  size_t n_lines = 0;

  for (size_t i = 0; i < n && n_lines < MAX_LINES; i++)
    if (i == 0 || text[i - 1] == '\n')
      starts[n_lines++] = i;
  return n_lines;
}

static void compare_texts(const char *bytes, size_t n_bytes) {
  const size_t n_old = strnlen(bytes, n_bytes);
  const size_t first_new = n_old < n_bytes ? n_old + 1 : n_bytes;
  size_t starts[MAX_LINES];
  struct c_text old, new;
  struct c_body body;

  if (c_text_read(bytes, n_old, &old) != 0 ||
      c_text_read(bytes + first_new, n_bytes - first_new, &new) != 0)
    abort();
  struct c_change change = {.old_end = old.n_bytes, .new_end = new.n_bytes};
  c_change_trim(&old, &new, &change);
  const enum c_effect effect = c_change_effect(&old, &new, &change);
  // Equal texts differ by nothing.
  if (change.old_first == change.old_end &&
      change.new_first == change.new_end && effect == C_LOCAL)
    abort();
  const size_t n_lines = list_lines(bytes, n_old, starts);
  for (uint32_t line = 1; line <= n_lines; line++)
    if (c_body_find(&old, starts, n_lines, line, &body) &&
        (bytes[body.open] != '{' || bytes[body.close] != '}' ||
         body.close <= body.open ||
         (c_body_has(&body, &old, &new, &change, false) &&
          change.old_end > body.close)))
      abort();
  c_text_release(&old);
  c_text_release(&new);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes) {
  const unsigned kind = fuzz_take(&bytes, &n_bytes) % 3;

  if (kind == 0) {
    read_index(bytes, n_bytes);
  } else if (kind == 1) {
    read_records(bytes, n_bytes);
  } else {
    char *const copy = fuzz_copy(bytes, n_bytes, 0);
    compare_texts(copy, n_bytes);
    free(copy);
  }
  return 0;
}
