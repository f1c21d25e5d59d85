/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Functions, their times and calls as JSON; docs/JSON.md. */
#ifndef ARCLINE_EXPORT_JSON_H
#define ARCLINE_EXPORT_JSON_H

#include <stdio.h>

struct err;
struct graph_profile;

/** Write a program of which the call graph is built. out: the caller checks it
 * for errors. Returns 0, or -1 with *err set (no memory). */
int export_json(const struct graph_profile *program, FILE *out,
                struct err *err);

#endif
