/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes XML 1.0 in UTF-8, element by element. Errors stay with the stream.
 */
#ifndef ARCLINE_XML_H
#define ARCLINE_XML_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/** Writing position. */
struct xml {
  FILE *stream;
  unsigned depth;
  bool is_tag_open; /* attributes may follow */
};

/** Write the declaration and the type of the document; dtd: NULL: it has none.
 */
void xml_document(struct xml *xml, const char *root, const char *dtd);

/* Names of elements and attributes are neither copied nor escaped. */
void xml_begin(struct xml *xml, const char *element);
void xml_end(struct xml *xml, const char *element);
/** Attributes of the element that was begun last, before anything in it. Bytes
 * that are not UTF-8 or no character of XML become U+FFFD. */
void xml_text(struct xml *xml, const char *attribute, const char *text);
void xml_integer(struct xml *xml, const char *attribute, uint64_t number);
/** An element that contains only a text. */
void xml_text_element(struct xml *xml, const char *element, const char *text);
/** A line of text in the element that was begun last. */
void xml_line(struct xml *xml, const char *text);

#endif
