/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic workload for GLPK: transport, knapsack and network flow
 * problems are solved by several methods.
 *
 *   glpk_workload [SCALE]    SCALE rounds, with new problems in each
 */
#include <glpk.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "made_data.h"

enum {
  N_PLANTS = 12,
  N_SHOPS = 16,
  N_ITEMS = 20,
  N_SACKS = 3,
  MAX_TREE = 40,
  N_NODES = 60,
  N_ARCS = 400,
};

static uint64_t check;

static void add(double value) {
  check = check * 31 + (uint64_t)llround(value * 1000);
}

/** Goods go from plants to shops: a sparse linear program. */
static glp_prob *make_transport(uint32_t *random) {
  glp_prob *const problem = glp_create_prob();
  const int n_columns = N_PLANTS * N_SHOPS;

  glp_add_rows(problem, N_PLANTS + N_SHOPS);
  glp_add_cols(problem, n_columns);
  for (int i = 1; i <= N_PLANTS; i++)
    glp_set_row_bnds(problem, i, GLP_UP, 0, 200 + next_random(random, 100));
  for (int i = 1; i <= N_SHOPS; i++)
    glp_set_row_bnds(problem, N_PLANTS + i, GLP_LO,
                     50 + next_random(random, 90), 0);
  for (int i = 0; i < n_columns; i++) {
    const int rows[] = {0, 1 + i / N_SHOPS, 1 + N_PLANTS + i % N_SHOPS};
    const double ones[] = {0, 1, 1};
    glp_set_mat_col(problem, i + 1, 2, rows, ones);
    glp_set_col_bnds(problem, i + 1, GLP_DB, 0, 60 + next_random(random, 60));
    glp_set_obj_coef(problem, i + 1, 1 + next_random(random, 500) / 10.0);
  }
  return problem;
}

static int transport(uint32_t *random) {
  glp_prob *const problem = make_transport(random);
  glp_smcp simplex;
  glp_iptcp inner;

  glp_init_smcp(&simplex);
  for (int i = 0; i < 3; i++) {
    simplex.meth = i == 1 ? GLP_DUALP : GLP_PRIMAL;
    simplex.presolve = i == 2 ? GLP_ON : GLP_OFF;
    simplex.pricing = i == 1 ? GLP_PT_PSE : GLP_PT_STD;
    if (i == 1)
      glp_std_basis(problem);
    else
      glp_adv_basis(problem, 0);
    if (glp_simplex(problem, &simplex) || glp_get_status(problem) != GLP_OPT)
      return 1;
    add(glp_get_obj_val(problem));
  }
  /* The demand of a shop rises: continue from the current basis. */
  glp_set_row_bnds(problem, N_PLANTS + 1, GLP_LO, 150, 0);
  simplex.presolve = GLP_OFF;
  simplex.meth = GLP_DUAL;
  if (glp_simplex(problem, &simplex))
    return 1;
  add(glp_get_obj_val(problem));
  glp_init_iptcp(&inner);
  if (glp_interior(problem, &inner))
    return 1;
  add(round(glp_ipt_obj_val(problem)));
  glp_delete_prob(problem);
  return 0;
}

static void stop_early(glp_tree *tree, void *data) {
  int n;

  (void)data;
  glp_ios_tree_size(tree, NULL, NULL, &n);
  if (n > MAX_TREE)
    glp_ios_terminate(tree);
}

/** Items are packed into sacks, each into one at most: branch and cut. */
static int fill_sacks(uint32_t *random) {
  glp_prob *const problem = glp_create_prob();
  int columns[N_ITEMS + 1];
  double weights[N_ITEMS + 1], ones[N_SACKS + 1];
  glp_iocp options;

  glp_set_obj_dir(problem, GLP_MAX);
  glp_add_rows(problem, N_SACKS + N_ITEMS);
  glp_add_cols(problem, N_SACKS * N_ITEMS);
  for (int i = 1; i <= N_ITEMS; i++) {
    weights[i] = 10 + next_random(random, 90);
    const double worth = weights[i] + next_random(random, 20);
    for (int j = 0; j < N_SACKS; j++) {
      glp_set_col_kind(problem, j * N_ITEMS + i, GLP_BV);
      glp_set_obj_coef(problem, j * N_ITEMS + i, worth);
    }
  }
  for (int j = 0; j < N_SACKS; j++) {
    for (int i = 1; i <= N_ITEMS; i++)
      columns[i] = j * N_ITEMS + i;
    glp_set_mat_row(problem, j + 1, N_ITEMS, columns, weights);
    glp_set_row_bnds(problem, j + 1, GLP_UP, 0, 150 + 40 * j);
  }
  for (int i = 1; i <= N_ITEMS; i++) {
    for (int j = 0; j < N_SACKS; j++) {
      columns[j + 1] = j * N_ITEMS + i;
      ones[j + 1] = 1;
    }
    glp_set_mat_row(problem, N_SACKS + i, N_SACKS, columns, ones);
    glp_set_row_bnds(problem, N_SACKS + i, GLP_UP, 0, 1);
  }
  glp_init_iocp(&options);
  options.presolve = GLP_ON;
  options.gmi_cuts = options.mir_cuts = options.cov_cuts = GLP_ON;
  options.clq_cuts = GLP_ON;
  options.fp_heur = GLP_ON;
  options.cb_func = stop_early;
  const int result = glp_intopt(problem, &options);
  if (result && result != GLP_ESTOP)
    return 1;
  add(glp_mip_obj_val(problem));
  glp_delete_prob(problem);
  return 0;
}

typedef struct {
  double low, capacity, cost, flow;
} arc_data;

typedef struct {
  double supply;
} node_data;

static int fill_network(uint32_t *random) {
  glp_graph *const graph =
      glp_create_graph(sizeof(node_data), sizeof(arc_data));
  double most, cost;

  glp_add_vertices(graph, N_NODES);
  for (int i = 0; i < N_ARCS; i++) {
    const int from = 1 + (int)next_random(random, N_NODES - 1);
    const int to = 1 + (int)next_random(random, N_NODES);
    if (from == to || to == 1)
      continue;
    arc_data *const data = glp_add_arc(graph, from, to)->data;
    data->low = 0;
    data->capacity = 1 + next_random(random, 40);
    data->cost = 1 + next_random(random, 30);
  }
  if (glp_maxflow_ffalg(graph, 1, N_NODES, offsetof(arc_data, capacity), &most,
                        offsetof(arc_data, flow), -1))
    return 1;
  add(most);
  ((node_data *)graph->v[1]->data)->supply = most;
  ((node_data *)graph->v[N_NODES]->data)->supply = -most;
  if (glp_mincost_okalg(graph, offsetof(node_data, supply),
                        offsetof(arc_data, low), offsetof(arc_data, capacity),
                        offsetof(arc_data, cost), &cost,
                        offsetof(arc_data, flow), -1))
    return 1;
  add(cost);
  /* The same as a linear program. */
  glp_prob *const problem = glp_create_prob();
  glp_mincost_lp(problem, graph, GLP_OFF, offsetof(node_data, supply),
                 offsetof(arc_data, low), offsetof(arc_data, capacity),
                 offsetof(arc_data, cost));
  if (glp_simplex(problem, NULL) ||
      fabs(glp_get_obj_val(problem) - cost) > 1e-6 * (1 + cost))
    return 1;
  glp_delete_prob(problem);
  add(glp_strong_comp(graph, -1));
  glp_delete_graph(graph);
  return 0;
}

int main(int argc, char **argv) {
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  uint32_t random = 20261125;

  glp_term_out(GLP_OFF);
  for (int i = 0; i < scale; i++)
    if (transport(&random) || fill_sacks(&random) || fill_network(&random))
      return 1;
  glp_free_env();
  printf("checksum %016llx\n", (unsigned long long)check);
  return 0;
}
