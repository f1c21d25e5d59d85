/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes the format of pprof. */
#include "export/export_program.h"

#include "base/err.h"
#include "base/map64.h"
#include "base/protobuf.h"
#include "export/code_places.h"
#include "export/stacks.h"
#include "profile/graph_profile.h"
#include "profile/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fields of the messages. Source: proto/profile.proto of google/pprof. */
enum {
  PROFILE_SAMPLE_TYPE = 1,
  PROFILE_SAMPLE = 2,
  PROFILE_MAPPING = 3,
  PROFILE_LOCATION = 4,
  PROFILE_FUNCTION = 5,
  PROFILE_STRING = 6,
  PROFILE_PERIOD_TYPE = 11,
  PROFILE_PERIOD = 12,
  PROFILE_COMMENT = 13,
  PROFILE_DEFAULT_TYPE = 14,

  TYPE_NAME = 1,
  TYPE_UNIT = 2,

  SAMPLE_LOCATIONS = 1, // the innermost first
  SAMPLE_VALUES = 2,

  MAPPING_ID = 1,
  MAPPING_START = 2,
  MAPPING_END = 3,
  MAPPING_FILE = 5,
  MAPPING_BUILD_ID = 6,
  MAPPING_HAS_FUNCTIONS = 7,
  MAPPING_HAS_FILES = 8,
  MAPPING_HAS_LINES = 9,

  LOCATION_ID = 1,
  LOCATION_MAPPING = 2,
  LOCATION_ADDRESS = 3,
  LOCATION_LINE = 4,

  LINE_FUNCTION = 1,
  LINE_NUMBER = 2,

  FUNCTION_ID = 1,
  FUNCTION_NAME = 2,
  FUNCTION_LINKAGE_NAME = 3,
  FUNCTION_FILE = 4,
  FUNCTION_LINE = 5,
};

enum { N_VALUES = 2 }; // of a sample: calls, time

struct page {
  const struct graph_profile *program;
  FILE *out;
  double unit_per_tick;
  struct protobuf top, message, inner; // the last two: scratch
  struct names names;
  uint64_t n_strings;
  struct map64 file_strings; // by address of the text
  struct code_places places;
  bool *has_location;     // by place: written?
  struct map64 functions; // by symbol and number of file
  uint64_t n_functions;
  uint64_t *locations; // scratch: of a sample
  double *ticks;       // by symbol: self time that is in no stack
  double *place_ticks; // by place: the same, of bins
};

/** Write the finished part of the profile. */
static void flush(struct page *page) {
  fwrite(page->top.bytes, 1, page->top.n_bytes, page->out);
  page->top.n_bytes = 0;
}

static void put_message(struct page *page, unsigned field) {
  protobuf_message(&page->top, field, &page->message);
  flush(page);
}

/** Write a text. Returns its number, which refers to it. */
static uint64_t put_string(struct page *page, const char *text) {
  protobuf_text(&page->top, PROFILE_STRING, text);
  flush(page);
  return page->n_strings++;
}

/** The number of a file's name. Returns 0 for none, or if memory runs out: then
 * the name is written again. */
static uint64_t put_file(struct page *page, const char *file) {
  const uint64_t key = (uint64_t)(uintptr_t)file;
  struct err err;
  if (!file)
    return 0;
  const uint32_t known = map64_find(&page->file_strings, key);
  if (known != MAP64_NONE)
    return known;
  const uint64_t number = put_string(page, file);
  if (number < MAP64_NONE)
    (void)map64_insert(&page->file_strings, key, (uint32_t)number, &err);
  return number;
}

static void put_type(struct page *page, unsigned field, uint64_t name,
                     uint64_t unit) {
  protobuf_number(&page->message, TYPE_NAME, name);
  protobuf_number(&page->message, TYPE_UNIT, unit);
  put_message(page, field);
}

static void put_head(struct page *page) {
  const struct profile *const profile = &page->program->profile;
  const uint32_t rate_hz = profile->unit.rate_hz;
  put_string(page, "");
  const uint64_t count = put_string(page, "count");
  const uint64_t calls = put_string(page, "calls");
  const uint64_t time = put_string(page, rate_hz ? "time" : "samples");
  const uint64_t unit = rate_hz ? put_string(page, "nanoseconds") : count;
  put_type(page, PROFILE_SAMPLE_TYPE, calls, count);
  put_type(page, PROFILE_SAMPLE_TYPE, time, unit);
  put_type(page, PROFILE_PERIOD_TYPE, time, unit);
  protobuf_number(&page->top, PROFILE_PERIOD,
                  rate_hz ? (uint64_t)llround(page->unit_per_tick) : 1);
  protobuf_number(&page->top, PROFILE_DEFAULT_TYPE,
                  profile->total_ticks > 0 ? time : calls);
  const uint64_t comment = put_string(
      page, page->program->measured.total_ticks > 0
                ? "arcline: calls are exact, for each caller and callee; time "
                  "is that of call stacks, or of functions if a sample has none"
                : "arcline: calls are exact, for each caller and callee; time "
                  "is that of functions, since there are no call stacks");
  protobuf_number(&page->top, PROFILE_COMMENT, comment);
  flush(page);
}

static void put_mappings(struct page *page) {
  static const char digits[] = "0123456789abcdef";
  const struct model *const model = page->program->model;
  for (size_t i = 0; i < model->n_objects; i++) {
    const struct image *const image = &model->objects[i].image;
    char id[2 * IMAGE_BUILD_ID_BYTES + 1];
    for (size_t k = 0; k < image->n_build_id; k++) {
      id[2 * k] = digits[image->build_id[k] >> 4];
      id[2 * k + 1] = digits[image->build_id[k] & 0xf];
    }
    id[2 * image->n_build_id] = '\0';
    const uint64_t file = put_string(page, image->path);
    const uint64_t build_id = put_string(page, id);
    struct protobuf *const mapping = &page->message;
    protobuf_number(mapping, MAPPING_ID, i + 1);
    protobuf_number(mapping, MAPPING_START, image->low_vaddr);
    protobuf_number(mapping, MAPPING_END, image->high_vaddr);
    protobuf_number(mapping, MAPPING_FILE, file);
    protobuf_number(mapping, MAPPING_BUILD_ID, build_id);
    // Keeps pprof from searching the file for them.
    protobuf_number(mapping, MAPPING_HAS_FUNCTIONS, true);
    protobuf_number(mapping, MAPPING_HAS_FILES, true);
    protobuf_number(mapping, MAPPING_HAS_LINES, true);
    put_message(page, PROFILE_MAPPING);
  }
}

/** The number of the object that a symbol is in, from 1; 0: none. */
static uint64_t mapping_of(const struct page *page,
                           const struct symbol *symbol) {
  const struct model *const model = page->program->model;
  if (!symbol->object)
    return model->is_joined ? 0 : 1;
  const size_t i = symbol->object->i_object;
  return i < model->n_objects ? i + 1 : 0;
}

/** Write a function. Returns its number, which refers to it. file and line:
 * numbers, 0: none. */
static uint64_t put_function(struct page *page, const struct symbol *symbol,
                             const char *text, uint64_t file, uint32_t line) {
  struct protobuf *const message = &page->message;
  const uint64_t number = ++page->n_functions;
  const uint64_t name = put_string(page, text);
  // pprof removes text in <> from names that have no linkage name.
  const uint64_t linkage_name = symbol && strcmp(symbol->name, text) != 0
                                    ? put_string(page, symbol->name)
                                    : 0;
  protobuf_number(message, FUNCTION_ID, number);
  protobuf_number(message, FUNCTION_NAME, name);
  protobuf_number(message, FUNCTION_LINKAGE_NAME, linkage_name);
  protobuf_number(message, FUNCTION_FILE, file);
  protobuf_number(message, FUNCTION_LINE, line);
  put_message(page, PROFILE_FUNCTION);
  return number;
}

/** Write a place in the code. */
static void put_location(struct page *page, uint64_t number, uint64_t mapping,
                         uint64_t vaddr, uint64_t function, uint32_t line) {
  struct protobuf *const message = &page->message;
  protobuf_number(&page->inner, LINE_FUNCTION, function);
  protobuf_number(&page->inner, LINE_NUMBER, line);
  protobuf_number(message, LOCATION_ID, number);
  protobuf_number(message, LOCATION_MAPPING, mapping);
  if (mapping > 0)
    protobuf_number(message, LOCATION_ADDRESS, vaddr);
  protobuf_message(message, LOCATION_LINE, &page->inner);
  put_message(page, PROFILE_LOCATION);
}

/** The function of a place. In the format, the file belongs to the function. A
 * function with code of several files is therefore written once for each, with
 * one name. */
static uint64_t function_of(struct page *page, const struct code_place *place) {
  const struct symbol *const symbol =
      &page->program->profile.symtab->symbols[place->i_symbol];
  const uint64_t file = put_file(page, place->file);
  const uint64_t key = (uint64_t)place->i_symbol << 32 | (uint32_t)file;
  const uint32_t known = map64_find(&page->functions, key);
  struct err err;
  size_t length;
  if (known != MAP64_NONE)
    return known;
  const bool is_home = place->file == symbol->file;
  const uint64_t number = put_function(
      page, symbol, names_text(&page->names, place->i_symbol, &length), file,
      is_home ? symbol->line : 0);
  if (number < MAP64_NONE)
    (void)map64_insert(&page->functions, key, (uint32_t)number, &err);
  return number;
}

/** The number of a place, which is written at its first use. */
static uint64_t location_of(struct page *page, uint32_t i_place) {
  const struct code_place *const place = &page->places.places[i_place];
  const struct symbol *const symbol =
      &page->program->profile.symtab->symbols[place->i_symbol];
  const uint64_t number = (uint64_t)i_place + 1;
  if (page->has_location[i_place])
    return number;
  page->has_location[i_place] = true;
  put_location(page, number, mapping_of(page, symbol), place->vaddr,
               function_of(page, place), place->line);
  return number;
}

static void put_sample(struct page *page, size_t n_locations, uint64_t calls,
                       uint64_t time) {
  const uint64_t values[N_VALUES] = {calls, time};
  protobuf_numbers(&page->message, SAMPLE_LOCATIONS, page->locations,
                   n_locations);
  protobuf_numbers(&page->message, SAMPLE_VALUES, values, N_VALUES);
  put_message(page, PROFILE_SAMPLE);
}

static uint64_t in_units(const struct page *page, double ticks) {
  return ticks > 0 ? (uint64_t)llround(ticks * page->unit_per_tick) : 0;
}

static void put_calls(struct page *page) {
  const struct profile *const profile = &page->program->profile;
  for (size_t i = 0; i < profile->n_arcs; i++) {
    const struct profile_arc *const arc = &profile->arcs[i];
    if (arc->count == 0)
      continue;
    // Profiles have the block that made a call, not its line.
    page->locations[0] = location_of(page, arc->child);
    page->locations[1] = location_of(page, arc->parent);
    put_sample(page, 2, arc->count, 0);
  }
  for (size_t i = 0; i < profile->symtab->n_symbols; i++)
    if (profile->counts[i].outside_calls > 0) {
      page->locations[0] = location_of(page, (uint32_t)i);
      put_sample(page, 1, profile->counts[i].outside_calls, 0);
    }
}

/** Locations of frames that are no functions, after all places. */
struct no_functions {
  uint64_t unknown, cut;
  bool has_unknown, has_cut;
};

static uint64_t put_no_function(struct page *page, uint64_t number,
                                const char *name, bool *is_put) {
  if (!*is_put)
    put_location(page, number, 0, 0, put_function(page, NULL, name, 0, 0), 0);
  *is_put = true;
  return number;
}

/** Write stacks, and subtract their time from the rest. */
static int put_stacks(struct page *page, struct export_stacks *stacks,
                      struct err *err) {
  struct no_functions none = {.unknown = page->places.n_places + 1,
                              .cut = page->places.n_places + 2};
  uint64_t *const grown =
      reallocarray(page->locations, stacks->tree.n_frames + 2, sizeof(*grown));
  if (!grown)
    return err_no_memory(err);
  page->locations = grown;
  for (size_t i = 1; i < stacks->tree.n_frames; i++) {
    const struct stack_frame *const leaf = &stacks->tree.frames[i];
    const uint64_t time = in_units(page, leaf->ticks);
    if (time == 0)
      continue;
    if (!leaf->is_cut && leaf->i_symbol != PROFILE_NONE) {
      page->ticks[leaf->i_symbol] -= leaf->ticks;
      page->place_ticks[leaf->i_place] -= leaf->ticks;
    }
    export_stacks_find_path(stacks, i);
    for (size_t k = 0; k < stacks->n_path; k++) {
      const uint32_t i_frame = stacks->path[k];
      const struct stack_frame *const frame = &stacks->tree.frames[i_frame];
      const char *const name = export_stacks_name(stacks, i_frame);
      page->locations[stacks->n_path - 1 - k] =
          frame->is_cut ? put_no_function(page, none.cut, name, &none.has_cut)
          : frame->i_symbol == PROFILE_NONE
              ? put_no_function(page, none.unknown, name, &none.has_unknown)
              : location_of(page, frame->i_place);
    }
    put_sample(page, stacks->n_path, 0, time);
  }
  return 0;
}

/** If only some samples have a stack, a function's self time in stacks is less
 * exact than in bins: too much for some, too little for others. Scale the rest
 * so that its sum is the time that is in no stack. */
static void adjust_rest(struct page *page) {
  const size_t n_symbols = page->program->profile.symtab->n_symbols;
  double rest = 0, wanted = 0;
  for (size_t i = 0; i < n_symbols; i++) {
    rest += page->ticks[i];
    wanted += fmax(page->ticks[i], 0);
  }
  const double part = wanted > 0 ? fmax(rest, 0) / wanted : 0;
  for (size_t i = 0; i < n_symbols; i++)
    page->ticks[i] *= part;
  for (size_t i = 0; i < page->places.n_places; i++)
    page->place_ticks[i] *= part;
}

/** Write self time of functions that is in no stack. Its lines share it in
 * proportion to bins. Each share is the rounded sum up to it, less the shares
 * before, so that the shares add up. */
static int put_times(struct page *page, struct err *err) {
  const size_t n_symbols = page->program->profile.symtab->n_symbols;
  double *const sums = calloc(n_symbols + 1, sizeof(*sums));
  double *const sums_up_to = calloc(n_symbols + 1, sizeof(*sums_up_to));
  uint64_t *const times_before = calloc(n_symbols + 1, sizeof(*times_before));
  const bool is_ready = sums && sums_up_to && times_before;
  const struct code_place *const places = page->places.places;
  for (size_t i = 0; is_ready && i < page->places.n_places; i++)
    if (page->place_ticks[i] > 0)
      sums[places[i].i_symbol] += page->place_ticks[i];
  for (size_t i = 0; is_ready && i < page->places.n_places; i++) {
    const uint32_t i_symbol = places[i].i_symbol;
    const double all = page->ticks[i_symbol], sum = sums[i_symbol];
    const bool is_whole = sum <= 0 && i == i_symbol;
    if (!is_whole && page->place_ticks[i] <= 0)
      continue;
    sums_up_to[i_symbol] += page->place_ticks[i];
    const uint64_t upto =
        in_units(page, is_whole ? all : all * (sums_up_to[i_symbol] / sum));
    const uint64_t time = upto - times_before[i_symbol];
    times_before[i_symbol] = upto;
    if (time == 0)
      continue;
    page->locations[0] = location_of(page, (uint32_t)i);
    put_sample(page, 1, 0, time);
  }
  free(sums);
  free(sums_up_to);
  free(times_before);
  return is_ready ? 0 : err_no_memory(err);
}

/** Find all places; no place is added later. stacks: may be empty. */
static int find_places(struct page *page, struct export_stacks *stacks,
                       struct err *err) {
  const struct graph_profile *const program = page->program;
  struct code_places *const places = &page->places;
  const struct stack_places within = {code_places_find, places};
  const size_t n_symbols = program->profile.symtab->n_symbols;
  if (code_places_init(places, program, err) ||
      code_places_add_times(places, err) ||
      (program->measured.total_ticks > 0 &&
       export_stacks_init(stacks, program, &within, err)))
    return -1;
  page->has_location =
      calloc(places->n_places + 1, sizeof(*page->has_location));
  page->place_ticks = calloc(places->n_places + 1, sizeof(*page->place_ticks));
  page->ticks = calloc(n_symbols + 1, sizeof(*page->ticks));
  page->locations = calloc(2, sizeof(*page->locations));
  if (!page->has_location || !page->place_ticks || !page->ticks ||
      !page->locations)
    return err_no_memory(err);
  for (size_t i = 0; i < places->n_places; i++)
    page->place_ticks[i] = places->places[i].ticks;
  for (size_t i = 0; i < n_symbols; i++)
    page->ticks[i] = program->profile.counts[i].ticks;
  return 0;
}

int export_pprof(const struct graph_profile *program, FILE *out,
                 struct err *err) {
  const struct name_style style = {.demangle = NAMES_ANY};
  const struct symtab *const symtab = program->profile.symtab;
  const uint32_t rate_hz = program->profile.unit.rate_hz;
  struct page page = {.program = program,
                      .out = out,
                      .unit_per_tick = rate_hz ? 1e9 / rate_hz : 1};
  struct export_stacks stacks = {0};
  if (names_init(&page.names, &style, symtab, err))
    return -1;
  int rc = find_places(&page, &stacks, err);
  if (rc == 0) {
    put_head(&page);
    put_mappings(&page);
    put_calls(&page);
    rc = put_stacks(&page, &stacks, err);
  }
  if (rc == 0) {
    adjust_rest(&page);
    rc = put_times(&page, err);
  }
  if (rc == 0 && page.top.is_failed)
    rc = err_no_memory(err);
  export_stacks_release(&stacks);
  code_places_release(&page.places);
  free(page.has_location);
  free(page.place_ticks);
  free(page.ticks);
  free(page.locations);
  map64_release(&page.functions);
  map64_release(&page.file_strings);
  protobuf_release(&page.top);
  protobuf_release(&page.message);
  protobuf_release(&page.inner);
  names_release(&page.names);
  return rc;
}
