/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * The subcommands. Each gets its own argv (argv[0] is its name), prints its
 * report to stdout and returns an exit code: 0 done, 1 a threshold or a
 * difference; or -1 with *err set. main() prints errors and checks stdout.
 */
#ifndef ARCLINE_COMMANDS_H
#define ARCLINE_COMMANDS_H

struct err;

/** `arcline gprof`: reports in the form of GNU gprof. */
int cmd_gprof(int argc, char **argv, struct err *err);

/** `arcline dump`: the records of a gmon file as text. */
int cmd_dump(int argc, char **argv, struct err *err);

/** `arcline ctl`: commands to a running program. */
int cmd_ctl(int argc, char **argv, struct err *err);

/** `arcline annotate`: source text with counts and times. */
int cmd_annotate(int argc, char **argv, struct err *err);

/** `arcline export`: counts for other programs. */
int cmd_export(int argc, char **argv, struct err *err);

/** `arcline merge`: profiles of many processes, added up. */
int cmd_merge(int argc, char **argv, struct err *err);

/** `arcline recover`: gmon files of a program that was killed. */
int cmd_recover(int argc, char **argv, struct err *err);

#endif
