/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes the lines of a page of source as data for its script: text, counts,
 * times, functions, and notes of lines. Functions and files are listed once on
 * a page, after the lines that name them.
 */
#ifndef ARCLINE_SOURCE_DATA_H
#define ARCLINE_SOURCE_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct err;
struct html_report;
struct line_facts;
struct source_text;

/**
 * Write them.
 *
 * text           NULL: not found.
 * facts          of the lines, in order.
 * is_in_comment  does the first line begin within one? Set to whether the line
 *                after the last one does.
 *
 * Returns 0; or -1 with *err set (no memory). Errors of writing stay with the
 * stream.
 */
int source_data_write(const struct html_report *report, uint32_t i_file,
                      const struct source_text *text,
                      const struct line_facts *facts, size_t n_facts, FILE *out,
                      bool *is_in_comment, struct err *err);

#endif
