/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "recover/live_sums.h"

#include "base/err.h"
#include "recover/live_program.h"

#include <stdlib.h>

// --- Places ---

static bool has_text(const struct live_object *object, uint64_t vaddr) {
  for (uint32_t i = 0; i < object->record.n_texts; i++)
    if (vaddr >= object->record.texts[i].low_vaddr &&
        vaddr < object->record.texts[i].high_vaddr)
      return true;
  return false;
}

static uint64_t end_in(const struct live_part *part,
                       const struct live_object *object, uint64_t vaddr) {
  return object == part->object ? vaddr
                                : solve_outside(object->record.number, vaddr);
}

static uint64_t find_earlier_place(const struct live_program *program,
                                   const struct live_part *part, uint64_t pc) {
  for (size_t i = 0; i < program->n_parts; i++) {
    const struct live_object *object = program->parts[i].object;
    for (size_t j = 0; j < object->n_biases; j++)
      if (object->biases[j] && has_text(object, pc - object->biases[j]))
        return end_in(part, object, pc - object->biases[j]);
  }
  return 0;
}

/** The place of a pc of the process, as an end of an arc of the part; 0: in no
 * object. Those that were loaded at the end come first. */
static uint64_t find_place(const struct live_program *program,
                           const struct live_part *part, uint64_t pc) {
  for (int is_loaded = 1; is_loaded >= 0; is_loaded--)
    for (size_t i = 0; i < program->n_parts; i++) {
      const struct live_object *object = program->parts[i].object;
      const uint64_t vaddr = pc - object->record.load_bias;
      if (object->is_loaded == is_loaded && has_text(object, vaddr))
        return end_in(part, object, vaddr);
    }
  return find_earlier_place(program, part, pc);
}

uint64_t live_sums_callee(const struct live_program *program,
                          const struct live_part *part, size_t i_site,
                          bool is_second) {
  const struct live_object *object = part->object;

  if (!object->is_loaded || !object->callees)
    return 0;
  const struct arcline_live_callees *site = &object->callees[i_site];
  const uint64_t pc = is_second ? site->second : site->callee;
  return pc ? find_place(program, part, pc) : 0;
}

// --- Arcs ---

/** Make link-time addresses of those of a table. Returns false for a free slot,
 * and for an arc that is not the part's. */
static bool translate(const struct live_program *program,
                      const struct live_part *part,
                      const struct arcline_live_arc *arc,
                      struct solve_arc *out) {
  const struct solve_section *sites = &part->data.image.sections[SOLVE_SITES];
  const uint64_t from = arc->from - part->object->record.load_bias;

  if (!arc->self) // the program was killed while it was entered
    return false;
  *out = (struct solve_arc){.self = find_place(program, part, arc->self),
                            .count = arc->count};
  // Not a return address, but the record of a call site.
  if (from - sites->vaddr < sites->n_bytes) {
    out->from = from;
    return true;
  }
  out->from = find_place(program, part, arc->from - 1);
  return out->self && !(out->self & SOLVE_OUTSIDE);
}

static bool has_number(const struct live_program *program, uint64_t number) {
  for (size_t i = 0; i < program->n_parts; i++)
    if (program->parts[i].object->record.number == number)
      return true;
  return false;
}

/** An end of an arc of a baseline; 0 if it is invalid. No arc was solved yet,
 * so no end is a name. */
static uint64_t check_end(const struct live_program *program, uint64_t end) {
  if (end & SOLVE_OUTSIDE && (end & SOLVE_OUTSIDE_NAMED ||
                              !has_number(program, solve_outside_number(end))))
    return 0;
  return end;
}

/** The arcs of a baseline, which follow its cells. */
static const struct arcline_live_arc *
baseline_arcs(const struct arcline_live_baseline *baseline) {
  return (const struct arcline_live_arc *)((const uint64_t *)(baseline + 1) +
                                           baseline->n_cells);
}

static void add_table(const struct live_program *program,
                      const struct live_part *part,
                      const struct live_table *table, struct live_sums *out) {
  for (size_t i = 0; i < table->n; i++)
    out->n_arcs +=
        translate(program, part, &table->arcs[i], &out->arcs[out->n_arcs]);
}

static size_t count_slots(const struct live_object *object) {
  size_t n = object->baseline ? object->baseline->n_arcs : 0;

  for (size_t i = 0; i < object->n_tables; i++)
    n += object->tables[i].n;
  return n + object->early.n;
}

static int add_arcs(const struct live_program *program,
                    const struct live_part *part, struct live_sums *out) {
  const struct live_object *object = part->object;
  const struct arcline_live_baseline *baseline = object->baseline;
  const size_t room = count_slots(object) + 1;

  out->arcs = reallocarray(NULL, room, sizeof(*out->arcs));
  struct solve_arc *scratch = reallocarray(NULL, room, sizeof(*scratch));
  if (!out->arcs || !scratch) {
    free(scratch);
    return -1;
  }
  for (size_t i = 0; baseline && i < baseline->n_arcs; i++) {
    const struct arcline_live_arc *arc = &baseline_arcs(baseline)[i];
    out->arcs[out->n_arcs++] =
        (struct solve_arc){.from = check_end(program, arc->from),
                           .self = check_end(program, arc->self),
                           .count = arc->count};
  }
  for (size_t i = 0; object->is_loaded && i < object->n_tables; i++)
    add_table(program, part, &object->tables[i], out);
  if (object->is_loaded)
    add_table(program, part, &object->early, out);
  out->n_arcs = solve_arcs_merge(out->arcs, out->n_arcs, scratch);
  free(scratch);
  return 0;
}

// --- Cells ---

static void add_copy(const struct live_object *object, const uint64_t *copy,
                     uint64_t *cells) {
  for (size_t i = 0; copy && i < object->record.n_cells; i++)
    cells[i] += copy[i];
}

static int add_cells(const struct live_object *object, uint64_t **out) {
  *out = calloc(object->record.n_cells + 1, sizeof(**out));
  if (!*out)
    return -1;
  for (size_t i = 0; i < object->n_copies; i++)
    add_copy(object, object->copies[i], *out);
  if (object->is_loaded)
    add_copy(object, object->early_cells, *out);
  if (object->baseline)
    add_copy(object, (const uint64_t *)(object->baseline + 1), *out);
  return 0;
}

int live_sums_make(const struct live_program *program,
                   const struct live_part *part, struct live_sums *out,
                   struct err *err) {
  *out = (struct live_sums){0};
  return add_cells(part->object, &out->cells) != 0 ||
                 add_arcs(program, part, out) != 0
             ? err_no_memory(err)
             : 0;
}

void live_sums_release(struct live_sums *sums) {
  free(sums->cells);
  free(sums->arcs);
  *sums = (struct live_sums){0};
}
