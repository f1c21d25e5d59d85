/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Formats names, times and branches for the parts of annotate.h. */
#ifndef ARCLINE_ANNOTATE_PARTS_H
#define ARCLINE_ANNOTATE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct annotate_input;
struct branch_block;
struct condition_count;
struct decision_count;
struct decision_counts;
struct source_text;
struct row;

enum { ANNOTATE_TIME_COLUMNS = 8, ANNOTATE_SHARE_COLUMNS = 6 };

/** Is a byte printed unchanged? Others could control the terminal. */
bool annotate_is_plain(unsigned char byte);

int annotate_count_digits(uint64_t number);

double annotate_percent(double part, double whole);

/** Append a name in full. */
void annotate_add_name(const char *name, struct row *out);

/** Append a time and its share, or blanks. */
void annotate_add_time(const struct annotate_input *input, double n_samples,
                       struct row *out);

void annotate_add_time_head(const struct annotate_input *input,
                            struct row *out);

/** Write the count of each way of a branch, and its share. */
void annotate_write_ways(const struct branch_block *block, const uint64_t *ways,
                         char *out, size_t n_out);

/** Write the title of a decision: how many of its conditions are covered. */
void annotate_write_decision(const struct decision_counts *counts,
                             const struct decision_count *decision, char *out,
                             size_t n_out);

/**
 * Write a condition: of its values, how often it determined the outcome.
 *
 * number  in its decision, from 1.
 * text  of the file that it is in; or NULL.
 */
void annotate_write_condition(const struct condition_count *condition,
                              uint32_t number, const struct source_text *text,
                              char *out, size_t n_out);

#endif
