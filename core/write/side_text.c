/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "write/side_text.h"

#include <stdbool.h>

static size_t length(const char *text) {
  size_t n = 0;

  while (text[n])
    n++;
  return n;
}

void write_side_text(struct write_sink *sink, const char *text) {
  write_sink_put(sink, text, length(text));
}

void write_side_number(struct write_sink *sink, uint64_t number) {
  char text[24];
  size_t at = sizeof(text);

  do {
    text[--at] = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  text[--at] = ' ';
  write_sink_put(sink, text + at, sizeof(text) - at);
}

static char digit(unsigned value) { return "0123456789abcdef"[value & 15]; }

void write_side_address(struct write_sink *sink, uint64_t address) {
  char text[24] = " 0x";
  size_t n = 3;
  int shift = 60;

  while (shift && !(address >> shift))
    shift -= 4;
  for (; shift >= 0; shift -= 4)
    text[n++] = digit((unsigned)(address >> shift));
  write_sink_put(sink, text, n);
}

static void put_hex(struct write_sink *sink, uint8_t byte) {
  const char hex[] = {digit(byte >> 4), digit(byte)};

  write_sink_put(sink, hex, sizeof(hex));
}

void write_side_word(struct write_sink *sink, const char *text) {
  write_side_text(sink, " ");
  for (; *text; text++) {
    const uint8_t byte = (uint8_t)*text;
    if (byte > ' ' && byte != '%' && byte != 0x7f) {
      write_sink_put(sink, text, 1);
      continue;
    }
    write_side_text(sink, "%");
    put_hex(sink, byte);
  }
}

void write_side_begin(struct write_sink *sink) {
  write_side_text(sink, "arcline-side 1\n");
}

void write_side_process(struct write_sink *sink, uint64_t pid,
                        const char *program) {
  write_side_text(sink, "process");
  write_side_number(sink, pid);
  write_side_word(sink, program);
  write_side_text(sink, "\n");
}

void write_side_clock(struct write_sink *sink, const char *dimension,
                      uint64_t rate) {
  write_side_text(sink, "clock");
  write_side_word(sink, dimension);
  write_side_number(sink, rate);
  write_side_text(sink, "\n");
}

void write_side_object(struct write_sink *sink,
                       const struct write_object *object) {
  write_side_text(sink, "object");
  write_side_number(sink, object->index);
  write_side_text(sink, object->n_build_id ? " " : " -");
  for (size_t i = 0; i < object->n_build_id; i++)
    put_hex(sink, object->build_id[i]);
  write_side_address(sink, object->load_bias);
  write_side_word(sink, object->file);
  write_side_word(sink, object->path);
  write_side_text(sink, "\n");
}

void write_side_range(struct write_sink *sink, size_t index, uint64_t low_vaddr,
                      uint64_t high_vaddr) {
  write_side_text(sink, "text");
  write_side_number(sink, index);
  write_side_address(sink, low_vaddr);
  write_side_address(sink, high_vaddr);
  write_side_text(sink, "\n");
}

void write_side_call(struct write_sink *sink, size_t index,
                     const struct solve_arc *arc, const size_t *index_of,
                     size_t n_numbers, const char *name) {
  const bool is_named = (arc->self & SOLVE_OUTSIDE_NAMED) != 0;
  const bool is_incoming = (arc->from & SOLVE_OUTSIDE) != 0;
  const uint64_t other =
      solve_outside_number(is_incoming ? arc->from : arc->self);
  const size_t i_other = other < n_numbers ? index_of[other] : 0;

  if ((int64_t)arc->count <= 0)
    return;
  write_side_text(sink, is_named ? "call" : "arc");
  write_side_number(sink, is_incoming ? i_other : index);
  write_side_address(sink, solve_outside_vaddr(arc->from));
  if (is_named) {
    write_side_number(sink, arc->count);
    write_side_word(sink, name);
  } else {
    write_side_number(sink, is_incoming ? index : i_other);
    write_side_address(sink, solve_outside_vaddr(arc->self));
    write_side_number(sink, arc->count);
  }
  write_side_text(sink, "\n");
}

void write_side_end(struct write_sink *sink) { write_side_text(sink, "end\n"); }
