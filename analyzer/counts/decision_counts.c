/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/decision_counts.h"

#include "base/err.h"
#include "counts/choice_order.h"
#include "counts/flow_data.h"

#include <stdlib.h>

/** A decision of one instance of a function. */
struct raw_decision {
  struct choice_place place; /* of the first condition */
  const struct flow_decision *decision;
};

static int compare_places(const void *left, const void *right,
                          const void *context) {
  const struct raw_decision *a = left, *b = right;

  (void)context;
  return choice_place_compare(&a->place, &b->place);
}

/** The same decision of instances of one function compares equal. */
static int compare_instances(const void *left, const void *right,
                             const void *context) {
  const struct raw_decision *a = left, *b = right;
  int order = choice_place_compare_instances(&a->place, &b->place);

  (void)context;
  if (order == 0)
    order = (a->decision->n_conditions > b->decision->n_conditions) -
            (a->decision->n_conditions < b->decision->n_conditions);
  return order ? order : a->decision->is_counted - b->decision->is_counted;
}

static const struct flow_choice *
choice_of(const struct flow_data *flow,
          const struct flow_condition *condition) {
  return &flow->choices[condition->i_choice];
}

/** List the decisions of all functions, those of one after the other. */
static struct raw_decision *list(const struct flow_data *flow, size_t *n) {
  struct raw_decision *raw =
      reallocarray(NULL, flow->n_decisions + 1, sizeof(*raw));

  for (size_t i = 0; raw && i < flow->n_funcs; i++) {
    const struct flow_func *func = &flow->funcs[i];
    for (uint32_t k = 0; !func->is_delegate && k < func->n_decisions; k++) {
      const struct flow_decision *const decision =
          &flow->decisions[func->first_decision + k];
      const struct flow_choice *const first =
          choice_of(flow, &flow->conditions[decision->first_condition]);
      raw[(*n)++] = (struct raw_decision){
          {.pos = first->pos, .column = first->column, .func = func}, decision};
    }
  }
  return raw;
}

/** Put the decisions into the order in which instances lie side by side.
 * Returns 0 or -1 (no memory). */
static int sort(struct raw_decision *raw, size_t n) {
  if (flow_line_sort(raw, n, sizeof(*raw), compare_places) != 0)
    return -1;
  for (size_t i = 1; i < n; i++)
    if (compare_places(&raw[i - 1], &raw[i], NULL) == 0)
      raw[i].place.number = raw[i - 1].place.number + 1;
  return flow_line_sort(raw, n, sizeof(*raw), compare_instances);
}

/** Append a decision, with counts of 0. */
static void append(struct decision_counts *out, const struct flow_data *flow,
                   const struct raw_decision *raw) {
  const struct flow_decision *const decision = raw->decision;

  out->decisions[out->n_decisions++] =
      (struct decision_count){.pos = raw->place.pos,
                              .column = raw->place.column,
                              .first_condition = out->n_conditions,
                              .n_conditions = decision->n_conditions,
                              .is_counted = decision->is_counted};
  for (uint32_t i = 0; decision->is_counted && i < decision->n_conditions;
       i++) {
    const struct flow_choice *const choice =
        choice_of(flow, &flow->conditions[decision->first_condition + i]);
    out->conditions[out->n_conditions++] =
        (struct condition_count){.pos = choice->pos, .column = choice->column};
  }
}

/** Add the counts of an instance. */
static void add(struct decision_counts *out, const struct flow_data *flow,
                const struct flow_decision *decision) {
  struct condition_count *const conditions =
      &out->conditions[out->decisions[out->n_decisions - 1].first_condition];

  for (uint32_t i = 0; decision->is_counted && i < decision->n_conditions;
       i++) {
    const struct flow_condition *const condition =
        &flow->conditions[decision->first_condition + i];
    for (unsigned way = 0; way < 2; way++) {
      const unsigned value = way ^ condition->is_inverted;
      conditions[i].n_times[value] +=
          flow_condition_count(flow, condition, way);
      conditions[i].decided[value] += condition->decided[way];
    }
  }
}

int decision_counts_build(const struct flow_data *flow,
                          struct decision_counts *out, struct err *err) {
  size_t n = 0;
  struct raw_decision *raw = list(flow, &n);

  *out = (struct decision_counts){
      .decisions = reallocarray(NULL, n + 1, sizeof(*out->decisions)),
      .conditions =
          reallocarray(NULL, flow->n_conditions + 1, sizeof(*out->conditions))};
  if (!raw || !out->decisions || !out->conditions || sort(raw, n) != 0) {
    free(raw);
    decision_counts_release(out);
    return err_no_memory(err);
  }
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || compare_instances(&raw[i - 1], &raw[i], NULL) != 0)
      append(out, flow, &raw[i]);
    add(out, flow, raw[i].decision);
  }
  free(raw);
  return 0;
}

void decision_totals_add(const struct decision_counts *counts,
                         const struct decision_count *decision,
                         struct decision_totals *totals) {
  const struct condition_count *const conditions =
      &counts->conditions[decision->first_condition];

  totals->n_not_counted += !decision->is_counted;
  for (uint32_t i = 0; decision->is_counted && i < decision->n_conditions;
       i++) {
    totals->n_outcomes += 2;
    totals->n_outcomes_covered += condition_n_decided(&conditions[i]);
    if (!decision_has_several(decision))
      continue;
    totals->n_conditions++;
    totals->n_covered += condition_is_covered(&conditions[i]);
  }
}

void decision_counts_release(struct decision_counts *counts) {
  free(counts->decisions);
  free(counts->conditions);
  *counts = (struct decision_counts){0};
}
