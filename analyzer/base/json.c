/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/json.h"

#include "base/utf8.h"

#include <stddef.h>

/** Are these bytes of a text written as they are? 0: not all of the character.
 */
static size_t plain_bytes(const char *text) {
  const bool is_special =
      *text == '"' || *text == '\\' || (*text > 0 && *text < 0x20);
  return is_special ? 0 : utf8_sequence_bytes(text);
}

static void put_string(const char *text, FILE *out) {
  fputc('"', out);
  while (*text) {
    const char *const first = text;
    for (size_t n; *text && (n = plain_bytes(text)) > 0;)
      text += n;
    fwrite(first, 1, (size_t)(text - first), out);
    if (!*text)
      break;
    if (utf8_sequence_bytes(text) == 0)
      fputs("\\ufffd", out);
    else if (*text == '"' || *text == '\\')
      fprintf(out, "\\%c", *text);
    else
      fprintf(out, "\\u%04x", (unsigned)*text);
    text++;
  }
  fputc('"', out);
}

/** Begin a line of its own, if the form has one here. */
static void begin_line(const struct json *json) {
  if (json->depth > 0 && (!json->is_flat || json->depth == 1))
    fprintf(json->stream, "\n%*s", (int)json->depth, "");
}

static void begin_value(struct json *json, const char *key) {
  if (json->has_elements)
    fputc(',', json->stream);
  begin_line(json);
  json->has_elements = true;
  if (!key)
    return;
  put_string(key, json->stream);
  fputs(": ", json->stream);
}

static void begin(struct json *json, const char *key, char bracket) {
  begin_value(json, key);
  fputc(bracket, json->stream);
  json->depth++;
  json->has_elements = false;
}

static void end(struct json *json, char bracket) {
  json->depth--;
  if (json->has_elements && (!json->is_flat || json->depth == 0))
    fprintf(json->stream, "\n%*s", (int)json->depth, "");
  fputc(bracket, json->stream);
  json->has_elements = true;
  if (json->depth == 0)
    fputc('\n', json->stream);
}

void json_object_begin(struct json *json, const char *key) {
  begin(json, key, '{');
}

void json_object_end(struct json *json) { end(json, '}'); }

void json_array_begin(struct json *json, const char *key) {
  begin(json, key, '[');
}

void json_array_end(struct json *json) { end(json, ']'); }

void json_text(struct json *json, const char *key, const char *text) {
  begin_value(json, key);
  put_string(text, json->stream);
}

void json_integer(struct json *json, const char *key, uint64_t number) {
  char digits[20]; // of UINT64_MAX; fprintf() took most of the time of data
  size_t first = sizeof(digits);

  begin_value(json, key);
  do {
    digits[--first] = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  fwrite(digits + first, 1, sizeof(digits) - first, json->stream);
}

void json_number(struct json *json, const char *key, double number) {
  begin_value(json, key);
  fprintf(json->stream, "%.6f", number);
}

void json_bool(struct json *json, const char *key, bool value) {
  begin_value(json, key);
  fputs(value ? "true" : "false", json->stream);
}

void json_null(struct json *json, const char *key) {
  begin_value(json, key);
  fputs("null", json->stream);
}
