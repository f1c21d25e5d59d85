/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Searches the index that linkers make of an object's unwind tables,
 * .eh_frame_hdr. Source: LSB Core, "The .eh_frame_hdr section". */
#ifndef ARCLINE_RT_TABLES_H
#define ARCLINE_RT_TABLES_H

#include "unwind/cursor.h"

/** Find the description of the last function that begins at or before pc, whose
 * range need not include pc. Returns its address; 0 if there is none, or no
 * such index. *is_index: there is an index at that address. Runs: hook. */
uint64_t rt_tables_find(struct rt_safe_reader *tables, uint64_t index,
                        uint64_t pc, bool *is_index);

#endif
