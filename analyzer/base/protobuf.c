/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/protobuf.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { WIRE_NUMBER = 0, WIRE_BYTES = 2 };

static void add(struct protobuf *message, const void *bytes, size_t n) {
  if (n > message->max_bytes - message->n_bytes) {
    const size_t max_bytes = message->max_bytes * 2 + n + 64;
    uint8_t *const grown = realloc(message->bytes, max_bytes);
    if (!grown) {
      message->is_failed = true;
      return;
    }
    message->bytes = grown;
    message->max_bytes = max_bytes;
  }
  if (n > 0)
    memcpy(message->bytes + message->n_bytes, bytes, n);
  message->n_bytes += n;
}

/** A number of bytes with seven bits each, the lowest first. */
static void add_varint(struct protobuf *message, uint64_t number) {
  uint8_t bytes[10];
  size_t n = 0;
  for (; number >= 0x80; number >>= 7)
    bytes[n++] = (uint8_t)(number | 0x80);
  bytes[n++] = (uint8_t)number;
  add(message, bytes, n);
}

static void add_tag(struct protobuf *message, unsigned field, unsigned wire) {
  add_varint(message, field << 3 | wire);
}

void protobuf_number(struct protobuf *message, unsigned field,
                     uint64_t number) {
  if (number == 0)
    return;
  add_tag(message, field, WIRE_NUMBER);
  add_varint(message, number);
}

static size_t varint_bytes(uint64_t number) {
  size_t n = 1;
  for (; number >= 0x80; number >>= 7)
    n++;
  return n;
}

void protobuf_numbers(struct protobuf *message, unsigned field,
                      const uint64_t *numbers, size_t n) {
  size_t n_bytes = 0;
  for (size_t i = 0; i < n; i++)
    n_bytes += varint_bytes(numbers[i]);
  add_tag(message, field, WIRE_BYTES);
  add_varint(message, n_bytes);
  for (size_t i = 0; i < n; i++)
    add_varint(message, numbers[i]);
}

void protobuf_text(struct protobuf *message, unsigned field, const char *text) {
  static const char replacement[] = UTF8_REPLACEMENT;
  size_t n_bytes = 0;
  for (const char *at = text; *at;) {
    const size_t n = utf8_sequence_bytes(at);
    n_bytes += n ? n : sizeof(replacement) - 1;
    at += n ? n : 1;
  }
  add_tag(message, field, WIRE_BYTES);
  add_varint(message, n_bytes);
  while (*text) {
    const size_t n = utf8_sequence_bytes(text);
    add(message, n ? text : replacement, n ? n : sizeof(replacement) - 1);
    text += n ? n : 1;
  }
}

void protobuf_message(struct protobuf *message, unsigned field,
                      struct protobuf *inner) {
  add_tag(message, field, WIRE_BYTES);
  add_varint(message, inner->n_bytes);
  add(message, inner->bytes, inner->n_bytes);
  message->is_failed |= inner->is_failed;
  inner->n_bytes = 0;
}

void protobuf_release(struct protobuf *message) {
  free(message->bytes);
  *message = (struct protobuf){0};
}
