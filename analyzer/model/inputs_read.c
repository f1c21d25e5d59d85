/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Reads the records of side files: part of inputs.h. */
#include "model/inputs.h"

int inputs_read_side(const struct inputs *inputs, size_t i_side,
                     enum side_kind kind, inputs_take_record *take,
                     void *context, struct err *err) {
  struct side_reader reader;
  struct side_record record;
  int rc = 0;
  side_reader_begin(&reader, &inputs->sides[i_side].bytes, err);
  while (rc == 0 && side_reader_next(&reader, &record))
    if (record.form->kind == kind)
      rc = take(context, i_side, &record, err);
  return side_reader_end(&reader) || rc ? -1 : 0;
}

int inputs_read_sides(const struct inputs *inputs, enum side_kind kind,
                      inputs_take_record *take, void *context,
                      struct err *err) {
  for (size_t i = 0; i < inputs->n_sides; i++)
    if (inputs_read_side(inputs, i, kind, take, context, err))
      return -1;
  return 0;
}
