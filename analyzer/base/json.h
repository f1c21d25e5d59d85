/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes JSON (RFC 8259), value by value. Errors stay with the stream.
 */
#ifndef ARCLINE_JSON_H
#define ARCLINE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/** Writing position. */
struct json {
  FILE *stream;
  unsigned depth;
  bool has_elements; /* the innermost object or array: a comma comes next */
  bool is_flat; /* only members of the outermost one have their own lines */
};

/* key: of a member of an object; NULL: in an array, or the whole text. Not
   copied. The end of the outermost object or array ends its line, too. */
void json_object_begin(struct json *json, const char *key);
void json_object_end(struct json *json);
void json_array_begin(struct json *json, const char *key);
void json_array_end(struct json *json);
/** Bytes that are not UTF-8 become U+FFFD. */
void json_text(struct json *json, const char *key, const char *text);
void json_integer(struct json *json, const char *key, uint64_t number);
/** Six digits after the decimal point. */
void json_number(struct json *json, const char *key, double number);
void json_null(struct json *json, const char *key);
void json_bool(struct json *json, const char *key, bool value);

#endif
