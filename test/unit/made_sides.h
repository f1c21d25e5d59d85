/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Makes up a program of two objects, and side files for it, for tests of the
 * data that they add to a profile.
 */
#ifndef MADE_SIDES_H
#define MADE_SIDES_H

#include "base/err.h"
#include "made_gmon.h"
#include "made_image.h"
#include "model/model.h"
#include "profile/profile_join.h"
#include "profile/side_join.h"

static const struct made_symbol prog_symbols[] = {
    {"main", 0x1000, MADE_OFFERED},
    {"callback", 0x1100, MADE_LOCAL},
    {"common", 0x1200, MADE_OFFERED},
    {"own", 0x1300, MADE_LOCAL},
    {"prog_end", 0x1f00, 0},
    {"printf", 0, MADE_OFFERED | MADE_IMPORTED},
};

static const struct made_symbol lib_symbols[] = {
    {"run", 0x1000, MADE_OFFERED}, {"common", 0x1100, MADE_OFFERED},
    {"own", 0x1200, MADE_OFFERED}, {"secret", 0x1300, MADE_LOCAL},
    {"lib_end", 0x1f00, 0},        {"printf", 0, MADE_OFFERED | MADE_IMPORTED},
};

enum { PROG, LIB };

static struct model program;
static struct side_join join;
static struct symspec_tables filters;
static struct profile profile;
static struct err err;

/* Lines of side files. The build-ids are "prog" and "lib ". */
#define PROG_IS(n) "object " #n " 70726f67 0x0 g prog\n"
#define LIB_IS(n) "object " #n " 6c696220 0x0 g.lib lib\n"
#define LIBC_IS(n) "object " #n " - 0x0 - /lib/libc.so.6\n"
#define PROG_AND_LIB PROG_IS(0) LIB_IS(1) LIBC_IS(2)
#define LIB_AND_PROG LIBC_IS(0) LIB_IS(1) PROG_IS(2)
#define CLOCK "clock seconds 100\n"

static inline int begin(void **state) {
  err = (struct err){0};
  if (scratch_enter(state))
    return -1;
  made_image("prog", "prog", 4, prog_symbols, 6);
  made_image("lib", "lib ", 4, lib_symbols, 6);
  write_text("g", "");
  write_text("g.lib", "");
  return 0;
}

static inline void release(void) {
  profile_release(&profile);
  symspec_release(&filters);
  side_join_release(&join);
  model_close(&program);
}

static inline int end(void **state) {
  release();
  return scratch_leave(state);
}

static inline void write_side_of(const char *path, unsigned pid,
                                 const char *name, const char *records) {
  char text[1024];

  assert_true(snprintf(text, sizeof(text),
                       "arcline-side 1\nprocess %u %s\n%send\n", pid, name,
                       records) < (int)sizeof(text));
  write_text(path, text);
}

static inline void write_side(const char *path, unsigned pid,
                              const char *records) {
  write_side_of(path, pid, "p", records);
}

/** Open the files of operands. Returns side_join_init(). */
static inline int init(const char *const *operands) {
  const struct model_symbols options = {0};
  struct inputs inputs;
  size_t n = 0;

  while (operands[n])
    n++;
  assert_int_equal(
      inputs_find(&(struct inputs_options){.operands = (char **)operands,
                                           .n_operands = n},
                  &inputs, &err),
      0);
  assert_int_equal(model_open(&inputs, false, &program, &err), 0);
  assert_int_equal(model_load_symbols(&program, &options, &err), 0);
  return side_join_init(&join, &program, &err);
}

#define INIT(...) init((const char *const[]){__VA_ARGS__, NULL})

static inline void start_profile(void) {
  assert_int_equal(symspec_resolve(&program.symtab, NULL, 0, &filters, &err),
                   0);
  assert_int_equal(
      profile_init(&profile, &program.symtab, &filters, PROFILE_OUTSIDE, &err),
      0);
}

/** Open operands and start a profile. */
#define OPEN(...)                                                              \
  do {                                                                         \
    assert_int_equal(INIT(__VA_ARGS__), 0);                                    \
    start_profile();                                                           \
  } while (0)

static inline void open_side(const char *records) {
  write_side("1", 7, records);
  OPEN("1");
}

static inline void count_calls(size_t i_object, uint64_t from_pc,
                               uint64_t self_pc, uint64_t count) {
  struct measure_arc arc = {from_pc, self_pc, count, 0};
  const struct measure measure = {.arcs = &arc, .n_arcs = 1};

  assert_int_equal(
      profile_add(&profile, &measure, &program.objects[i_object].place, &err),
      0);
}

/** Count calls of a function from outside of its object. */
static inline void count_outside(size_t i_object, uint64_t self_vaddr,
                                 uint64_t count) {
  count_calls(i_object, 0, self_vaddr, count);
}

/** Add a histogram of an object, of one bin at 100 Hz. */
static inline void count_samples(size_t i_object, uint16_t n_samples) {
  struct builder builder = made_gmon("12345678");
  struct model_object *const object = &program.objects[i_object];
  struct measure_contents contents;
  struct gmon_reader reader;

  made_histogram(&builder, MADE_TEXT_LOW, MADE_TEXT_LOW + 2, &n_samples, 1);
  const struct gmon_file file = made_file(&builder, "x");
  assert_int_equal(
      gmon_reader_init(&reader, &file, native_layout, GMON_FORMAT_AUTO, &err),
      0);
  assert_int_equal(measure_add(&object->measure, &reader, &contents, &err), 0);
  assert_int_equal(
      profile_add(&profile, &object->measure, &object->place, &err), 0);
}

static inline void apply(void) {
  assert_int_equal(side_join_apply(&join, &profile, &err), 0);
  profile_finish(&profile);
}

/** A symbol of an object; SYMTAB_NONE: of none. */
static inline uint32_t find(size_t i_object, const char *name) {
  for (size_t i = 0; i < program.symtab.n_symbols; i++) {
    const struct symbol *const symbol = &program.symtab.symbols[i];
    const size_t i_other =
        symbol->object ? symbol->object->i_object : SYMTAB_NONE;
    if (i_other == i_object && strcmp(symbol->name, name) == 0)
      return (uint32_t)i;
  }
  fail_msg("no symbol %s", name);
  return 0;
}

static inline void expect_calls(size_t i_object, const char *name, uint64_t n) {
  assert_int_equal(profile.counts[find(i_object, name)].calls, n);
}

/** Calls between two functions; they must be in the given number of arcs. */
static inline void expect_arc(size_t i_caller, const char *caller,
                              size_t i_callee, const char *callee, uint64_t n) {
  const uint32_t parent = find(i_caller, caller);
  const uint32_t child = find(i_callee, callee);
  uint64_t found = 0;

  for (size_t i = 0; i < profile.n_arcs; i++)
    if (profile.arcs[i].parent == parent && profile.arcs[i].child == child)
      found += profile.arcs[i].count;
  assert_int_equal(found, n);
}

static inline void expect_ticks(const char *name, double ticks) {
  assert_true(profile.counts[find(SYMTAB_NONE, name)].ticks == ticks);
}

#endif
