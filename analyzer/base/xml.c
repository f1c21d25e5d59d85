/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/xml.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <string.h>

/** Is a sequence of UTF-8 a character of XML? Blanks other than the space are
 * not: readers turn them into spaces. */
static bool is_character(const char *text, size_t n) {
  const unsigned char first = (unsigned char)text[0];
  if (n == 1)
    return first >= 0x20;
  return n != 3 || (memcmp(text, "\xef\xbf\xbe", 3) != 0 &&
                    memcmp(text, "\xef\xbf\xbf", 3) != 0);
}

static void put_text(const char *text, FILE *out) {
  while (*text) {
    const size_t n = utf8_sequence_bytes(text);
    if (n == 0 || !is_character(text, n))
      fputs(UTF8_REPLACEMENT, out);
    else if (strchr("&<>\"", *text))
      fprintf(out, "&#%d;", *text);
    else
      fwrite(text, 1, n, out);
    text += n ? n : 1;
  }
}

static void close_tag(struct xml *xml) {
  if (xml->is_tag_open)
    fputs(">\n", xml->stream);
  xml->is_tag_open = false;
}

void xml_document(struct xml *xml, const char *root, const char *dtd) {
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", xml->stream);
  if (dtd)
    fprintf(xml->stream, "<!DOCTYPE %s SYSTEM \"%s\">\n", root, dtd);
}

void xml_begin(struct xml *xml, const char *element) {
  close_tag(xml);
  fprintf(xml->stream, "%*s<%s", (int)xml->depth, "", element);
  xml->depth++;
  xml->is_tag_open = true;
}

void xml_end(struct xml *xml, const char *element) {
  xml->depth--;
  if (xml->is_tag_open)
    fputs("/>\n", xml->stream);
  else
    fprintf(xml->stream, "%*s</%s>\n", (int)xml->depth, "", element);
  xml->is_tag_open = false;
}

void xml_text(struct xml *xml, const char *attribute, const char *text) {
  fprintf(xml->stream, " %s=\"", attribute);
  put_text(text, xml->stream);
  fputc('"', xml->stream);
}

void xml_integer(struct xml *xml, const char *attribute, uint64_t number) {
  fprintf(xml->stream, " %s=\"%" PRIu64 "\"", attribute, number);
}

void xml_text_element(struct xml *xml, const char *element, const char *text) {
  close_tag(xml);
  fprintf(xml->stream, "%*s<%s>", (int)xml->depth, "", element);
  put_text(text, xml->stream);
  fprintf(xml->stream, "</%s>\n", element);
}

void xml_line(struct xml *xml, const char *text) {
  close_tag(xml);
  put_text(text, xml->stream);
  fputc('\n', xml->stream);
}
