/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Prints the statements of docs/FORMAT.md about the layouts in include/arcline
   and the records of side files: a line of text (F) or an extended regular
   expression (E) each, for grep. */
#include <stddef.h>
#include <stdio.h>

#include "arcline/abi.h"
#include "arcline/gmon_format.h"
#include "arcline/image_id.h"
#include "arcline/live_format.h"
#include "write/side_form.h"

static void print_gmon(void) {
  printf("F ### 1.1 Header, %d bytes\n", GMON_HEADER_BYTES);
  printf("F | 0 | char[%d] | `%s` |\n", GMON_MAGIC_BYTES, GMON_MAGIC);
  printf("F | %d | u32 | version: %d |\n", GMON_MAGIC_BYTES, GMON_VERSION);
  printf("F | %d | char[%d] | `%s`: Arcline's mark |\n", GMON_SPARE_OFFSET,
         GMON_ARCLINE_MARK_BYTES, GMON_ARCLINE_MARK);
  printf("F | %d | u8[%d] | the first %d bytes of the image's build-id\n",
         GMON_SPARE_OFFSET + GMON_ARCLINE_MARK_BYTES,
         GMON_ARCLINE_BUILD_ID_BYTES, ARCLINE_IMAGE_ID_BYTES);
  printf("F ### 1.2 Histogram, tag %d\n", GMON_TAG_HISTOGRAM);
  printf("F ### 1.3 Arc, tag %d\n", GMON_TAG_ARC);
  printf("F ### 1.4 Block counts, tag %d\n", GMON_TAG_BLOCKS);
  printf("F | char[%d] dimension |\n", GMON_DIMENSION_BYTES);
  printf("F u32 version (`0x%08x`)\n", GMON_BSD44_MAGIC);
}

static void print_constant_data(void) {
  static const char *const sections[] = {
      ARCLINE_SECTION_CELLS, ARCLINE_SECTION_FUNCS,    ARCLINE_SECTION_BODIES,
      ARCLINE_SECTION_SITES, ARCLINE_SECTION_PLANS,    ARCLINE_SECTION_DATA,
      ARCLINE_SECTION_LINES, ARCLINE_SECTION_SEGMENTS,
  };
  static const struct {
    unsigned flag;
    const char *name;
  } flags[] = {{ARCLINE_FUNC_COMDAT, "COMDAT"},
               {ARCLINE_FUNC_LOCAL, "LOCAL"},
               {ARCLINE_FUNC_ARCS, "ARCS"},
               {ARCLINE_FUNC_WEAK, "WEAK"},
               {ARCLINE_FUNC_MADE, "MADE"}};
  static const struct {
    int kind;
    const char *name;
  } edges[] = {
      {ARCLINE_EDGE_JUMP, "jump"},           {ARCLINE_EDGE_BRANCH, "branch"},
      {ARCLINE_EDGE_RETURN_TO, "return to"}, {ARCLINE_EDGE_ENTRY, "entry"},
      {ARCLINE_EDGE_EXIT, "exit"},           {ARCLINE_EDGE_ABRUPT, "abrupt"},
      {ARCLINE_EDGE_REENTRY, "re-entry"}};

  printf("F Version %d; every function record\n", ARCLINE_ABI_VERSION);
  printf("F | u16 version | %d |\n", ARCLINE_ABI_VERSION);
  printf("F A function record has %zu bytes and\n",
         sizeof(struct arcline_func));
  printf("F its version at offset %zu,\n",
         offsetof(struct arcline_func, version));
  printf("F ### 4.1 Function record, %zu bytes\n", sizeof(struct arcline_func));
  printf("F ### 4.3 Body record, %zu bytes\n", sizeof(struct arcline_body));
  printf("F ### 4.6 Call site record, %zu bytes\n",
         sizeof(struct arcline_site));
  printf("F a head of %zu bytes and\n", sizeof(struct arcline_unit));
  printf("F ### 4.8 Note on a segment register, %zu bytes\n",
         sizeof(struct arcline_segment));
  for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
    printf("F | `%s` |\n", sections[i]);
  for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
    printf("E [Bb]it %d %s: \n", __builtin_ctz(flags[i].flag), flags[i].name);
  for (size_t i = 0; i < sizeof(edges) / sizeof(edges[0]); i++)
    printf("F | %d %s |\n", edges[i].kind, edges[i].name);
  printf("F A number of kind %d is no edge\n", ARCLINE_EDGE_NONE);
  printf("F to << %d | is_next << %d | has_counter << %d | kind\n",
         ARCLINE_EDGE_TO_BITS, __builtin_ctz(ARCLINE_EDGE_IS_NEXT),
         __builtin_ctz(ARCLINE_EDGE_HAS_COUNTER));
}

static void print_live(void) {
  static const struct {
    int kind;
    const char *name;
  } kinds[] = {
      {ARCLINE_LIVE_OBJECT, "object"},     {ARCLINE_LIVE_CELLS, "cells"},
      {ARCLINE_LIVE_ARCS, "arcs"},         {ARCLINE_LIVE_BINS, "bins"},
      {ARCLINE_LIVE_BASELINE, "baseline"}, {ARCLINE_LIVE_EARLY, "early"},
      {ARCLINE_LIVE_CALLEES, "callees"},   {ARCLINE_LIVE_LOADS, "loads"}};

  printf("F pointers of 8 bytes. Version %d. Another version\n",
         ARCLINE_LIVE_VERSION);
  printf("F A head of %u,%03u bytes\n", ARCLINE_LIVE_HEAD_BYTES / 1000,
         ARCLINE_LIVE_HEAD_BYTES % 1000);
  printf("F each at a multiple of %u,%03u\n", ARCLINE_LIVE_ALIGN / 1000,
         ARCLINE_LIVE_ALIGN % 1000);
  printf("F | char[%d] magic | `%s` and NUL\n", ARCLINE_LIVE_MAGIC_BYTES,
         ARCLINE_LIVE_MAGIC);
  printf("F | u32 version, u32 head_bytes | %d, %u |\n", ARCLINE_LIVE_VERSION,
         ARCLINE_LIVE_HEAD_BYTES);
  printf("F | u64 byte_order | 0x%016llx |\n",
         (unsigned long long)ARCLINE_LIVE_BYTE_ORDER);
  printf("F | char[%d] name, char[%d] program |\n", ARCLINE_LIVE_MAX_NAME,
         ARCLINE_LIVE_MAX_NAME);
  printf("F | %u times: | u32 kind, u32 object,\n", ARCLINE_LIVE_MAX_REGIONS);
  printf("F | %d, %d | none (yet); free |\n", ARCLINE_LIVE_NONE,
         ARCLINE_LIVE_FREE);
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
    printf("F | %d %s |\n", kinds[i].kind, kinds[i].name);
  printf("F then u8 per %d bins\n", ARCLINE_LIVE_CHUNK_BINS);
}

/* Its row in part 5, with as many words, and its line in part 3. */
static void print_side_record(const struct side_form *form) {
  printf("E ^\\| `%s`", form->word);
  for (const struct side_field *field = form->fields; field->type; field++)
    printf(" [A-Z_]+");
  printf(" \\| \n");
  printf("E ^%s", form->word);
  for (const struct side_field *field = form->fields; field->type; field++)
    printf(" %s=%s", field->name,
           side_type_is_address(field->type) ? "0x[0-9a-f]+"
           : side_type_is_word(field->type)  ? "[^ ]+"
                                             : "[0-9]+");
  printf("$\n");
}

int main(void) {
  print_gmon();
  print_constant_data();
  print_live();
  for (const struct side_form *form = side_forms; form->word[0]; form++)
    print_side_record(form);
  return 0;
}
