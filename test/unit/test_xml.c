/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* XML: elements, attributes, and texts of any bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/xml.h"

static char *text;
static size_t n_text;

static struct xml begin(void) {
  struct xml xml = {.stream = open_memstream(&text, &n_text)};

  assert_non_null(xml.stream);
  return xml;
}

static void expect(struct xml *xml, const char *expected) {
  fclose(xml->stream);
  assert_string_equal(text, expected);
  free(text);
}

static void elements_are_closed(void **state) {
  struct xml xml = begin();

  (void)state;
  xml_document(&xml, "a", "a.dtd");
  xml_begin(&xml, "a");
  xml_integer(&xml, "n", UINT64_MAX);
  xml_begin(&xml, "b");
  xml_end(&xml, "b");
  xml_text_element(&xml, "c", "d");
  xml_begin(&xml, "e");
  xml_text(&xml, "f", "");
  xml_end(&xml, "e");
  xml_end(&xml, "a");
  expect(&xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<!DOCTYPE a SYSTEM \"a.dtd\">\n"
               "<a n=\"18446744073709551615\">\n <b/>\n <c>d</c>\n"
               " <e f=\"\"/>\n</a>\n");
}

static void expect_text(const char *bytes, const char *expected) {
  struct xml xml = begin();
  char *whole;

  xml_text(&xml, "t", bytes);
  assert_true(asprintf(&whole, " t=\"%s\"", expected) > 0);
  expect(&xml, whole);
  free(whole);
}

static void texts_are_valid(void **state) {
  (void)state;
  expect_text("operator<(a&&, \"b\")>",
              "operator&#60;(a&#38;&#38;, &#34;b&#34;)&#62;");
  expect_text("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\x7f",
              "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\x7f");
  // Not characters of XML: control characters, two noncharacters.
  expect_text("a\n\x1b\xef\xbf\xbf"
              "b\xef\xbf\xbd",
              "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
              "b\xef\xbf\xbd");
  // Not UTF-8: a single byte, a cut sequence, half of a pair.
  expect_text("\xff\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  expect_text("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements_are_closed),
      cmocka_unit_test(texts_are_valid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
