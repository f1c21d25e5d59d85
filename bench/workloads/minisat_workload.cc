/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic workload for MiniSat: random 3-SAT formulas, near the number
 * of clauses at which they are hard.
 *
 *   minisat_workload [SCALE]    SCALE formulas of 150 variables
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "made_data.h"
#include "minisat/core/Solver.h"

namespace {

constexpr int NumVariables = 150;
constexpr int NumClauses = NumVariables * 426 / 100;

} // namespace

int main(int argc, char **argv) {
  const int Scale = argc > 1 ? std::atoi(argv[1]) : 1;
  uint32_t Random = 20261124;
  uint64_t NumSatisfied = 0, Check = 0;

  for (int I = 0; I < Scale; I++) {
    Minisat::Solver Solver;
    for (int J = 0; J < NumVariables; J++)
      Solver.newVar();
    for (int J = 0; J < NumClauses; J++) {
      Minisat::vec<Minisat::Lit> Clause;
      for (int K = 0; K < 3; K++) {
        const int Variable = int(next_random(&Random, NumVariables));
        Clause.push(Minisat::mkLit(Variable, next_random(&Random, 2) != 0));
      }
      Solver.addClause(Clause);
    }
    const bool Satisfied = Solver.solve();
    NumSatisfied += Satisfied;
    Check = Check * 31 + Solver.conflicts;
    if (Satisfied)
      for (int J = 0; J < Solver.model.size(); J++)
        Check = Check * 31 + unsigned(Minisat::toInt(Solver.model[J]));
  }
  std::printf("%llu satisfied, checksum %016llx\n",
              static_cast<unsigned long long>(NumSatisfied),
              static_cast<unsigned long long>(Check));
  return 0;
}
