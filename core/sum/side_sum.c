/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Adds up two side files: sorts the lines of both in one list, so that lines
   about the same thing are adjacent. */
#include "sum/side_lines.h"
#include "write/side_text.h"

/* The contents of two files, and room to sort them. */
struct sides {
  struct side_lines files[2];
  size_t n_objects, n_lines, n_frames; /* of both */
  const void **items, **scratch;       /* as many as there are of any */
  size_t *n_at_depth;                  /* frames */
  const struct sum_side_options *options;
  struct write_sink *sink;
};

typedef int compare(const void *a, const void *b);

static uint64_t saturating(uint64_t a, uint64_t b) {
  uint64_t sum;

  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* Sorts the items by merging, from pairs up; equal ones keep their order. */
static void sort(const void **items, const void **scratch, size_t n,
                 compare *order) {
  for (size_t width = 1; width < n; width *= 2) {
    for (size_t low = 0; low < n; low += 2 * width) {
      const size_t middle = n - low < width ? n : low + width;
      const size_t high = n - low < 2 * width ? n : low + 2 * width;
      size_t left = low, right = middle;
      for (size_t i = low; i < high; i++)
        scratch[i] = left < middle && (right == high ||
                                       order(items[left], items[right]) <= 0)
                         ? items[left++]
                         : items[right++];
    }
    for (size_t i = 0; i < n; i++)
      items[i] = scratch[i];
  }
}

static void put_word(struct write_sink *sink, struct side_word word) {
  write_side_text(sink, " ");
  write_sink_put(sink, word.at, word.n);
}

// --- Objects ---

static bool is_none(struct side_word word) { return side_word_is(word, "-"); }

/* The identity of an object; files in other folders are the same file. */
static int compare_objects(const void *left, const void *right) {
  const struct side_object_line *a = left, *b = right;

  if (a->is_first != b->is_first)
    return a->is_first ? -1 : 1;
  if (is_none(a->object.file) != is_none(b->object.file))
    return is_none(b->object.file) ? -1 : 1;
  const int order = sum_compare_words(a->object.build_id, b->object.build_id);
  return order || !is_none(a->object.build_id)
             ? order
             : sum_compare_words(a->object.path, b->object.path);
}

static struct side_word least(struct side_word a, struct side_word b) {
  return sum_compare_words(a, b) <= 0 ? a : b;
}

static void put_object(const struct sides *sides, size_t i_sum,
                       const struct sum_object *object) {
  struct write_sink *const sink = sides->sink;

  write_side_text(sink, "object");
  write_side_number(sink, i_sum);
  put_word(sink, object->build_id);
  write_side_address(sink, 0);
  if (sides->options->put_file && !is_none(object->file))
    sides->options->put_file(sides->options->context, object, sink);
  else
    put_word(sink, object->file);
  put_word(sink, object->path);
  write_side_text(sink, "\n");
}

static void put_objects(const struct sides *sides) {
  const void **const items = sides->items;
  const size_t n = sides->n_objects;
  uint32_t n_sum = 0;

  for (size_t i_file = 0, i = 0; i_file < 2; i_file++)
    for (size_t j = 0; j < sides->files[i_file].n_objects; j++)
      items[i++] = &sides->files[i_file].objects[j];
  sort(items, sides->scratch, n, compare_objects);
  for (size_t i = 0; i < n; n_sum++) {
    const void *const first = items[i];
    struct sum_object object = ((const struct side_object_line *)first)->object;
    for (; i < n && compare_objects(first, items[i]) == 0; i++) {
      struct side_object_line *line = (struct side_object_line *)items[i];
      object.path = least(object.path, line->object.path);
      object.file = least(object.file, line->object.file);
      line->i_sum = n_sum;
    }
    put_object(sides, n_sum, &object);
  }
}

// --- Lines that are identified by their words ---

static int compare_lines(const void *left, const void *right) {
  const struct side_line *a = left, *b = right;
  size_t i = 0;

  if (a->form != b->form)
    return a->form < b->form ? -1 : 1;
  for (const struct side_field *field = a->form->fields; field->type; field++) {
    if (side_type_is_word(field->type))
      continue;
    if (field->type != 'v' && a->numbers[i] != b->numbers[i])
      return a->numbers[i] < b->numbers[i] ? -1 : 1;
    i++;
  }
  return sum_compare_words(a->name, b->name);
}

/* Objects of the line get their numbers in the sum. */
static void renumber(const struct side_lines *file, struct side_line *line) {
  uint64_t *number = line->numbers;

  for (const struct side_field *field = line->form->fields; field->type;
       field++) {
    if (field->type == 'o')
      *number = file->objects[*number].i_sum;
    number += !side_type_is_word(field->type);
  }
}

static void add_values(struct side_line *sum, const struct side_line *line) {
  size_t i = 0;

  for (const struct side_field *field = sum->form->fields; field->type;
       field++) {
    if (field->type == 'v')
      sum->numbers[i] = saturating(sum->numbers[i], line->numbers[i]);
    i += !side_type_is_word(field->type);
  }
}

static void put_line(struct write_sink *sink, const struct side_line *line) {
  const uint64_t *number = line->numbers;

  write_side_text(sink, line->form->word);
  for (const struct side_field *field = line->form->fields; field->type;
       field++)
    if (side_type_is_word(field->type))
      put_word(sink, line->name);
    else if (side_type_is_address(field->type))
      write_side_address(sink, *number++);
    else
      write_side_number(sink, *number++);
  write_side_text(sink, "\n");
}

static void put_lines(const struct sides *sides) {
  const void **const items = sides->items;
  const size_t n = sides->n_lines;

  for (size_t i_file = 0, i = 0; i_file < 2; i_file++)
    for (size_t j = 0; j < sides->files[i_file].n_lines; j++) {
      renumber(&sides->files[i_file], &sides->files[i_file].lines[j]);
      items[i++] = &sides->files[i_file].lines[j];
    }
  sort(items, sides->scratch, n, compare_lines);
  for (size_t i = 0; i < n;) {
    struct side_line sum = *(const struct side_line *)items[i];
    while (++i < n && compare_lines(&sum, items[i]) == 0)
      add_values(&sum, items[i]);
    put_line(sides->sink, &sum);
  }
}

// --- Call stacks ---

static uint32_t caller_of(const struct side_frame *frame) {
  return frame->caller ? frame->caller->i_sum : 0;
}

/* Of equal depth, when their callers have their numbers. */
static int compare_frames(const void *left, const void *right) {
  const struct side_frame *a = left, *b = right;

  if (caller_of(a) != caller_of(b))
    return caller_of(a) < caller_of(b) ? -1 : 1;
  if (a->i_object != b->i_object)
    return a->i_object < b->i_object ? -1 : 1;
  return (a->address > b->address) - (a->address < b->address);
}

/* Lists the frames by depth. n_at_depth is then the end of those of a depth. */
static void list_frames(const struct sides *sides) {
  size_t *const n_at_depth = sides->n_at_depth;
  size_t n = 0;

  for (size_t i = 0; i <= sides->n_frames; i++)
    n_at_depth[i] = 0;
  for (size_t i_file = 0; i_file < 2; i_file++)
    for (size_t i = 0; i < sides->files[i_file].n_frames; i++)
      n_at_depth[sides->files[i_file].frames[i].depth]++;
  for (size_t i = 0; i <= sides->n_frames; i++) {
    const size_t first = n;
    n += n_at_depth[i];
    n_at_depth[i] = first;
  }
  for (size_t i_file = 0; i_file < 2; i_file++)
    for (size_t i = 0; i < sides->files[i_file].n_frames; i++) {
      const struct side_lines *const file = &sides->files[i_file];
      struct side_frame *const frame = &file->frames[i];
      frame->i_object = file->objects[frame->i_object].i_sum;
      sides->items[n_at_depth[frame->depth]++] = frame;
    }
}

/* Puts frames of one depth; equal ones become one. */
static uint32_t put_level(const struct sides *sides, size_t first, size_t end,
                          uint32_t n_sum) {
  const void **const items = sides->items;
  struct write_sink *const sink = sides->sink;

  sort(items + first, sides->scratch, end - first, compare_frames);
  for (size_t i = first; i < end;) {
    struct side_frame *const sum = (struct side_frame *)items[i];
    n_sum++;
    sum->i_sum = n_sum;
    while (++i < end && compare_frames(sum, items[i]) == 0) {
      struct side_frame *const more = (struct side_frame *)items[i];
      more->i_sum = n_sum;
      sum->n_samples = saturating(sum->n_samples, more->n_samples);
      more->n_samples = 0;
    }
    write_side_text(sink, "frame");
    write_side_number(sink, n_sum);
    write_side_number(sink, caller_of(sum));
    write_side_number(sink, sum->i_object);
    write_side_address(sink, sum->address);
    write_side_text(sink, "\n");
  }
  return n_sum;
}

static void put_stacks(const struct sides *sides) {
  struct write_sink *const sink = sides->sink;
  uint32_t n_sum = 0;

  list_frames(sides);
  for (size_t depth = 0, first = 0; first < sides->n_frames; depth++) {
    n_sum = put_level(sides, first, sides->n_at_depth[depth], n_sum);
    first = sides->n_at_depth[depth];
  }
  // In the order of their numbers.
  for (size_t i = 0; i < sides->n_frames; i++) {
    const struct side_frame *const frame = sides->items[i];
    if (!frame->n_samples)
      continue;
    write_side_text(sink, "stack");
    write_side_number(sink, frame->i_sum);
    write_side_number(sink, frame->n_samples);
    write_side_text(sink, "\n");
  }
}

// --- Whole files ---

static void put_process(const struct sides *sides) {
  const struct side_lines *const a = &sides->files[0], *const b = a + 1;
  struct write_sink *const sink = sides->sink;

  write_side_begin(sink);
  write_side_text(sink, "process 0");
  put_word(sink, !a->program.n   ? b->program
                 : !b->program.n ? a->program
                                 : least(a->program, b->program));
  write_side_text(sink, "\nprocesses");
  write_side_number(sink, saturating(a->n_processes, b->n_processes));
  write_side_text(sink, "\nclock");
  put_word(sink, a->dimension.n ? a->dimension : b->dimension);
  write_side_number(sink, a->dimension.n ? a->rate_hz : b->rate_hz);
  write_side_text(sink, "\n");
}

/* Is it the same program in both, and sampled alike? */
static bool check(const struct sum_file files[2], const struct sides *sides,
                  struct sum_flaw *flaw) {
  const struct side_lines *const a = &sides->files[0], *const b = a + 1;

  if (a->n_objects && b->n_objects &&
      compare_objects(&a->objects[0], &b->objects[0]))
    *flaw = (struct sum_flaw){SUM_OTHER_IMAGE, 1, 0};
  else if (a->dimension.n && b->dimension.n &&
           (sum_compare_words(a->dimension, b->dimension) ||
            a->rate_hz != b->rate_hz))
    *flaw = (struct sum_flaw){SUM_OTHER_UNIT, 1, 0};
  for (size_t i = 0; i < 2 && !flaw->reason; i++)
    if (files[i].n_bytes &&
        (!sides->files[i].program.n || !sides->files[i].dimension.n))
      *flaw = (struct sum_flaw){SUM_MALFORMED, i, 0};
  return !flaw->reason;
}

static size_t max_of(size_t a, size_t b) { return a > b ? a : b; }

/* Gives each file its part of the memory, in order of alignment. */
static void divide(struct sides *sides, uint8_t *memory, size_t n_items) {
  sides->items = (const void **)memory;
  sides->scratch = sides->items + n_items;
  sides->n_at_depth = (size_t *)(sides->scratch + n_items);
  memory = (uint8_t *)(sides->n_at_depth + sides->n_frames + 1);
  for (size_t i = 0; i < 2; i++) {
    struct side_lines *const file = &sides->files[i];
    file->objects = (struct side_object_line *)memory;
    file->lines = (struct side_line *)(file->objects + file->n_objects);
    file->frames = (struct side_frame *)(file->lines + file->n_lines);
    memory = (uint8_t *)(file->frames + file->n_frames);
  }
}

int sum_side(const struct sum_file files[2],
             const struct sum_side_options *options, struct write_sink *sink,
             struct sum_flaw *flaw) {
  struct sides sides = {.options = options, .sink = sink};

  *flaw = (struct sum_flaw){0};
  for (size_t i = 0; i < 2; i++) {
    sum_side_count(&files[i], &sides.files[i]);
    sides.n_objects += sides.files[i].n_objects;
    sides.n_lines += sides.files[i].n_lines;
    sides.n_frames += sides.files[i].n_frames;
  }
  const size_t n_items =
      max_of(max_of(sides.n_objects, sides.n_lines), sides.n_frames);
  const size_t n_bytes = 2 * n_items * sizeof(*sides.items) +
                         (sides.n_frames + 1) * sizeof(*sides.n_at_depth) +
                         sides.n_objects * sizeof(struct side_object_line) +
                         sides.n_lines * sizeof(struct side_line) +
                         sides.n_frames * sizeof(struct side_frame);
  uint8_t *const memory = options->memory.alloc(n_bytes);
  if (!memory) {
    flaw->reason = SUM_NO_MEMORY;
    return -1;
  }
  divide(&sides, memory, n_items);
  int rc = 0;
  sides.n_objects = sides.n_lines = sides.n_frames = 0;
  for (size_t i = 0; i < 2 && !rc; i++) {
    rc = sum_side_read(&files[i], i, &sides.files[i], flaw);
    sides.n_objects += sides.files[i].n_objects;
    sides.n_lines += sides.files[i].n_lines;
    sides.n_frames += sides.files[i].n_frames;
  }
  if (!rc && check(files, &sides, flaw) &&
      (files[0].n_bytes || files[1].n_bytes)) {
    put_process(&sides);
    put_objects(&sides);
    put_lines(&sides);
    put_stacks(&sides);
    write_side_end(sink);
    if (sink->error)
      flaw->reason = SUM_CANNOT_WRITE;
  }
  options->memory.free(memory, n_bytes);
  return flaw->reason ? -1 : 0;
}
