/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes text and numbers in HTML. Names, paths and source text are untrusted:
 * no byte of them is ever markup.
 */
#ifndef ARCLINE_HTML_TEXT_H
#define ARCLINE_HTML_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct row;

/** Append a text, for an element or a quoted attribute. Bytes that are not
 * UTF-8 become U+FFFD. Characters that are invisible or change the direction of
 * text are written as their number: [U+202E]. */
void html_add(struct row *out, const char *text);

/** The same of a number of bytes; a byte after them may be read. */
void html_add_bytes(struct row *out, const char *bytes, size_t n_bytes);

/** The same for data of a script, which is no markup: "<" and others stay as
 * they are. */
void html_add_data(struct row *out, const char *bytes, size_t n_bytes);

/** Append a number, in groups of three digits: 1,234,567. */
void html_add_number(struct row *out, uint64_t number);

/** Append a time as `arcline annotate` does: seconds with as many decimals as
 * one sample needs, or samples if rate_hz is 0. */
void html_add_time(struct row *out, double n_samples, uint32_t rate_hz);

/** A time in a script's data, in thousandths of samples: whole numbers are
 * short. */
uint64_t html_thousandths(double n_samples);

/** Append a share with one decimal, without a sign. */
void html_add_percent(struct row *out, double part, double whole);
/** Append a part in per cent; 100.0 if it is the whole. */
void html_add_share(struct row *out, size_t part, size_t whole);

/** Append a share as a bar. kind: its class. */
void html_add_bar(struct row *out, double part, double whole, const char *kind);

/** Heat of a value relative to the hottest one: 0 to 6. */
unsigned html_heat(double part, double hottest);

#endif
