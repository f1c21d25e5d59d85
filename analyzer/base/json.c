/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/json.h"

#include <inttypes.h>
#include <string.h>

/** Bytes of the UTF-8 sequence at text; 0: it is none. Source: RFC 3629. */
static size_t sequence_bytes(const unsigned char *text) {
  const unsigned char first = text[0];
  const size_t n = first < 0x80                    ? 1
                   : first >= 0xc2 && first < 0xe0 ? 2
                   : first >= 0xe0 && first < 0xf0 ? 3
                   : first >= 0xf0 && first < 0xf5 ? 4
                                                   : 0;
  for (size_t i = 1; i < n; i++)
    if ((text[i] & 0xc0) != 0x80)
      return 0;
  // Too long for what they say, halves of pairs, and beyond the last one.
  const bool is_wrong =
      (first == 0xe0 && text[1] < 0xa0) || (first == 0xed && text[1] >= 0xa0) ||
      (first == 0xf0 && text[1] < 0x90) || (first == 0xf4 && text[1] >= 0x90);
  return is_wrong ? 0 : n;
}

static void put_string(const char *text, FILE *out) {
  const unsigned char *at = (const unsigned char *)text;

  fputc('"', out);
  while (*at) {
    const size_t n = sequence_bytes(at);
    if (n == 0)
      fputs("\\ufffd", out);
    else if (*at == '"' || *at == '\\')
      fprintf(out, "\\%c", *at);
    else if (*at < 0x20)
      fprintf(out, "\\u%04x", *at);
    else
      fwrite(at, 1, n, out);
    at += n ? n : 1;
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
