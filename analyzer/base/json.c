/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/json.h"

#include "base/utf8.h"

#include <inttypes.h>

static void put_string(const char *text, FILE *out) {
  fputc('"', out);
  while (*text) {
    const size_t n = utf8_sequence_bytes(text);
    if (n == 0)
      fputs("\\ufffd", out);
    else if (*text == '"' || *text == '\\')
      fprintf(out, "\\%c", *text);
    else if (n == 1 && *text < 0x20)
      fprintf(out, "\\u%04x", (unsigned)*text);
    else
      fwrite(text, 1, n, out);
    text += n ? n : 1;
  }
  fputc('"', out);
}

static void begin_value(struct json *json, const char *key) {
  if (json->has_elements)
    fputc(',', json->stream);
  if (json->depth > 0)
    fprintf(json->stream, "\n%*s", (int)json->depth, "");
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
  if (json->has_elements)
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
  begin_value(json, key);
  fprintf(json->stream, "%" PRIu64, number);
}

void json_number(struct json *json, const char *key, double number) {
  begin_value(json, key);
  fprintf(json->stream, "%.6f", number);
}

void json_bool(struct json *json, const char *key, bool value) {
  begin_value(json, key);
  fputs(value ? "true" : "false", json->stream);
}
