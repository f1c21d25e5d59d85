/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// Compares the masking of decisions.h with its definition, in all vectors of
// random expressions: a condition is not masked if its opposite, with some
// values of the conditions that were not evaluated, leads to the other outcome.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arcline/decisions.h"

enum { MAX_NODES = 64, MAX_TESTED = 8, N_EXPRESSIONS = 20000 };
enum op { LEAF, AND, OR, NOT, CHOICE };

struct node {
  enum op op;
  unsigned a, b, c; // operands; of a leaf, a is its number
};

struct expression {
  struct node nodes[MAX_NODES];
  unsigned n_nodes, n;
  struct arcline_condition conditions[MAX_TESTED];
};

static unsigned below(unsigned limit) { return (unsigned)rand() % limit; }

/** Add an expression of n conditions, in order. */
static unsigned add(struct expression *e, unsigned n) {
  const unsigned i = e->n_nodes++;
  struct node node = {LEAF, 0, 0, 0};

  if (below(6) == 0 && e->n_nodes < MAX_NODES / 2) {
    node.op = NOT;
    node.a = add(e, n);
  } else if (n == 1) {
    node.a = e->n++;
  } else if (n > 2 && below(5) == 0) {
    const unsigned n_a = 1 + below(n - 2), n_b = 1 + below(n - n_a - 1);
    node.op = CHOICE;
    node.a = add(e, n_a);
    node.b = add(e, n_b);
    node.c = add(e, n - n_a - n_b);
  } else {
    const unsigned n_a = 1 + below(n - 1);
    node.op = below(2) ? AND : OR;
    node.a = add(e, n_a);
    node.b = add(e, n - n_a);
  }
  e->nodes[i] = node;
  return i;
}

static unsigned first_leaf(const struct expression *e, unsigned i) {
  while (e->nodes[i].op != LEAF)
    i = e->nodes[i].a;
  return e->nodes[i].a;
}

/** Set the targets of conditions, as clang evaluates expressions. */
static void connect(struct expression *e, unsigned i, unsigned if_false,
                    unsigned if_true) {
  const struct node *node = &e->nodes[i];

  switch (node->op) {
  case LEAF:
    e->conditions[node->a].to[0] = (uint8_t)if_false;
    e->conditions[node->a].to[1] = (uint8_t)if_true;
    break;
  case NOT:
    connect(e, node->a, if_true, if_false);
    break;
  case AND:
    connect(e, node->a, if_false, first_leaf(e, node->b));
    connect(e, node->b, if_false, if_true);
    break;
  case OR:
    connect(e, node->a, first_leaf(e, node->b), if_true);
    connect(e, node->b, if_false, if_true);
    break;
  case CHOICE:
    connect(e, node->a, first_leaf(e, node->c), first_leaf(e, node->b));
    connect(e, node->b, if_false, if_true);
    connect(e, node->c, if_false, if_true);
  }
}

/** The outcome of a vector of values; evaluated: of these conditions. */
static unsigned run(const struct expression *e, unsigned values,
                    unsigned *evaluated) {
  unsigned p = 0;

  *evaluated = 0;
  while (p < ARCLINE_OUTCOME_0) {
    *evaluated |= 1u << p;
    p = e->conditions[p].to[values >> p & 1];
  }
  return p;
}

static int is_masked(const struct expression *e, unsigned values, unsigned i) {
  unsigned evaluated, ignored;
  const unsigned outcome = run(e, values, &evaluated);
  const unsigned others = ~evaluated & ((1u << e->n) - 1);

  for (unsigned set = others;; set = (set - 1) & others) {
    if (run(e, (values ^ 1u << i) | set, &ignored) != outcome)
      return 0;
    if (set == 0)
      return 1;
  }
}

/** The values that are not masked in a vector, by the ends of the decision and
 * the flags of those that only some paths leave unmasked. */
static struct arcline_values find(const struct expression *e,
                                  struct arcline_end (*ends)[2],
                                  unsigned values) {
  struct arcline_values flags = {{0, 0}}, result;
  unsigned p = 0, last = 0;

  while (p < ARCLINE_OUTCOME_0) {
    last = p;
    flags = arcline_after(e->conditions, p, values >> p & 1, flags);
    p = e->conditions[p].to[values >> p & 1];
  }
  const struct arcline_end *const end = &ends[last][values >> last & 1];
  for (unsigned v = 0; v < 2; v++)
    result.set[v] = end->always.set[v] | (end->some.set[v] & flags.set[v]);
  return result;
}

static void check(const struct expression *e) {
  struct arcline_end ends[MAX_TESTED][2];
  struct arcline_values may[MAX_TESTED];

  arcline_find_ends(e->conditions, e->n, ends, may);
  for (unsigned values = 0; values < 1u << e->n; values++) {
    unsigned evaluated;
    run(e, values, &evaluated);
    if (values & ~evaluated) // the same as another vector
      continue;
    const struct arcline_values found = find(e, ends, values);
    for (unsigned i = 0; i < e->n; i++)
      for (unsigned v = 0; v < 2; v++)
        assert_int_equal(found.set[v] >> i & 1, (evaluated >> i & 1) &&
                                                    (values >> i & 1) == v &&
                                                    !is_masked(e, values, i));
  }
}

static void test_masking(void **state) {
  (void)state;
  srand(1);
  for (unsigned i = 0; i < N_EXPRESSIONS; i++) {
    struct expression e;
    memset(&e, 0, sizeof(e));
    const unsigned root = add(&e, 2 + below(MAX_TESTED - 1));
    connect(&e, root, ARCLINE_OUTCOME_0, ARCLINE_OUTCOME_1);
    check(&e);
  }
}

/** A row of one operator needs no counters, however long. */
static void test_rows_need_no_counters(void **state) {
  struct arcline_condition conditions[ARCLINE_MAX_CONDITIONS];
  struct arcline_end ends[ARCLINE_MAX_CONDITIONS][2];
  struct arcline_values may[ARCLINE_MAX_CONDITIONS];
  const unsigned n = ARCLINE_MAX_CONDITIONS;

  (void)state;
  for (unsigned i = 0; i < n; i++) {
    conditions[i].to[0] = ARCLINE_OUTCOME_0;
    conditions[i].to[1] = (uint8_t)(i + 1 < n ? i + 1 : ARCLINE_OUTCOME_1);
  }
  arcline_find_ends(conditions, n, ends, may);
  const struct arcline_values counted =
      arcline_find_counted((const struct arcline_end(*)[2])ends, n);
  assert_int_equal(counted.set[0], 0);
  assert_int_equal(counted.set[1], 0);
  assert_int_equal(ends[n - 1][1].always.set[1], UINT64_MAX);
  assert_int_equal(ends[n - 1][0].always.set[0], (uint64_t)1 << (n - 1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_masking),
      cmocka_unit_test(test_rows_need_no_counters),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
