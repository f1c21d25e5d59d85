/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/measured.h"

#include "base/array.h"
#include "base/err.h"
#include "base/map64.h"
#include "model/model.h"
#include "profile/callgraph.h"
#include "profile/profile_join.h"
#include "profile/side_join.h"
#include "profile/stack_tree.h"

#include <math.h>
#include <stdlib.h>

/** A frame of the tree of one side file's stacks. Indices from 1; 0 is the root
 * of all. */
struct frame {
  uint32_t caller, first_callee, next; // next: of the same caller
  uint32_t i_symbol;                   // PROFILE_NONE: unknown
  uint32_t i_arc;                      // from the caller's symbol; or NO_ARC
  bool is_cut;                         // replaces outer frames
  bool is_outside;      // of instrumented code: no calls of it are counted
  double ticks;         // of it and all that it called
  double outside_ticks; // the same, as far as it is outside; if it is itself
  double waiting_ticks; // the same, of threads that wait
};

#define NO_ARC UINT32_MAX

/** Time of calls. */
struct timed_arc {
  uint32_t i_parent, i_child;
  uint32_t n_open; // frames of the path at hand that it leads to
  double ticks;
  double outside_ticks; // frame.outside_ticks
};

/** State of adding up. */
struct work {
  const struct side_join *join;
  struct profile *profile;
  struct measured *out;
  struct frame *frames; // of the side file at hand
  size_t n_frames;
  uint32_t *n_open; // by symbol: frames of the path at hand
  struct timed_arc *arcs;
  size_t n_arcs, max_arcs;
  struct map64 arc_index; // parent and child -> index of arc
};

// --- Reading ---

static int find_arc(struct work *work, uint32_t i_parent, uint32_t i_child,
                    uint32_t *i_arc, struct err *err) {
  const uint64_t key = (uint64_t)i_parent << 32 | i_child;
  *i_arc = map64_find(&work->arc_index, key);
  if (*i_arc != MAP64_NONE)
    return 0;
  struct timed_arc *const arcs =
      array_grow(work->arcs, work->n_arcs, &work->max_arcs, sizeof(*arcs));
  if (!arcs || work->n_arcs >= NO_ARC)
    return err_no_memory(err);
  work->arcs = arcs;
  *i_arc = (uint32_t)work->n_arcs;
  arcs[work->n_arcs++] =
      (struct timed_arc){.i_parent = i_parent, .i_child = i_child};
  return map64_insert(&work->arc_index, key, *i_arc, err);
}

/** Make frames of a tree of stacks. */
static int add_frames(struct work *work, const struct stack_tree *tree,
                      struct err *err) {
  const size_t i_waiting = outside_waiting(&work->join->outside);
  struct frame *const frames =
      array_resize(work->frames, tree->n_frames, sizeof(*frames));
  if (!frames)
    return err_no_memory(err);
  work->frames = frames;
  work->n_frames = tree->n_frames;
  frames[0] = (struct frame){.i_symbol = PROFILE_NONE, .i_arc = NO_ARC};
  for (size_t i = 1; i < tree->n_frames; i++) {
    const struct stack_frame *const from = &tree->frames[i];
    struct frame *const caller = &frames[from->caller];
    struct frame frame = {.caller = from->caller,
                          .next = caller->first_callee,
                          .i_symbol = from->i_symbol,
                          .i_arc = NO_ARC,
                          .is_cut = from->is_cut,
                          .ticks = from->ticks};
    caller->first_callee = (uint32_t)i;
    frame.is_outside = frame.i_symbol != PROFILE_NONE &&
                       !work->profile->counts[frame.i_symbol].is_counted;
    frame.outside_ticks = frame.is_outside ? frame.ticks : 0;
    frame.waiting_ticks = frame.i_symbol == i_waiting ? frame.ticks : 0;
    if (frame.i_symbol != PROFILE_NONE && caller->i_symbol != PROFILE_NONE &&
        caller->i_symbol != frame.i_symbol &&
        find_arc(work, caller->i_symbol, frame.i_symbol, &frame.i_arc, err))
      return -1;
    frames[i] = frame;
  }
  return 0;
}

// --- Adding up ---

/** Callers come before their callees. */
static void sum_callees(struct work *work) {
  for (size_t i = work->n_frames; i-- > 1;) {
    const struct frame *const frame = &work->frames[i];
    struct frame *const caller = &work->frames[frame->caller];
    caller->ticks += frame->ticks;
    caller->waiting_ticks += frame->waiting_ticks;
    caller->outside_ticks += caller->is_outside ? frame->outside_ticks : 0;
  }
}

/** A function's time counts once for a stack, even if it is in it twice; so
 * does an arc's. */
static void enter(struct work *work, const struct frame *frame) {
  if (frame->is_cut)
    work->out->cut_ticks += frame->ticks;
  if (frame->i_symbol != PROFILE_NONE && work->n_open[frame->i_symbol]++ == 0) {
    struct symbol_counts *const counts =
        &work->profile->counts[frame->i_symbol];
    counts->inclusive += frame->ticks;
    counts->waiting += frame->waiting_ticks;
  }
  if (frame->i_arc != NO_ARC && work->arcs[frame->i_arc].n_open++ == 0) {
    work->arcs[frame->i_arc].ticks += frame->ticks;
    work->arcs[frame->i_arc].outside_ticks += frame->outside_ticks;
  }
}

static void leave(struct work *work, const struct frame *frame) {
  if (frame->i_symbol != PROFILE_NONE)
    work->n_open[frame->i_symbol]--;
  if (frame->i_arc != NO_ARC)
    work->arcs[frame->i_arc].n_open--;
}

/** Go through the tree, depth first. */
static void walk(struct work *work) {
  const struct frame *const frames = work->frames;
  uint32_t i = frames[0].first_callee;
  while (i) {
    enter(work, &frames[i]);
    if (frames[i].first_callee) {
      i = frames[i].first_callee;
      continue;
    }
    while (i && !frames[i].next) {
      leave(work, &frames[i]);
      i = frames[i].caller;
    }
    if (i) {
      leave(work, &frames[i]);
      i = frames[i].next;
    }
  }
}

static int add_side(struct work *work, size_t i_side, struct err *err) {
  struct stack_tree tree;
  if (stack_tree_load(work->join, work->profile, NULL, false, i_side, &tree,
                      err))
    return -1;
  const int rc = add_frames(work, &tree, err);
  work->out->n_stack_signals += tree.n_stack_signals;
  work->out->squares += tree.squares;
  stack_tree_release(&tree);
  if (rc)
    return -1;
  sum_callees(work);
  work->out->total_ticks += work->frames[0].ticks;
  work->out->waiting_ticks += work->frames[0].waiting_ticks;
  walk(work);
  return 0;
}

/** Hand the time of calls to the profile. */
static int give_arcs(const struct work *work, struct err *err) {
  // Time of system calls by function comes from all samples, not only from
  // these: it is no weight here. The time of waits is the kernel's.
  const size_t i_kernel = outside_kernel(&work->join->outside);
  const size_t i_waiting = outside_waiting(&work->join->outside);
  for (size_t i = 0; i < work->n_arcs; i++) {
    const struct timed_arc *const arc = &work->arcs[i];
    if (arc->outside_ticks > 0 && arc->i_child != i_kernel &&
        arc->i_child != i_waiting &&
        profile_weigh_arc(work->profile, arc->i_parent, arc->i_child,
                          arc->outside_ticks, err))
      return -1;
    if (arc->ticks > 0 && profile_measure_arc(work->profile, arc->i_parent,
                                              arc->i_child, arc->ticks, err))
      return -1;
  }
  return 0;
}

/** Note which functions are in objects that stacks lead through. */
static int note_objects(struct profile *profile, struct err *err) {
  const struct symtab *const symtab = profile->symtab;
  size_t n_objects = 1; // without an object: the only one
  for (size_t i = 0; i < symtab->n_symbols; i++)
    if (symtab->symbols[i].object &&
        symtab->symbols[i].object->i_object + 2 > n_objects)
      n_objects = symtab->symbols[i].object->i_object + 2;
  bool *const has_stacks = calloc(n_objects, sizeof(*has_stacks));
  if (!has_stacks)
    return err_no_memory(err);
  for (size_t k = 0; k < 2; k++)
    for (size_t i = 0; i < symtab->n_symbols; i++) {
      const struct symtab_object *const object = symtab->symbols[i].object;
      bool *const it = &has_stacks[object ? object->i_object + 1 : 0];
      if (k == 0)
        *it |= profile->counts[i].inclusive > 0;
      else
        profile->counts[i].has_stacks = *it;
    }
  free(has_stacks);
  return 0;
}

int measured_make(const struct side_join *join, struct profile *profile,
                  struct measured *out, struct err *err) {
  const size_t n_symbols = profile->symtab->n_symbols;
  struct work work = {.join = join, .profile = profile, .out = out};
  *out = (struct measured){0};
  work.n_open = calloc(n_symbols + 1, sizeof(*work.n_open));
  int rc = work.n_open ? 0 : err_no_memory(err);
  for (size_t i = 0; rc == 0 && i < join->inputs->n_sides; i++)
    rc = add_side(&work, i, err);
  if (rc == 0)
    rc = give_arcs(&work, err) || note_objects(profile, err) ? -1 : 0;
  // Without a record of the number of stacks, each sample counts as one.
  if (out->n_stack_signals <= 0)
    out->n_stack_signals = out->total_ticks;
  free(work.n_open);
  free(work.frames);
  free(work.arcs);
  map64_release(&work.arc_index);
  return rc;
}

struct measured measured_sample(const struct measured *measured,
                                double total_ticks, bool is_self) {
  struct measured sample = *measured;
  // Without stacks the number of samples per signal is unknown: each counts.
  if (sample.total_ticks <= 0)
    sample = (struct measured){.total_ticks = total_ticks,
                               .n_stack_signals = total_ticks};
  if (is_self)
    sample.squares = 0;
  return sample;
}

double measured_error(const struct measured *measured, double ticks) {
  return measured_error_at(measured, ticks, 1.96);
}

/** Number of stacks of equal weight that have the same error: the effective
 * size of a weighted sample (Kish, "Survey Sampling", 1965). */
static double n_equal(const struct measured *measured) {
  const double sum = measured->total_ticks;
  return measured->squares > 0
             ? fmin(measured->n_stack_signals, sum * sum / measured->squares)
             : measured->n_stack_signals;
}

double measured_error_at(const struct measured *measured, double ticks,
                         double z) {
  if (measured->n_stack_signals <= 0 || measured->total_ticks <= 0)
    return 0;
  // Most samples of short processes have no stack. A longer time than that of
  // all stacks is one of such samples, of which a signal brings as many.
  const double total = fmax(measured->total_ticks, ticks);
  const double n = n_equal(measured) * (total / measured->total_ticks);
  // Source: the interval of Wilson, "Probable inference" (1927), which is sound
  // for few samples, too.
  const double part = ticks / total;
  return total * z / (1 + z * z / n) *
         sqrt(part * (1 - part) / n + z * z / (4 * n * n));
}

struct total_time measured_total(const struct measured *measured,
                                 const struct callgraph *graph,
                                 size_t i_symbol) {
  const struct cg_node *const node = &graph->nodes[i_symbol];
  const struct symbol_counts *const counts = &graph->profile->counts[i_symbol];
  const double propagated = node->ticks + node->child_ticks;
  if (counts->inclusive > 0)
    return (struct total_time){fmax(counts->inclusive, node->ticks), false};
  if (counts->has_stacks && measured_differs(measured, 0, node->child_ticks))
    return (struct total_time){node->ticks, false};
  return (struct total_time){propagated, node->child_ticks > 0};
}

double measured_arc(const struct measured *measured,
                    const struct callgraph *graph,
                    const struct profile_arc *arc) {
  if (graph->profile->counts[arc->child].inclusive > 0)
    return arc->inclusive;
  const struct cg_arc *const shares = &graph->arcs[arc - graph->profile->arcs];
  return measured_total(measured, graph, arc->child).is_estimate
             ? shares->self_share + shares->child_share
             : shares->self_share;
}

/** Inclusive time of a group of arcs. */
static double inclusive_of(const struct profile_arc *arcs,
                           const struct cg_groups *groups, size_t i_group) {
  double ticks = 0;
  for (uint32_t i = groups->starts[i_group]; i < groups->starts[i_group + 1];
       i++)
    ticks += arcs[groups->arcs[i]].inclusive;
  return ticks;
}

double measured_outside(const struct callgraph *graph, size_t i_symbol) {
  const struct profile *const profile = graph->profile;
  const double inclusive = profile->counts[i_symbol].inclusive;
  const struct cg_node *const head =
      &graph->nodes[callgraph_head(graph, i_symbol)];
  if (inclusive <= 0) // the callers of a cycle share its time
    return (head->ticks + head->child_ticks) *
           callgraph_outside_part(graph, i_symbol);
  const double of_callers =
      inclusive_of(profile->arcs, &graph->by_child, i_symbol) +
      inclusive_of(profile->stack_arcs, &graph->stacks_by_child, i_symbol);
  return fmax(inclusive - of_callers, 0);
}

bool measured_differs(const struct measured *measured, double ticks,
                      double other_ticks) {
  static const double least_part = 0.01;
  return fabs(other_ticks - ticks) > fmax(measured_error(measured, ticks),
                                          least_part * measured->total_ticks);
}
