/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "write/side_form.h"

/* A test defines a row. */
#ifndef SIDE_FORM_MORE
#define SIDE_FORM_MORE
#endif

// clang-format off
const struct side_form side_forms[] = {
    {"process", "", SIDE_PROCESS, SIDE_SUM_OWN,
     {{'d', "pid"}, {'s', "name"}}},
    {"processes", "", SIDE_PROCESSES, SIDE_SUM_OWN,
     {{'v', "count"}}},
    {"clock", "", SIDE_CLOCK, SIDE_SUM_OWN,
     {{'s', "dimension"}, {'d', "rate"}}},
    {"object", "", SIDE_OBJECT, SIDE_SUM_OWN,
     {{'n', "n"}, {'b', "build-id"}, {'x', "bias"}, {'l', "file"}, {'s', "path"}}},
    {"cpu", "", SIDE_CPU, SIDE_SUM_LINES,
     {{'v', "user-us"}, {'v', "system-us"}}},
    {"text", "", SIDE_TEXT, SIDE_SUM_LINES,
     {{'o', "object"}, {'x', "low"}, {'h', "high"}}},
    {"time", "", SIDE_TIME, SIDE_SUM_LINES,
     {{'o', "object"}, {'x', "offset"}, {'v', "samples"}}},
    {"kernel", "", SIDE_KERNEL, SIDE_SUM_LINES,
     {{'o', "object"}, {'x', "offset"}, {'v', "samples"}}},
    {"arc", "", SIDE_ARC, SIDE_SUM_LINES,
     {{'o', "caller"}, {'x', "from"}, {'o', "callee"}, {'x', "self"}, {'v', "count"}}},
    {"call", "", SIDE_CALL, SIDE_SUM_LINES,
     {{'o', "caller"}, {'x', "from"}, {'v', "count"}, {'s', "name"}}},
    {"target", "", SIDE_TARGET, SIDE_SUM_LINES,
     {{'o', "caller"}, {'s', "name"}, {'o', "object"}, {'x', "offset"}}},
    {"resolved", "", SIDE_RESOLVED, SIDE_SUM_LINES,
     {{'o', "object"}, {'x', "resolver"}, {'x', "to"}}},
    {"stack-signals", "looks", SIDE_STACK_SIGNALS, SIDE_SUM_LINES,
     {{'v', "count"}}},
    {"stack-squares", "", SIDE_STACK_SQUARES, SIDE_SUM_LINES,
     {{'v', "sum"}}},
    {"sampled", "", SIDE_SAMPLED, SIDE_SUM_LINES,
     {{'v', "count"}}},
    {"lost", "", SIDE_LOST, SIDE_SUM_LINES,
     {{'s', "what"}, {'v', "count"}}},
    {"late-threads", "met", SIDE_LATE_THREADS, SIDE_SUM_LINES,
     {{'v', "threads"}}},
    {"frame", "", SIDE_FRAME, SIDE_SUM_OWN,
     {{'g', "n"}, {'c', "caller"}, {'o', "object"}, {'x', "address"}}},
    {"stack", "", SIDE_STACK, SIDE_SUM_OWN,
     {{'f', "frame"}, {'v', "samples"}}},
    {"thread", "", SIDE_THREAD, SIDE_SUM_NONE,
     {{'d', "tid"}, {'v', "samples"}}},
    {"thread-name", "", SIDE_THREAD_NAME, SIDE_SUM_NONE,
     {{'d', "tid"}, {'s', "name"}}},
    {"began", "", SIDE_BEGAN, SIDE_SUM_NONE,
     {{'d', "ns"}}},
    {"moment", "", SIDE_MOMENT, SIDE_SUM_NONE,
     {{'d', "tid"}, {'w', "width"}, {'p', "period"}, {'c', "frame"}, {'v', "samples"}}},
    SIDE_FORM_MORE
    {.word = ""},
};
// clang-format on

bool side_word_is(struct side_word word, const char *text) {
  size_t i = 0;

  while (i < word.n && text[i] && word.at[i] == text[i])
    i++;
  return i == word.n && !text[i];
}

struct side_word side_next_word(struct side_word *line) {
  struct side_word word = {line->at, 0};

  while (word.n < line->n && word.at[word.n] != ' ')
    word.n++;
  const size_t n_taken = word.n + (word.n < line->n);
  line->at += n_taken;
  line->n -= n_taken;
  return word;
}

static int digit_value(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

bool side_read_number(struct side_word word, unsigned base, uint64_t *out) {
  *out = 0;
  for (size_t i = 0; i < word.n; i++) {
    const unsigned digit = (unsigned)digit_value(word.at[i]);
    if (digit >= base || __builtin_mul_overflow(*out, base, out) ||
        __builtin_add_overflow(*out, digit, out))
      return false;
  }
  return word.n > 0;
}

static bool is_name(struct side_word word) {
  for (size_t i = 0; i < word.n; i++) {
    const unsigned char byte = (unsigned char)word.at[i];
    uint64_t value;
    if (byte <= ' ' || byte == 0x7f)
      return false;
    if (byte != '%')
      continue;
    if (word.n - i < 3 ||
        !side_read_number((struct side_word){word.at + i + 1, 2}, 16, &value) ||
        !value)
      return false;
    i += 2;
  }
  return word.n > 0;
}

static bool has_slash(struct side_word word) {
  for (size_t i = 0; i < word.n; i++)
    if (word.at[i] == '/' ||
        (word.at[i] == '%' && word.at[i + 1] == '2' && word.at[i + 2] == 'f'))
      return true;
  return false;
}

static bool is_build_id(struct side_word word) {
  if (side_word_is(word, "-"))
    return true;
  for (size_t i = 0; i < word.n; i++)
    if (digit_value(word.at[i]) > 15)
      return false;
  return word.n && word.n % 2 == 0 && word.n / 2 <= SIDE_BUILD_ID_BYTES;
}

static enum side_wrong check_word(char type, struct side_word word) {
  if (type == 'b')
    return is_build_id(word) ? SIDE_FINE : SIDE_BAD_BUILD_ID;
  if (!is_name(word))
    return SIDE_BAD_NAME;
  return type == 'l' && has_slash(word) ? SIDE_SLASH : SIDE_FINE;
}

static enum side_wrong read_address(char type, struct side_word word,
                                    uint64_t *out) {
  if (word.n < 3 || word.at[0] != '0' || word.at[1] != 'x' ||
      !side_read_number((struct side_word){word.at + 2, word.n - 2}, 16, out))
    return SIDE_BAD_ADDRESS;
  return type == 'h' && *out <= out[-1] ? SIDE_EMPTY_RANGE : SIDE_FINE;
}

/* Numbers of objects and frames fit into 32 bits, so that readers may store
   them so. */
static enum side_wrong check_number(char type, const uint64_t *at,
                                    size_t n_objects, size_t n_frames) {
  const uint64_t number = *at;

  switch (type) {
  case 'o':
    return number < n_objects ? SIDE_FINE : SIDE_UNKNOWN_OBJECT;
  case 'n':
    return number == n_objects && number < UINT32_MAX ? SIDE_FINE
                                                      : SIDE_OBJECT_ORDER;
  case 'g':
    return number == (uint64_t)n_frames + 1 && number < UINT32_MAX
               ? SIDE_FINE
               : SIDE_FRAME_ORDER;
  case 'c':
    return number <= n_frames ? SIDE_FINE : SIDE_UNKNOWN_CALLER;
  case 'f':
    return number && number <= n_frames ? SIDE_FINE : SIDE_UNKNOWN_FRAME;
  case 'w':
    return number < 64 ? SIDE_FINE : SIDE_BAD_NUMBER;
  case 'p':
    return number < UINT64_MAX >> at[-1] ? SIDE_FINE : SIDE_BAD_NUMBER;
  default:
    return SIDE_FINE;
  }
}

const struct side_form *side_form_find(struct side_word word) {
  for (const struct side_form *form = side_forms; form->word[0]; form++)
    if (side_word_is(word, form->word) ||
        (form->former_word[0] && side_word_is(word, form->former_word)))
      return form;
  return NULL;
}

enum side_wrong side_form_read(const struct side_form *form,
                               struct side_word line, size_t n_objects,
                               size_t n_frames, struct side_values *out) {
  uint64_t *number = out->numbers;
  struct side_word *word = out->words;
  enum side_wrong wrong = SIDE_FINE;

  for (const struct side_field *field = form->fields; field->type && !wrong;
       field++) {
    const struct side_word next = side_next_word(&line);
    if (side_type_is_word(field->type)) {
      *word = next;
      wrong = check_word(field->type, *word++);
    } else if (side_type_is_address(field->type)) {
      wrong = read_address(field->type, next, number++);
    } else {
      wrong = side_read_number(next, 10, number)
                  ? check_number(field->type, number, n_objects, n_frames)
                  : SIDE_BAD_NUMBER;
      number++;
    }
  }
  return wrong;
}
