/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "gprof/explain.h"

void explain_flat(FILE *out) {
  fputs(
      "\n"
      "How to read the flat profile\n\n"
      "One row for each function that was called or took time, the one with "
      "the most\n"
      "self time first. Rows of equal time are sorted by calls, then by "
      "name.\n\n"
      "% time              self time as a percentage of all time in the "
      "profile\n"
      "cumulative seconds  self time of this row and of all rows above it\n"
      "self seconds        time in the function's own code, without its "
      "callees\n"
      "calls               calls by others. Blank if no call was counted: the "
      "function\n"
      "                    was compiled without profiling, or its callers are "
      "not\n"
      "                    known\n"
      "self s/call         self time of one call, on average\n"
      "total s/call        total time of one call, with callees, on average\n\n"
      "The unit of time per call depends on the numbers: ms, us and ns are "
      "1/1000,\n"
      "1/1000000 and 1/1000000000 of a second. Times are estimates: each tick "
      "of the\n"
      "profiling clock takes a sample, which represents all the time since the "
      "previous\n"
      "tick. Calls are exact.\n",
      out);
}

void explain_graph(FILE *out) {
  fputs("\n"
        "How to read the call graph\n\n"
        "Each entry ends with a line of dashes and is about one function: the "
        "one whose\n"
        "line begins with a number in brackets. Its callers are above it, its "
        "callees\n"
        "below it. Entries are sorted by the time of the function and all of "
        "its callees,\n"
        "direct or not.\n\n"
        "On the function's own line:\n"
        "  index     number of the entry, printed after each occurrence of the "
        "name\n"
        "  % time    self and children, as a percentage of all time in the "
        "graph\n"
        "  self      seconds in the function's own code\n"
        "  children  seconds in its callees, direct or not\n"
        "  called    calls by others; after a plus sign, calls by itself\n\n"
        "On a caller's line:\n"
        "  self      seconds of the function's own code due to this caller\n"
        "  children  seconds of the function's callees due to this caller\n"
        "  called    calls by this caller / all calls of the function by "
        "others\n\n"
        "On a callee's line:\n"
        "  self      seconds of the callee's own code due to this function\n"
        "  children  seconds of the callee's callees due to this function\n"
        "  called    calls by this function / all calls of the callee by "
        "others\n\n"
        "Calls are exact; time is propagated to callers as if all calls of a "
        "function took\n"
        "equally long. <spontaneous> represents unknown callers. A number in "
        "parentheses\n"
        "is that of an entry that is not printed.\n\n"
        "Functions that call each other recursively form a cycle. It has an "
        "entry, \"as a\n"
        "whole\", which lists its members: calls from outside of the cycle, "
        "after the plus\n"
        "sign calls among members, and for each member its calls by others and "
        "by itself.\n"
        "Calls within a cycle, and of a function by itself, have no times: "
        "time is not\n"
        "propagated within cycles.\n",
        out);
}

static void explain_bsd_lines(FILE *out) {
  fputs(
      "On the function's own line:\n"
      "  index        number of the entry, printed after each occurrence of "
      "the name\n"
      "  %time        self and descendants, as a percentage of all time in the "
      "graph\n"
      "  self         seconds in the function's own code\n"
      "  descendants  seconds in its callees, direct or not\n"
      "  called       calls by others\n"
      "  +self        after the plus sign, calls by itself\n"
      "  name         of the function, as in the symbol table, with its cycle "
      "if it is\n"
      "               in one\n\n"
      "On a parent's line:\n"
      "  self         seconds of the function's own code due to this parent *\n"
      "  descendants  seconds of the function's descendants due to this parent "
      "*\n"
      "  called       calls by this parent **\n"
      "  /total       all calls of the function by others *\n\n"
      "On a child's line:\n"
      "  self         seconds of the child's own code due to this function *\n"
      "  descendants  seconds of the child's descendants due to this function "
      "*\n"
      "  called       calls by this function **\n"
      "  /total       all calls of the child by others *\n\n"
      "*   blank if both are in the same cycle. If only the child is in a "
      "cycle, the\n"
      "    number is that of the whole cycle.\n"
      "**  0 if no call was counted, but the code contains one: option -c.\n\n"
      "<spontaneous> represents unknown parents. A number in parentheses is "
      "that of an\n"
      "entry that is not printed. Calls are exact; time is propagated to "
      "parents as if\n"
      "all calls of a function took equally long.\n\n",
      out);
}

void explain_bsd_graph(FILE *out) {
  fputs("\n\n\n"
        "call graph profile:\n\n"
        "How to read it\n\n"
        "Each entry ends with a line of dashes and is about one function: the "
        "one whose\n"
        "line begins with a number in brackets. Its parents, the functions "
        "that call it,\n"
        "are above it; its children, the functions that it calls, are below "
        "it. Entries\n"
        "are sorted by self plus descendants.\n\n",
        out);
  explain_bsd_lines(out);
  fputs("Functions that call each other recursively form a cycle. It has an "
        "entry, \"as a\n"
        "whole\", with the total time of its members, calls from outside, and "
        "after the\n"
        "plus sign calls among members; its members follow.\n",
        out);
}

void explain_measured(FILE *out) {
  fputs("\n"
        "How to read it\n\n"
        "  measured     seconds in the function and its callees, measured by "
        "call stacks\n"
        "  +/-          error of that, in 95 % of all cases\n"
        "  propagated   the same, propagated through the call graph as if all "
        "calls of a\n"
        "               function took equally long\n"
        "  *            the two differ by more than chance, and by more than 1 "
        "% of all\n"
        "               time\n",
        out);
}
