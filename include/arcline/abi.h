/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * The contract between the pass, the runtime and the analyzer: symbol names,
 * section names and the constant data that the pass leaves in every
 * instrumented object. Layout only; valid C and C++; includes nothing but
 * <stdint.h>. docs/FORMAT.md, "Constant data", is the prose of this page.
 *
 * Flow graph
 * ----------
 * The pass describes each source function by a flow graph. A node is a basic
 * block of the source, cut after every call that may not return. Nodes are
 * numbered from 0 (the entry); one more node, number n_nodes, is EXIT: the
 * world outside of the function. Every way into and out of the function is an
 * edge from or to EXIT, so flow is conserved at every node, EXIT included.
 * Edges without a counter form a spanning tree of the graph, hence all counts
 * follow from the counters by solving the flow equations.
 *
 * Bodies and copies
 * -----------------
 * A *body* is a function as it is left in the code after all inlining. It
 * contains a *copy* of its own source function and of each one that was inlined
 * into it. What a copy counts is counted apart from all other copies, so a
 * graph's counters have a value for each copy: solving the graph with the
 * values of one copy gives the counts of that copy, with the sum over all
 * copies the counts of the source.
 *
 * Cells
 * -----
 * The numbers that the code increments are called cells. Where a body's flow
 * makes one increment follow from others there is no cell for it; the body's
 * *plan*, itself a flow graph, tells how to compute it. The edges of the plan
 * are the increments that the body has or that were left out; a copy's *terms*
 * say which of them make up the value of a graph's counter.
 *
 * Cells of all bodies of one linked object lie in one section. A thread counts
 * in a copy of that section of its own, `bias` bytes away from it; counts made
 * before a thread has one go to the section itself, and so do those that the
 * main thread makes by way of GS. A cell's total is the sum of the section's
 * and of all threads'.
 *
 * Arcs
 * ----
 * A direct call was made as often as its node was run. Of an indirect call the
 * first two callees are kept in the call site's record. Calls of the second one
 * are counted by a cell, calls of any other by __arcline_indirect(), and what
 * remains of the node's count are calls of the first one.
 *
 * Relative fields
 * ---------------
 * A field of type arcline_rel32 holds (address of target) - (address of the
 * field), so that the data needs no run-time relocation.
 */
#ifndef ARCLINE_ABI_H
#define ARCLINE_ABI_H

#include <stdint.h>

/** Version of everything on this page; recorded in every function record. */
#define ARCLINE_ABI_VERSION 8

/* Sections. C identifiers, so that the linker defines __start_ and __stop_. */
#define ARCLINE_SECTION_CELLS "__arcline_cnts"    /* uint64_t[], all zero */
#define ARCLINE_SECTION_FUNCS "__arcline_func"    /* struct arcline_func[] */
#define ARCLINE_SECTION_BODIES "__arcline_body"   /* struct arcline_body[] */
#define ARCLINE_SECTION_COPIES "__arcline_copy"   /* struct arcline_copy[] */
#define ARCLINE_SECTION_SITES "__arcline_site"    /* struct arcline_site[] */
#define ARCLINE_SECTION_DATA "__arcline_data"     /* graphs, plans, strings */
#define ARCLINE_SECTION_ADDRS "__arcline_addr"    /* struct arcline_addrs */
#define ARCLINE_SECTION_SEGMENTS "__arcline_segm" /* arcline_segment[] */
#define ARCLINE_SECTION_LINES "__arcline_line"    /* not loaded: lines, files */

/*
 * Symbols that instrumented code uses. All have hidden visibility: each linked
 * object (executable or shared library) has its own.
 *
 *   __thread intptr_t __arcline_bias  distance in bytes from the cell section
 *                                     to this thread's copy; 0 = none yet
 *                                     (initial-exec)
 *   intptr_t __arcline_slot           in code for shared libraries, which does
 *                                     not refer to __arcline_bias: the distance
 *                                     from the thread pointer to a word that is
 *                                     each thread's bias, like that; 0 as long
 *                                     as there is none, and for good where the
 *                                     library gets none
 *   uint8_t __arcline_ready           non-zero once thread-local storage may be
 *                                     touched
 *   __thread uint8_t __arcline_known  non-zero once GS holds the bias of this
 *                                     thread, where code counts by way of it
 *                                     (initial-exec)
 *   void __arcline_attach_thread(void)
 *                                     called when __arcline_known is 0
 *   uint8_t __arcline_threads         its presence makes the linker take what
 *                                     tells of threads that begin
 *   intptr_t __arcline_bias_slow(void)
 *                                     called when __arcline_slot, or
 *                                     __arcline_ready where that may be, or the
 *                                     bias is 0; returns the bias to use for
 *                                     this activation, possibly 0
 *   void __arcline_indirect(struct arcline_site *site, const void *callee)
 *                                     called before an indirect call whose
 *                                     callee is neither site->callee nor
 *                                     site->second
 *   void __arcline_resolver(void)     called first thing in each resolver of an
 *                                     ifunc: in static executables, resolvers
 *                                     run before there is thread-local storage;
 *                                     this provides some that holds zeros
 *   void __arcline_mcount(const void *return_pc, const void *self_pc)
 *                                     counts the arc from the call that returns
 *                                     to return_pc to the function at self_pc
 *   const char __arcline_options[]    what ARCLINE_OPTIONS says unless the
 *                                     environment says otherwise; need not be
 *                                     there
 *   void __arcline_exec(const char *path)
 *                                     called before each function of the exec
 *                                     family and daemon(), which end the
 *                                     process unless they fail; path is the
 *                                     file to run, or null if only that
 *                                     function can find it
 *   void __arcline_exec_with(const char *path, char *const *environment)
 *                                     the same before execve() and execle(),
 *                                     which give the program an environment
 *   void __arcline_before_fork(long number)
 *                                     called before _Fork(), clone() and
 *                                     syscall(), where they may make a process
 *                                     without running handlers of fork();
 *                                     number is the system call's, or -1
 *   void __arcline_after_fork(void)   called after those of them that return
 *                                     in the child
 *
 * __arcline_bias_slow, __arcline_attach_thread, __arcline_indirect and the
 * last four are called by LLVM's convention preserve_most: on x86-64 they
 * preserve all general registers but r11 (and rax, if they return something),
 * on AArch64 x9 to x15 in addition to what the ABI says.
 */
#define ARCLINE_SYM_READY "__arcline_ready"
#define ARCLINE_SYM_BIAS "__arcline_bias"
#define ARCLINE_SYM_SLOT "__arcline_slot"
#define ARCLINE_SYM_BIAS_SLOW "__arcline_bias_slow"
#define ARCLINE_SYM_MCOUNT "__arcline_mcount"
#define ARCLINE_SYM_INDIRECT "__arcline_indirect"
#define ARCLINE_SYM_RESOLVER "__arcline_resolver"
#define ARCLINE_SYM_KNOWN "__arcline_known"
#define ARCLINE_SYM_ATTACH_THREAD "__arcline_attach_thread"
#define ARCLINE_SYM_THREADS "__arcline_threads"
#define ARCLINE_SYM_EXEC "__arcline_exec"
#define ARCLINE_SYM_EXEC_WITH "__arcline_exec_with"
#define ARCLINE_SYM_BEFORE_FORK "__arcline_before_fork"
#define ARCLINE_SYM_AFTER_FORK "__arcline_after_fork"
#define ARCLINE_SYM_OPTIONS "__arcline_options"

typedef int32_t arcline_rel32;

/**
 * One source function, in ARCLINE_SECTION_FUNCS. 8-byte aligned, fixed size.
 * A function in a COMDAT group has one record in the whole program.
 */
struct arcline_func {
  uint64_t id;         /* hash of name, graph, lines and, if local, unit */
  arcline_rel32 graph; /* encoded graph, in ARCLINE_SECTION_DATA */
  uint32_t graph_bytes;
  arcline_rel32 strings; /* NUL-terminated strings; offset 0 is "" */
  uint32_t strings_bytes;
  uint32_t n_counters; /* of the graph */
  uint16_t version;    /* ARCLINE_ABI_VERSION */
  uint16_t flags;      /* enum arcline_func_flags */
};

enum arcline_func_flags {
  ARCLINE_FUNC_COMDAT = 1 << 0, /* may be instantiated in several units */
  ARCLINE_FUNC_LOCAL = 1 << 1,  /* only its unit knows it by its name */
  ARCLINE_FUNC_ARCS = 1 << 2,   /* arcs to it follow from the counts of call
                                   sites; else they are counted by
                                   __arcline_mcount(), or not at all */
  ARCLINE_FUNC_WEAK = 1 << 3,   /* another unit's function of the same name may
                                   be called in its place */
  ARCLINE_FUNC_MADE = 1 << 4,   /* the compiler made it: the source has no such
                                   function */
};

/** A body, in ARCLINE_SECTION_BODIES. 4-byte aligned, fixed size. */
struct arcline_body {
  arcline_rel32 pc;    /* its entry, or 0 */
  arcline_rel32 func;  /* the source function whose own body it is, or 0 */
  arcline_rel32 cells; /* in ARCLINE_SECTION_CELLS, or 0 */
  uint32_t n_cells;
  arcline_rel32 plan;  /* encoded plan, in ARCLINE_SECTION_DATA */
  uint32_t plan_bytes; /* 0: edge i of n_cells is cell i, and the copies have
                          an edge for each counter, one copy after the other */
};

/**
 * A source function's copy in a body, in ARCLINE_SECTION_COPIES. 4-byte
 * aligned, fixed size. The copies of a body follow one another, in the order in
 * which its plan tells of them.
 */
struct arcline_copy {
  arcline_rel32 body;
  arcline_rel32 func;
};

/**
 * An indirect call site of a copy, in ARCLINE_SECTION_SITES. 8-byte aligned,
 * fixed size; written at run time.
 */
struct arcline_site {
  uint64_t callee;    /* pc of the first callee; 0 before the first call */
  uint64_t second;    /* pc of the second callee, or 0 */
  arcline_rel32 copy; /* the struct arcline_copy that it belongs to */
  uint32_t call;      /* index into the call sites of that function's graph */
  arcline_rel32 cell; /* counts calls of the second callee; 0: nothing does */
  uint32_t reserved;  /* 0 */
};

/**
 * The addresses of a source function's nodes in one body, in
 * ARCLINE_SECTION_ADDRS. 4-byte aligned. Behind it follow
 *
 *   arcline_rel32 pcs[n]  where nodes begin. 0 or no address in the text: the
 *                         compiler deleted the block after listing it
 *   n times Z(node - previous node)
 *                         in the order of pcs; "previous" starts at 0
 *   zeros up to a multiple of 4 bytes
 *
 * A node may have no address (its block was merged away) or several (it was
 * inlined or unrolled); all of them stand for the same count.
 */
struct arcline_addrs {
  arcline_rel32 func; /* the struct arcline_func that the nodes belong to */
  uint32_t n;
};

/**
 * A unit with code that counts by way of the segment register GS, in
 * ARCLINE_SECTION_SEGMENTS. Such code is for executables: GS holds the bias of
 * the executable's cells. A shared object that has one counts wrongly in
 * threads whose GS is not 0.
 */
struct arcline_segment {
  arcline_rel32 object;  /* __arcline_ready */
  arcline_rel32 threads; /* __arcline_threads */
};

/*
 * Encoded graph: a sequence of ULEB128 numbers (DWARF 5, 7.6). "Z" marks
 * numbers that hold a signed value, zigzag encoded: (v << 1) ^ (v >> 63).
 * "S" marks offsets into the function's strings, where long names may be
 * shortened (arcline/name_hash.h).
 *
 *   name S            linkage name
 *   n_nodes           without EXIT
 *   n_edges
 *   n_aliases         further linkage names of the function
 *   n_aliases times:
 *     alias S
 *   n_edges times, those from EXIT first, then those from node 0, 1, ...:
 *     to << 5 | is_next << 4 | has_counter << 3 | kind
 *                     kind: enum arcline_edge_kind. Counters are numbered in
 *                     the order of the edges that have one. is_next: it comes
 *                     from the node behind that of the edge before (behind EXIT
 *                     is node 0); else from the same one. The first comes from
 *                     EXIT. to: 0 is EXIT, else Z(to - from - 1) + 1, where -1
 *                     stands for EXIT as from. Of kind ARCLINE_EDGE_NONE
 *                     is no edge, but a node that none leaves.
 *   n_calls           call sites, in order of node
 *   n_calls times:
 *     node            the node that the call ends or stands in
 *     callee S        linkage name; 0 ("") for an indirect call
 *
 * Encoded plan, in the same manner:
 *
 *   n_nodes           without EXIT
 *   n_edges
 *   n_edges times, unless n_nodes is 0; then each edge stands alone and has a
 *   cell:
 *     from << 1 | has_cell
 *                     cells are numbered in the order of the edges that have
 *                     one. from: 0, the edge stands alone: it leads from EXIT
 *                     to EXIT; else 1 + an end
 *     to              an end, unless the edge stands alone
 *   for each copy:
 *     n_edges         that are the copy's; they follow those of the copy before
 *     terms_bytes     0: there are as many as counters, each of them one's
 *     terms           of that many bytes
 *
 * An end is 0 for EXIT, 1 for the node that was not mentioned before, with the
 * next number; n + 1 for the n-th last one of those mentioned so far.
 *
 * Encoded terms tell which counters the copy's edges count, edge by edge and
 * counter by counter. Until the end, the two lowest bits of a number v mean
 *
 *   0                 the next (v >> 2) + 1 counters have an edge each
 *   1                 the next (v >> 2) + 1 counters have none, or no more
 *   2                 (v >> 2) + 1 edges are of the counter that is next, which
 *                     stays the next one
 *   3                 so is one edge, times v >> 2; if that is 0, times the
 *                     number that follows
 *
 * A counter's value in the copy is the sum of its edges.
 *
 * ARCLINE_SECTION_LINES is not loaded with the program: only the analyzer reads
 * it. Entries follow one another, without alignment:
 *
 *   u64 id            of the function; of a list of files: a hash of it; of a
 *                     name: arcline_name_hash()
 *   u64 files         the id of the list of files that "F" is an offset into;
 *                     0: this is such a list; 1: this is a name that is
 *                     shortened where it is loaded, with its NUL
 *   u32 n_bytes       that follow
 *
 * Several entries of one id say the same. A list of files is NUL-terminated
 * names; offset 0 is the empty one. An entry of a function is, encoded,
 *
 *   file F, line      of the definition
 *   n_calls times:
 *     Z(line - line of the definition)
 *     file F
 *   n_nodes times:
 *     n_lines << 1 | is_continued
 *                     is_continued: of the same block as the node before, of
 *                     which it follows alone, or is the other outcome
 *     n_lines times:
 *       Z(line - previous line) << 1 | file_follows
 *                     in order of appearance; "previous" runs through the
 *                     whole graph and starts at the definition's line
 *       [file F]      if file_follows; else the file stays (it starts with the
 *                     definition's)
 *   for each node that several edges of kind ARCLINE_EDGE_BRANCH leave, where
 *   the source chooses between them:
 *     Z(line - previous line) << 1 | file_follows
 *     [file F]
 *     column          0 if not known
 *   for each node whose code has other lines than those, until the end:
 *     node - previous node
 *     n_lines << 1, and lines as above
 */
enum arcline_edge_kind {
  ARCLINE_EDGE_JUMP = 0,      /* unconditional, several cases joined, or by a
                                 branch that the source does not have */
  ARCLINE_EDGE_BRANCH = 1,    /* one outcome of a source condition or switch,
                                 be it by a branch or not; two may lead to one
                                 node */
  ARCLINE_EDGE_RETURN_TO = 2, /* from a call to what follows it */
  ARCLINE_EDGE_ENTRY = 3,     /* EXIT to node 0 */
  ARCLINE_EDGE_EXIT = 4,      /* return or resume: to EXIT */
  ARCLINE_EDGE_ABRUPT = 5,    /* a call that did not come back: to EXIT */
  ARCLINE_EDGE_REENTRY = 6,   /* EXIT to a node that is entered in ways that
                                 cannot be told apart (landing pad, target of
                                 a computed goto, second return of setjmp) */
  ARCLINE_EDGE_NONE = 7,      /* encoded only: no edge leaves the node */
};

/* How the numbers above are put together. */
#define ARCLINE_EDGE_KIND_BITS 3
#define ARCLINE_EDGE_HAS_COUNTER (1u << ARCLINE_EDGE_KIND_BITS)
#define ARCLINE_EDGE_IS_NEXT (2u << ARCLINE_EDGE_KIND_BITS)
#define ARCLINE_EDGE_TO_BITS 5

enum arcline_term_kind {
  ARCLINE_TERM_EACH = 0,
  ARCLINE_TERM_NONE = 1,
  ARCLINE_TERM_SAME = 2,
  ARCLINE_TERM_TIMES = 3,
};
#define ARCLINE_TERM_BITS 2

/* Of an entry of ARCLINE_SECTION_LINES. */
#define ARCLINE_LINES_HEAD_BYTES 20
#define ARCLINE_LINES_IS_LIST 0
#define ARCLINE_LINES_IS_NAME 1

#endif
