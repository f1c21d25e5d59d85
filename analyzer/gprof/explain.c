/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "gprof/explain.h"

void explain_flat(FILE *out) {
  fputs(
      "\n"
      "How to read the flat profile\n"
      "\n"
      "One row for each function that was called or took time, the one with "
      "the most\n"
      "self time first. Rows of equal time are sorted by calls, then by name.\n"
      "\n"
      "% time              self time as a percentage of all time in the "
      "profile\n"
      "cumulative seconds  self time of this row and of all rows above it\n"
      "self seconds        time in the function's own code, without what it "
      "calls\n"
      "calls               how often others called it. Blank if no call of it "
      "was\n"
      "                    counted: then it was compiled without profiling, or "
      "its\n"
      "                    caller is not known\n"
      "self s/call         self time of one call, on average\n"
      "total s/call        the same, with the time of everything it calls\n"
      "\n"
      "The unit of time per call is chosen to suit the numbers: ms, us and ns "
      "are the\n"
      "thousandth, millionth and billionth part of a second. Times are "
      "estimates: a\n"
      "sample is taken each time the profiling clock ticks, and stands for all "
      "the\n"
      "time since the tick before. Calls are exact.\n",
      out);
}

void explain_graph(FILE *out) {
  fputs(
      "\n"
      "How to read the call graph\n"
      "\n"
      "Each entry ends with a line of dashes and is about one function: the "
      "one whose\n"
      "line begins with a number in brackets. Above it stand its callers, "
      "below "
      "it what\n"
      "it calls. Entries are sorted by the time of the function and all that "
      "it "
      "calls,\n"
      "directly or not.\n"
      "\n"
      "On the function's own line:\n"
      "  index     number of the entry; follows the function's name wherever "
      "it stands\n"
      "  % time    self and children, as a percentage of all time in the "
      "graph\n"
      "  self      seconds in the function's own code\n"
      "  children  seconds in what it calls, directly or not\n"
      "  called    calls by others; after a plus sign, calls by itself\n"
      "\n"
      "On a caller's line:\n"
      "  self      seconds of the function's own code due to this caller\n"
      "  children  seconds of what the function calls due to this caller\n"
      "  called    calls by this caller / all calls of the function by others\n"
      "\n"
      "On the line of what it calls:\n"
      "  self      seconds of the callee's own code due to this function\n"
      "  children  seconds of what the callee calls due to this function\n"
      "  called    calls by this function / all calls of the callee by others\n"
      "\n"
      "Calls are exact; times of callers are shared out as if all calls of a "
      "function\n"
      "took equally long. <spontaneous> stands for callers that are not known. "
      "A\n"
      "number in parentheses belongs to an entry that was left out.\n"
      "\n"
      "Functions that call one another in a circle are a cycle. It has an "
      "entry, \"as a\n"
      "whole\", which lists its members: calls from outside of the cycle, "
      "after "
      "the plus\n"
      "sign calls among members, and for each member its calls by others and "
      "by "
      "itself.\n"
      "Lines of calls within a cycle, and of a function by itself, have no "
      "times, since\n"
      "time is not passed round in circles.\n",
      out);
}

static void explain_bsd_lines(FILE *out) {
  fputs(
      "On the function's own line:\n"
      "  index        number of the entry; follows the name wherever it "
      "stands\n"
      "  %time        self and descendants, as a percentage of all time in the "
      "graph\n"
      "  self         seconds in the function's own code\n"
      "  descendants  seconds in what it calls, directly or not\n"
      "  called       calls by others\n"
      "  +self        after the plus sign, calls by itself\n"
      "  name         of the function, as in the symbol table, with its cycle "
      "if "
      "it is\n"
      "               in one\n"
      "\n"
      "On a parent's line:\n"
      "  self         seconds of the function's own code due to this parent *\n"
      "  descendants  seconds of what the function calls due to this parent *\n"
      "  called       calls by this parent **\n"
      "  /total       all calls of the function by others *\n"
      "\n"
      "On a child's line:\n"
      "  self         seconds of the child's own code due to this function *\n"
      "  descendants  seconds of what the child calls due to this function *\n"
      "  called       calls by this function **\n"
      "  /total       all calls of the child by others *\n"
      "\n"
      "*   left out if both are in one cycle. If the one that is called is in "
      "a "
      "cycle\n"
      "    and the other is not, it is the whole cycle's.\n"
      "**  0 if no call was counted, but the code has one: option -c.\n"
      "\n"
      "<spontaneous> stands for parents that are not known. A number in "
      "parentheses\n"
      "belongs to an entry that was left out. Calls are exact; times of "
      "parents "
      "are\n"
      "shared out as if all calls of a function took equally long.\n"
      "\n",
      out);
}

void explain_bsd_graph(FILE *out) {
  fputs(
      "\n\n\n"
      "call graph profile:\n"
      "\n"
      "How to read it\n"
      "\n"
      "Each entry ends with a line of dashes and is about one function: the "
      "one whose\n"
      "line begins with a number in brackets. Above it stand its parents, "
      "which "
      "are the\n"
      "functions that call it; below it its children, which it calls. Entries "
      "are\n"
      "sorted by self plus descendants.\n"
      "\n",
      out);
  explain_bsd_lines(out);
  fputs(
      "Functions that call one another in a circle are a cycle. It has an "
      "entry, \"as a\n"
      "whole\", with the members' sum of time, calls from outside, and after "
      "the "
      "plus\n"
      "sign calls among members; below it stand the members with their own.\n",
      out);
}

void explain_measured(FILE *out) {
  fputs(
      "\n"
      "How to read it\n"
      "\n"
      "  measured     seconds in the function and what it called, as samples "
      "found it\n"
      "               among those that were running\n"
      "  +/-          what that may be off by: 19 times of 20 it is less\n"
      "  propagated   the same by the call graph, where a function's time is "
      "shared out\n"
      "               as if all its calls took equally long\n"
      "  *            the two differ by more than chance explains, and by more "
      "than 1 %\n"
      "               of all time\n",
      out);
}
