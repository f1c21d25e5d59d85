/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/dump_side.h"

#include "gmon/side_read.h"

#include <inttypes.h>

static void print_record(const struct side_record *record, FILE *out) {
  const uint64_t *number = record->values.numbers;
  const struct side_word *word = record->values.words;

  fputs(record->form->word, out);
  for (const struct side_field *field = record->form->fields; field->type;
       field++) {
    fprintf(out, " %s=", field->name);
    if (side_type_is_word(field->type)) {
      fwrite(word->at, 1, word->n, out);
      word++;
    } else if (side_type_is_address(field->type)) {
      fprintf(out, "0x%" PRIx64, *number++);
    } else {
      fprintf(out, "%" PRIu64, *number++);
    }
  }
  fputc('\n', out);
}

int dump_side(const struct gmon_file *file, FILE *out, struct err *err) {
  struct side_reader reader;
  struct side_record record;

  side_reader_begin(&reader, file, err);
  if (!reader.has_failed)
    fputs("side version=1\n", out);
  while (side_reader_next(&reader, &record))
    print_record(&record, out);
  if (side_reader_end(&reader))
    return -1;
  fputs("end\n", out);
  return 0;
}
