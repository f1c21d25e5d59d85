/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes messages in the wire format of protocol buffers, into memory.
 *
 * Source: "Encoding", protobuf.dev.
 */
#ifndef ARCLINE_PROTOBUF_H
#define ARCLINE_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A message that is being built. All zero is empty. */
struct protobuf {
  uint8_t *bytes;
  size_t n_bytes, max_bytes;
  bool is_failed; /* no memory: something is missing */
};

/** A number, unless it is 0, which is the value of an absent field. */
void protobuf_number(struct protobuf *message, unsigned field, uint64_t number);

/** Numbers as one field, 0 among them, too. */
void protobuf_numbers(struct protobuf *message, unsigned field,
                      const uint64_t *numbers, size_t n);

/** A text, the empty one, too. Bytes that are not UTF-8 become U+FFFD. */
void protobuf_text(struct protobuf *message, unsigned field, const char *text);

/** A message within one, which is empty afterwards. */
void protobuf_message(struct protobuf *message, unsigned field,
                      struct protobuf *inner);

/** Free. */
void protobuf_release(struct protobuf *message);

#endif
